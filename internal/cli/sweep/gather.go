package sweep

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/madrpc"
)

// Live is a fabric that answers requests, with the options of a sweep of it.
type Live struct {
	URI     string
	Client  *madrpc.Client
	Options *discover.Options
}

// Gather opens the live fabric that the flags name and calls get with it, within
// the deadline; it gives what get returns. An *env.ExitError is a mistake of usage,
// or a fabric that cannot be opened or is stored in a file.
func (f *Flags) Gather(ctx context.Context, e *env.Env, get func(context.Context, *Live) error) error {
	o, err := f.Options(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx) // interrupts end the work, not the process; see Open
	defer cancel()
	if f.Deadline > 0 {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, f.Deadline)
		defer end()
	}
	uri := f.URI(e)
	s, err := OpenSource(ctx, e, uri, &f.Capture)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Transport == nil {
		return env.Exitf(env.Usage, "%s is stored: there is no subnet manager to ask", uri)
	}
	line := newProgressLine(e)
	defer line.erase()
	o.Progress, o.Source = line.update, uri
	client := newClient(s.Transport, o)
	defer client.Close()
	return get(ctx, &Live{URI: uri, Client: client, Options: o})
}
