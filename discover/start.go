package discover

import (
	"context"
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// findStart turns the ways to name a start into one that a sweep can use: a
// directed route, or a LID with the sender's own LID beside it.
func findStart(ctx context.Context, client *madrpc.Client, opts *Options) error {
	if opts.FromGUID != 0 {
		path, err := pathToGUID(ctx, client, opts)
		if err != nil {
			return &Error{Op: "find start", Err: err}
		}
		opts.From, opts.FromGUID = mad.ByPath(path), 0
	}
	if opts.From.LID == 0 {
		return nil
	}
	own, err := ownLID(ctx, client)
	if err != nil {
		return &Error{Op: "find start", Err: err}
	}
	opts.From.SLID = own
	if opts.From.Path.Len() > 0 {
		return nil
	}
	info, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, opts.From, 0)
	if err != nil {
		return &Error{Op: "start", Err: err}
	}
	if info.NodeType != ib.NodeSwitch {
		// No directed route goes on from a channel adapter that was reached by LID.
		// The switches' own tables tell the directed route to it.
		if path, err := pathToLID(ctx, client, opts.From.LID); err == nil {
			opts.From = mad.ByPath(path)
		}
	}
	return nil
}

// ownLID is the LID of the local port.
func ownLID(ctx context.Context, client *madrpc.Client) (ib.LID, error) {
	local, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, mad.Target{}, 0)
	if err != nil {
		return 0, err
	}
	info, err := ownPortInfo(ctx, client, mad.Target{}, local)
	return info.LID, err
}

// ownPortInfo is the PortInfo that holds the LID of the node at a target: of
// port 0 on a switch, elsewhere of the port that was arrived at.
func ownPortInfo(ctx context.Context, client *madrpc.Client, at mad.Target, node smp.NodeInfo) (smp.PortInfo, error) {
	port := uint32(node.LocalPort)
	if node.NodeType == ib.NodeSwitch {
		port = 0
	}
	return madrpc.GetSMP[smp.PortInfo](ctx, client, at, port)
}

// pathToGUID is the directed route to a node or port GUID: from a fabric that is
// known, else from a sweep of its own.
func pathToGUID(ctx context.Context, client *madrpc.Client, opts *Options) (ib.DRPath, error) {
	f := opts.Known
	if f == nil {
		var err error
		f, err = Walk(ctx, client, &Options{MaxOutstanding: opts.MaxOutstanding, MaxPerTarget: opts.MaxPerTarget, NoExtendedPortInfo: true})
		if err != nil {
			return ib.DRPath{}, err
		}
	}
	n, ok := f.NodeByGUID(opts.FromGUID)
	if !ok {
		var p *fabric.Port
		if p, ok = f.PortByGUID(opts.FromGUID); ok {
			n = p.Node()
		}
	}
	if !ok {
		return ib.DRPath{}, fmt.Errorf("%w: %s", ErrNotFound, opts.FromGUID)
	}
	path, ok := n.Path()
	if !ok {
		return ib.DRPath{}, fmt.Errorf("the known fabric has no directed route to node %s", n.GUID())
	}
	return path, nil
}

// pathToLID follows the switches' linear forwarding tables from the local port
// to the owner of a LID.
func pathToLID(ctx context.Context, client *madrpc.Client, lid ib.LID) (ib.DRPath, error) {
	var path ib.DRPath
	for {
		at := mad.ByPath(path)
		node, err := madrpc.GetSMP[smp.NodeInfo](ctx, client, at, 0)
		if err != nil {
			return path, err
		}
		out, err := outPort(ctx, client, at, node, lid)
		if err != nil || out == 0 {
			return path, err
		}
		longer, ok := path.Append(out)
		if !ok {
			return path, fmt.Errorf("no route to LID %d within %d hops", lid, ib.MaxHops)
		}
		path = longer
	}
}

// outPort is the port through which a node forwards to a LID, 0 when the node
// owns the LID itself.
func outPort(ctx context.Context, client *madrpc.Client, at mad.Target, node smp.NodeInfo, lid ib.LID) (uint8, error) {
	info, err := ownPortInfo(ctx, client, at, node)
	if err != nil {
		return 0, err
	}
	if info.LID != 0 && lid>>info.LMC == info.LID>>info.LMC {
		return 0, nil
	}
	if node.NodeType != ib.NodeSwitch {
		if at.Path.Len() > 0 {
			return 0, fmt.Errorf("the forwarding tables lead LID %d to node %s, which does not own it", lid, node.NodeGUID)
		}
		return node.LocalPort, nil
	}
	table, err := madrpc.GetSMP[smp.LinearForwardingTable](ctx, client, at, uint32(lid)/smp.LIDsPerBlock)
	if err != nil {
		return 0, err
	}
	out := table.Ports[lid%smp.LIDsPerBlock]
	if out == 0 || out == smp.NoPort || out > node.NumPorts {
		return 0, fmt.Errorf("switch %s has no forwarding entry for LID %d", node.NodeGUID, lid)
	}
	return out, nil
}
