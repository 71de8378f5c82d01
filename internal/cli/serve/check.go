package serve

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/source"
)

// check looks for mistakes in the configuration and in all that it names, short of what
// would open a device or ask a network.
func check(ctx context.Context, e *env.Env, c *config.Config) error {
	if err := service.Check(c); err != nil {
		return usage(err)
	}
	for i := range c.Fabrics {
		if err := checkSource(ctx, e, c.Fabrics[i].Source); err != nil {
			return failed(err)
		}
	}
	fmt.Fprintf(e.Stdout, "no mistakes: %d fabrics\n", len(c.Fabrics))
	return nil
}

// checkSource makes a simulated fabric and reads a stored one: both are all that their
// URI says.
func checkSource(ctx context.Context, e *env.Env, uri string) error {
	u, err := source.Parse(uri)
	if err != nil {
		return err
	}
	if u.Scheme != "sim" && u.Scheme != "file" {
		return nil
	}
	s, err := (&source.World{Getenv: e.Getenv}).Open(ctx, uri)
	if err != nil {
		return err
	}
	if s.Transport != nil {
		_ = s.Transport.Close() // nothing was sent
	}
	return nil
}
