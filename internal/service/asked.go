package service

import (
	"slices"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/metrics"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/watch"
)

// wantsDetails reports whether details of errors are read: where the configuration says
// nothing of it, for the exporters that have them.
func wantsDetails(m *config.Metrics) bool {
	if m.Details != nil {
		return *m.Details
	}
	return slices.Contains(m.Compat, metrics.Treydock.String()) || slices.Contains(m.Compat, metrics.Guilbaults.String())
}

// tablesEvery is how often forwarding tables are read if nothing else is said.
const tablesEvery = time.Hour

// askMore has a watcher read what metrics show beside the graph and counters. A service
// that reads everything once reads all details at once.
func (s *Service) askMore(o *watch.Options, to *settings) {
	o.Details, o.Firmware = wantsDetails(&to.Metrics), true
	switch {
	case s.world.Once:
		o.Routes.Every = -1 // metrics do not show them then
	case o.Routes.Every == 0:
		o.Routes.Every = tablesEvery
	}
	if s.world.Once {
		o.DetailsEvery = 1
	}
}

// requests is what the client of a fabric has done; false where there is none.
func (s *Service) requests(name string) (madrpc.Stats, bool) {
	s.mu.Lock()
	f := find(s.fabrics, name)
	s.mu.Unlock()
	if f == nil || f.stored != nil {
		return madrpc.Stats{}, false
	}
	return f.watcher.Stats(), true
}

// hardware is what a device told of itself; nil for nothing.
func (s *Service) hardware(name string, node ib.GUID) *metrics.Hardware {
	s.mu.Lock()
	f := find(s.fabrics, name)
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	state := f.watcher.State()
	d, ok := state.Devices[node]
	if !ok {
		return nil
	}
	h := &metrics.Hardware{Firmware: d.Version, PSID: d.PSID}
	if d.Uptime > 0 {
		h.Uptime = (d.Uptime + state.Since.Sub(d.At)).Truncate(time.Second)
	}
	return h
}
