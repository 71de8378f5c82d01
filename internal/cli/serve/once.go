package serve

import (
	"context"
	"log/slog"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/metrics"
)

// runOnce reads everything once, and prints the metrics or writes them to a file.
func (f *flags) runOnce(ctx context.Context, e *env.Env, c *config.Config, logger *slog.Logger) error {
	c.History.Off = true
	w := world(e, c, logger)
	w.Once = true
	s, err := service.New(ctx, c, w)
	if err != nil {
		return failed(err)
	}
	defer s.Close()
	missing := s.Once(ctx)
	var sets []metrics.Set
	if len(c.Metrics.Compat) == 0 {
		sets = append(sets, metrics.Own)
	}
	for _, word := range c.Metrics.Compat {
		set, err := metrics.ParseSet(word)
		if err != nil {
			return &env.ExitError{Code: env.Usage, Err: err}
		}
		sets = append(sets, set)
	}
	if c.Metrics.Textfile != "" {
		err = s.Metrics().WriteFile(ctx, c.Metrics.Textfile, sets...)
	} else {
		err = s.Metrics().Write(ctx, e.Stdout, metrics.Text, sets...)
	}
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	if missing != nil {
		return &env.ExitError{Code: env.Incomplete, Err: missing}
	}
	return nil
}
