package service

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/fleet"
	"github.com/ibscope/ibscope/watch"
)

// openFleet has the service work together with other collectors, if it is told to.
func (s *Service) openFleet(to *settings) error {
	c := &to.Fleet
	if c.URL == "" {
		return nil
	}
	dir, err := s.stateDir(to)
	if err != nil {
		return err
	}
	o := &fleet.Options{
		URL: c.URL, Credentials: c.Credentials, Name: collectorName(c.Name), Dir: filepath.Join(dir, "fleet"), Share: c.Share,
		Interval: longestPass(to.Config), Acquired: s.count, Snapshot: s.writeSnapshot, Logger: s.world.Logger,
	}
	for i := range to.Fabrics {
		o.Fabrics = append(o.Fabrics, to.Fabrics[i].Name)
	}
	s.fleet, err = fleet.New(o)
	return err
}

// collectorName is the name of this collector: that of the host unless it is given.
func collectorName(name string) string {
	if name != "" {
		return name
	}
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	word := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToLower(host))
	const longest = 63
	return word[:min(len(word), longest)]
}

// longestPass is the longest of the intervals of passes; 0 for the default.
func longestPass(c *config.Config) (longest time.Duration) {
	for i := range c.Fabrics {
		longest = max(longest, c.Fabrics[i].Counters.Every)
	}
	return longest
}

// ports chooses the ports of a fabric whose counters are read here; nil for all.
func (s *Service) ports(name string) func(*fabric.Port) bool {
	if s.fleet == nil {
		return nil
	}
	return func(p *fabric.Port) bool { return s.fleet.Owns(name, p.Node()) }
}

// count has the counters of a fabric read soon.
func (s *Service) count(name string) {
	s.mu.Lock()
	f := find(s.fabrics, name)
	s.mu.Unlock()
	if f != nil {
		f.watcher.Trigger(watch.Counting)
	}
}

// mark marks the events that other collectors have told already.
func (s *Service) mark(events []event.Event) {
	if s.fleet != nil {
		_ = s.fleet.Mark(context.Background(), events) // it takes two seconds at most, and has logged it
	}
}

// writeSnapshot writes what is known of a fabric.
func (s *Service) writeSnapshot(_ context.Context, name string, to io.Writer) (bool, error) {
	s.mu.Lock()
	f := find(s.fabrics, name)
	s.mu.Unlock()
	if f == nil {
		return false, nil
	}
	state := f.watcher.State()
	if state.Fabric == nil {
		return false, nil
	}
	out := &snapshot.Snapshot{Taken: state.At, Fabric: state.Fabric}
	if s.present().Routes {
		out.Fabric, out.Problems = state.Routes.In(state.Fabric), state.Routes.Problems(state.Fabric)
	}
	return true, snapshot.Write(to, out)
}
