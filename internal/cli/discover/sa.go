package discover

import (
	"context"
	"strconv"

	"github.com/ibscope/ibscope/discover/saview"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// runSA reads the fabric from subnet administration; see sweep.Flags.Run.
func (s *settings) runSA(ctx context.Context, e *env.Env) (*fabric.Fabric, error) {
	if s.From != "" || s.MaxHops != 0 {
		return nil, env.Exitf(env.Usage, "--sa asks for the whole subnet: --from and --max-hops do not go with it")
	}
	key := uint64(0)
	if s.smKey != "" {
		var err error
		if key, err = strconv.ParseUint(s.smKey, 0, 64); err != nil {
			return nil, env.Exitf(env.Usage, "--sm-key: expected a number")
		}
	}
	f := fabric.NewBuilder().Build()
	err := s.Gather(ctx, e, func(ctx context.Context, l *sweep.Live) (err error) {
		f, err = saview.Read(ctx, l.Client, &saview.Options{SMKey: key, Source: l.URI})
		return err
	})
	return f, err
}
