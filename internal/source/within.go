package source

import (
	"context"

	"github.com/ibscope/ibscope/internal/source/core"
)

// within has an opener give up when the context ends. A file that may be a pipe, and a
// fabric that takes long to make, do not look at a context: they are left alone then,
// and what comes of them is thrown away.
func within(open core.Opener) core.Opener {
	return func(ctx context.Context, u *core.URI, w *core.World) (*Source, error) {
		type result struct {
			s   *Source
			err error
		}
		done, gone := make(chan result), make(chan struct{})
		go func() {
			s, err := open(ctx, u, w)
			select {
			case done <- result{s, err}:
			case <-gone:
				if err == nil {
					_ = s.Close() // nobody has it
				}
			}
		}()
		select {
		case r := <-done:
			return r.s, r.err
		case <-ctx.Done():
			close(gone)
			return nil, u.Wrap("open", context.Cause(ctx))
		}
	}
}
