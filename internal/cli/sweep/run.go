package sweep

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/capture"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/internal/source/core"
	"github.com/ibscope/ibscope/umad"
)

// Run opens the fabric that the flags name and sweeps it, with a progress line
// where there is a terminal. An *env.ExitError is a mistake of usage or a fabric
// that cannot be opened, with no result. Any other error came on the way: the
// fabric beside it is what is known, nil only when the source did not open.
func (f *Flags) Run(ctx context.Context, e *env.Env) (*fabric.Fabric, error) {
	o, err := f.Options(e)
	if err != nil {
		return nil, err
	}
	if f.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.Deadline)
		defer cancel()
	}
	return Open(ctx, e, f.URI(e), o, &f.Capture)
}

// Open opens a fabric by its URI and sweeps it; see Flags.Run. It complains of
// what the file of a simulated fabric says and the simulator does not know. The
// capture, which may be nil, gets what the sweep sends and receives.
func Open(ctx context.Context, e *env.Env, uri string, o *discover.Options, c *capture.Capture) (*fabric.Fabric, error) {
	// Who holds a context from which others are made has asked for interrupts:
	// from here on they end the sweep, not the process.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := OpenSource(ctx, e, uri, c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	line := newProgressLine(e)
	defer line.erase()
	if o.Progress == nil {
		o.Progress = line.update
	}
	f, err := s.Fabric(ctx, o)
	live.Remember(e, uri, f)
	return f, err
}

// OpenSource opens the source of a fabric for who uses it as it is, and closes it;
// what of it is not understood is complained of. Errors are *env.ExitError.
func OpenSource(ctx context.Context, e *env.Env, uri string, c *capture.Capture) (*core.Source, error) {
	w := core.World{Getenv: e.Getenv, Host: umad.Host{Sys: e.Sys, Dev: e.Dev}, Tap: c.Tap(e), Others: e.Sources}
	s, err := w.Open(ctx, uri)
	if errors.Is(err, core.ErrSyntax) {
		return nil, &env.ExitError{Code: env.Usage, Err: err}
	}
	if err != nil {
		return nil, &env.ExitError{Code: env.Failed, Err: err}
	}
	Complain(e, s.Problems)
	return s, nil
}

// IsInterrupted reports whether a sweep ended because of a signal or deadline.
func IsInterrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
