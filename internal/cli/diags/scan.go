package diags

import (
	"context"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/madrpc"
)

// Scan sweeps the fabric, or the part of it around the node that Locate has found:
// everything where that part cannot be swept. What could not be read is told on
// stderr, all of it. The error says why a sweep did not come to its end; the
// fabric beside it is what was known by then.
func (a *Around) Scan(ctx context.Context, c *Common, client *madrpc.Client) (*fabric.Fabric, error) {
	f, err := a.scan(ctx, c, client)
	if err != nil && a.partial && !sweep.IsInterrupted(err) {
		a.warn(c, a.Again)
		a.partial = false
		f, err = a.scan(ctx, c, client)
	}
	return f, err
}

func (a *Around) scan(ctx context.Context, c *Common, client *madrpc.Client) (*fabric.Fabric, error) {
	f, err := sweep.Walk(ctx, c.env, c.Fabric(), client, a.options(c))
	c.FabricProblems(f.Problems())
	for _, p := range f.Problems() {
		c.env.Complain("%s: %v", p.Kind, p)
	}
	if err != nil {
		c.Problem(err)
		c.env.Complain("%v", err)
	}
	return f, err
}
