package ownpath

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/madrpc/trace"
)

// Role says why a client needs a port.
type Role int

// The roles, in the order in which they count.
const (
	Local   Role = iota + 1 // the port by which the client's requests leave
	Peer                    // the other end of the link at the local port
	Between                 // a port on the way to the target, or back
)

// Port is a port that carries requests of the client.
type Port struct {
	Node ib.GUID // of the node
	Num  int     // never 0
	Role Role
}

// Ports are the ports on the way from a client to a target. Each is there once.
type Ports []Port

// Find looks for a port of a node.
func (p Ports) Find(node ib.GUID, num int) (Port, bool) {
	for _, port := range p {
		if port.Node == node && port.Num == num {
			return port, true
		}
	}
	return Port{}, false
}

// add notes a port. Port 0 of a switch has no link and cannot be on a way.
func (p *Ports) add(node ib.GUID, num int, role Role) {
	if num == 0 {
		return
	}
	if _, ok := p.Find(node, num); !ok {
		*p = append(*p, Port{node, num, role})
	}
}

// To finds the ports on the way to a target: along a directed route, hop by hop;
// to a LID, along the forwarding tables there and back, which may be two ways. The
// client's own link is always among them, as far as it leads anywhere.
//
// With an error the ports found so far are given too. It is one of
// madrpc.Client.Do, or a *trace.Error where tables do not lead to their goal.
func To(ctx context.Context, c *madrpc.Client, to mad.Target) (Ports, error) {
	w := walk{client: c}
	local, err := madrpc.GetSMP[smp.NodeInfo](ctx, c, mad.Target{}, 0)
	if err != nil {
		return nil, err
	}
	if local.NodeType != ib.NodeSwitch {
		w.ports.add(local.NodeGUID, int(local.LocalPort), Local)
		w.ownLink(ctx, local.LocalPort)
	}
	if to.LID != 0 {
		if err := w.routed(ctx, &local, to.LID); err != nil {
			return w.ports, err
		}
	}
	return w.ports, w.directed(ctx, to)
}

type walk struct {
	client *madrpc.Client
	ports  Ports
}

// ownLink notes the other end of the own link. A link that is down has none.
func (w *walk) ownLink(ctx context.Context, port uint8) {
	path, _ := ib.DRPath{}.Append(port)
	if peer, err := madrpc.GetSMP[smp.NodeInfo](ctx, w.client, mad.ByPath(path), 0); err == nil {
		w.ports.add(peer.NodeGUID, int(peer.LocalPort), Peer)
	}
}

// directed follows the directed part of a route.
func (w *walk) directed(ctx context.Context, to mad.Target) error {
	at := to
	at.Path, at.Directed = ib.DRPath{}, true
	for i := range to.Path.Len() {
		node, err := madrpc.GetSMP[smp.NodeInfo](ctx, w.client, at, 0)
		if err != nil {
			return err
		}
		out := to.Path.Hop(i)
		if at.Path, _ = at.Path.Append(uint8(out)); node.NodeType != ib.NodeSwitch {
			out = int(node.LocalPort) // the only way, whatever the hop says
		}
		next, err := madrpc.GetSMP[smp.NodeInfo](ctx, w.client, at, 0)
		if err != nil {
			return err
		}
		w.ports.add(node.NodeGUID, out, Between)
		w.ports.add(next.NodeGUID, int(next.LocalPort), Between)
	}
	return nil
}

// routed follows the forwarding tables to a LID, and from there to the own LID.
func (w *walk) routed(ctx context.Context, local *smp.NodeInfo, lid ib.LID) error {
	num := uint32(local.LocalPort)
	if local.NodeType == ib.NodeSwitch {
		num = 0
	}
	own, err := madrpc.GetSMP[smp.PortInfo](ctx, w.client, mad.Target{}, num)
	if err != nil || own.LID == lid {
		return err
	}
	there, err := w.follow(ctx, ib.DRPath{}, lid)
	if err != nil {
		return err
	}
	_, err = w.follow(ctx, there, own.LID)
	return err
}

func (w *walk) follow(ctx context.Context, from ib.DRPath, lid ib.LID) (ib.DRPath, error) {
	t := trace.Tracer{Client: w.client}
	var at ib.GUID
	return t.Unicast(ctx, from, mad.ByLID(lid), trace.Way{
		From: func(s *trace.Stop) { at = s.Node.NodeGUID },
		Hop: func(out uint8, to *trace.Stop) {
			w.ports.add(at, int(out), Between)
			at = to.Node.NodeGUID
			w.ports.add(at, int(to.Num), Between)
		},
	})
}
