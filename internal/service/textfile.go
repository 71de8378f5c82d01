package service

import (
	"context"
	"slices"
	"time"

	"github.com/ibscope/ibscope/internal/service/metrics"
	"github.com/ibscope/ibscope/watch"
)

// textfileEvery is how often the file of metrics is written at most.
const textfileEvery = time.Second

// writeTextfile writes the file of metrics whenever something is new. While that fails it
// says so, once.
func (s *Service) writeTextfile(ctx context.Context) {
	c := &s.present().Metrics
	sets := []metrics.Set{}
	for _, word := range c.Compat {
		if set, err := metrics.ParseSet(word); err == nil { // the configuration has been checked
			sets = append(sets, set)
		}
	}
	if len(sets) == 0 {
		sets = append(sets, metrics.Own)
	}
	tick := time.NewTicker(textfileEvery)
	defer tick.Stop()
	failing := false
	var written []*watch.State
	var last uint64
	for {
		states, event := s.States(), s.log.Last()
		if failing || event != last || !slices.Equal(states, written) {
			err := s.metrics.WriteFile(ctx, c.Textfile, sets...)
			if err != nil && !failing && ctx.Err() == nil {
				s.world.Logger.Error("the file of metrics cannot be written", "err", err)
			}
			failing, written, last = err != nil, states, event
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
