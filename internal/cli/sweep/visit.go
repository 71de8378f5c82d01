package sweep

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/madrpc"
)

// Visited is a fabric that has been swept, and the client to ask it for more.
type Visited struct {
	URI    string
	Fabric *fabric.Fabric
	Client *madrpc.Client // nil for a stored fabric
	Early  error          // why the sweep ended early, nil if it did not

	// Snapshot has what else is stored, where the fabric is from a snapshot.
	Snapshot *snapshot.Snapshot
}

// Visit opens the fabric that the flags name, live or stored, sweeps it, and calls
// use with it while the client is open, within the deadline; it gives what use
// returns. An *env.ExitError is a mistake of usage, or a fabric of which nothing
// could be had.
func (f *Flags) Visit(ctx context.Context, e *env.Env, use func(context.Context, *Visited) error) error {
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
	v := &Visited{URI: f.URI(e)}
	s, err := OpenSource(ctx, e, v.URI, &f.Capture)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Stored != nil {
		v.Fabric, v.Snapshot = s.Stored, s.Snapshot
		live.Remember(e, v.URI, v.Fabric)
		return use(ctx, v)
	}
	v.Client = newClient(s.Transport, o)
	defer v.Client.Close()
	if v.Fabric, v.Early = Walk(ctx, e, v.URI, v.Client, o); v.Fabric.NumNodes() == 0 && v.Early != nil {
		return &env.ExitError{Code: env.Failed, Err: v.Early}
	}
	return use(ctx, v)
}

func newClient(t madrpc.Transport, o *discover.Options) *madrpc.Client {
	limits := ClientOptions(o)
	return madrpc.New(t, &limits)
}

// ClientOptions are the limits of a sweep as those of a client.
func ClientOptions(o *discover.Options) madrpc.Options {
	return madrpc.Options{
		Timeout: o.Timeout, Retries: o.Retries, MKey: o.MKey,
		MaxOutstanding: o.MaxOutstanding, MaxPerTarget: o.MaxPerTarget, Rate: o.Rate,
	}
}
