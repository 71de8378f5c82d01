package service

import (
	"context"
	"time"

	"github.com/ibscope/ibscope/internal/service/metrics"
)

// textfileEvery is how often the file of metrics is written.
const textfileEvery = 15 * time.Second

// writeTextfile writes the file of metrics again and again. While that fails it says so,
// once.
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
	for {
		err := s.metrics.WriteFile(ctx, c.Textfile, sets...)
		if err != nil && !failing && ctx.Err() == nil {
			s.world.Logger.Error("the file of metrics cannot be written", "err", err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
