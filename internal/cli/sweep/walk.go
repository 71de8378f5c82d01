package sweep

import (
	"context"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/live"
	"github.com/ibscope/ibscope/madrpc"
)

// Walk sweeps the fabric that a client is open for, by that URI, as Open does. The
// client stays open, for what else there is to ask.
func Walk(ctx context.Context, e *env.Env, uri string, client *madrpc.Client, o *discover.Options) (*fabric.Fabric, error) {
	line := newProgressLine(e)
	defer line.erase()
	if o.Progress == nil {
		o.Progress = line.update
	}
	o.Source = uri
	f, err := discover.Walk(ctx, client, o)
	live.Remember(e, uri, f)
	return f, err
}
