package portcontrol

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/resolve"
)

// ErrTooFar is the error of Peer when the directed route to the other end would
// have more than ib.MaxHops hops.
var ErrTooFar = errors.New("the other end of the link is beyond the longest directed route")

// Peer reads the port at the other end of the link at p, through p. Of a node
// that was asked by LID it must be a switch: the way begins there. Failures are
// as with Read; ErrTooFar, or a *resolve.Error, is one of the way.
func (p *Port) Peer(ctx context.Context, c *madrpc.Client, o *Options) (*Port, error) {
	to, err := p.peerTarget(ctx, c)
	if err != nil {
		return nil, err
	}
	q := &Port{Target: to}
	if q.Node, err = madrpc.GetSMP[smp.NodeInfo](ctx, c, to, 0); err != nil {
		return q, err
	}
	q.Num = int(q.Node.LocalPort)
	return q, q.read(ctx, c, o)
}

// peerTarget is the route to p prolonged by one hop.
func (p *Port) peerTarget(ctx context.Context, c *madrpc.Client) (mad.Target, error) {
	to := p.Target
	path, ok := to.Path.Append(uint8(p.Num))
	if !ok {
		return to, ErrTooFar
	}
	if to.LID != 0 && !to.IsDirected() {
		return resolve.Combined(ctx, c, to.LID, path)
	}
	to.Path = path
	return to, nil
}
