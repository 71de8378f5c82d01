package sim

import (
	"fmt"
	"os"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// The methods below change the fabric while it runs, as people and broken
// hardware do. They may be called at any time, by any goroutine. What they
// change shows at once, in what the agents tell and where packets go; switches
// note it in PortStateChange and send traps. The model does not change.
//
// A place that is not there is an Error that wraps os.ErrNotExist.

// at finds a port.
func (s *Fabric) at(op string, at Place) (*port, error) {
	n, err := s.node(op, at.Node)
	if err != nil {
		return nil, err
	}
	p := n.port(at.Port)
	if p == nil || at.Port == 0 && !n.isSwitch {
		return nil, &Error{
			Op: op, Obj: fmt.Sprintf("node %s port %d", at.Node.GUID(), at.Port),
			Err: fmt.Errorf("the node has ports 1…%d: %w", at.Node.NumPorts(), os.ErrNotExist),
		}
	}
	return p, nil
}

func (s *Fabric) node(op string, n *fabric.Node) (*node, error) {
	if n == nil || n.Index() >= len(s.nodes) || s.nodes[n.Index()].model != n {
		return nil, &Error{Op: op, Obj: "node", Err: fmt.Errorf("it is not of this fabric: %w", os.ErrNotExist)}
	}
	return &s.nodes[n.Index()], nil
}

// change carries out what changes ports, and sends the traps.
func (s *Fabric) change(op string, at Place, do func(*port) error) error {
	p, err := s.at(op, at)
	if err != nil {
		return err
	}
	defer s.traps.flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	return do(p)
}

// LinkDown breaks the cable at a port: the link goes down at both ends, and
// stays down until LinkUp.
func (s *Fabric) LinkDown(at Place) error {
	return s.change("link down", at, func(p *port) error {
		p.mark(quickCut, true)
		s.fail(p)
		return nil
	})
}

// LinkUp mends what LinkDown broke, at either end. The link trains if both
// ends poll.
func (s *Fabric) LinkUp(at Place) error {
	return s.change("link up", at, func(p *port) error {
		p.mark(quickCut, false)
		if peer := p.peer.Load(); peer != nil {
			peer.mark(quickCut, false)
		}
		s.train(p)
		return nil
	})
}

// fail takes the link at p down for both ends alike.
func (s *Fabric) fail(p *port) {
	if !p.isUp() {
		return
	}
	v := s.portInfo(p)
	phys := v.LinkDownDefault
	fill(&phys, ib.PhysPolling)
	s.goDown(p, phys)
	s.stateChanged(p)
}

// Unlink pulls the cable at a port, if there is one.
func (s *Fabric) Unlink(at Place) error {
	return s.change("unlink", at, func(p *port) error {
		peer := p.peer.Load()
		if peer == nil {
			return nil
		}
		s.fail(p)
		delete(s.limits, p)
		delete(s.limits, peer)
		p.peer.Store(nil)
		p.mark(quickCut, false)
		if peer.peer.Load() == p {
			peer.peer.Store(nil)
			peer.mark(quickCut, false)
		}
		s.settle(p)
		s.settle(peer)
		return nil
	})
}

// settle writes down the state of a port that lost its cable, so that it no
// longer counts as up because nobody ever told.
func (s *Fabric) settle(p *port) {
	if p.info.Load() == nil {
		v := s.portInfo(p)
		s.publish(p, &v)
	}
}

// Link plugs a cable in. A port that has one already, or port 0 of a switch, is
// an Error that wraps os.ErrInvalid.
func (s *Fabric) Link(a, b Place) error {
	far, err := s.at("link", b)
	if err != nil {
		return err
	}
	return s.change("link", a, func(p *port) error {
		for _, end := range [...]*port{p, far} {
			if end.peer.Load() != nil || end.num == 0 {
				return &Error{
					Op: "link", Obj: fmt.Sprintf("node %s port %d", end.node.guid(), end.num),
					Err: fmt.Errorf("the port has a cable, or can have none: %w", os.ErrInvalid),
				}
			}
		}
		s.settle(p)
		s.settle(far)
		p.peer.Store(far)
		far.peer.Store(p)
		s.train(p)
		return nil
	})
}

// KillNode takes a node's power: it does not answer or forward, and all its
// links go down.
func (s *Fabric) KillNode(n *fabric.Node) error {
	return s.changeNode("kill", n, s.kill)
}

// ReviveNode brings a node back that KillNode took, as after power-on: without
// LID, forwarding tables or anything else that was set. Its links train.
func (s *Fabric) ReviveNode(n *fabric.Node) error {
	return s.changeNode("revive", n, s.revive)
}

func (s *Fabric) changeNode(op string, n *fabric.Node, do func(*node)) error {
	own, err := s.node(op, n)
	if err != nil {
		return err
	}
	defer s.traps.flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	do(own)
	return nil
}

func (s *Fabric) kill(n *node) {
	if n.isDead.Swap(true) {
		return
	}
	for i := range n.ports {
		if p := &n.ports[i]; p.peer.Load() != nil {
			s.fail(p)
		}
	}
}

func (s *Fabric) revive(n *node) {
	if !n.isDead.Swap(false) {
		return
	}
	s.reset(n)
	for i := range n.ports {
		s.train(&n.ports[i])
	}
}

// SetNodeDescription changes the text, of which 64 bytes are kept. The node's
// ports that have LIDs send trap 144.
func (s *Fabric) SetNodeDescription(n *fabric.Node, text string) error {
	return s.changeNode("describe", n, func(own *node) { s.describe(own, text) })
}

func (s *Fabric) describe(n *node, text string) {
	var v smp.NodeDescription
	v.SetString(text)
	var b [mad.DataSize]byte
	v.Encode(&b)
	n.description.Store(&b)
	for i := range n.ports {
		if p := &n.ports[i]; n.keeper(i) == p && (i != 0 || n.isSwitch) {
			s.notifyChange(p, changedDescription)
		}
	}
}

// Replacement is new hardware in a node's place. It has the ports and the
// abilities of the old.
type Replacement struct {
	GUID        ib.GUID // of the node; port i of an adapter has GUID+i. 0 keeps the old
	Description string  // "" keeps the old
	Revision    uint32  // 0 keeps the old
}

// ReplaceNode puts other hardware in a node's place: its links go down, and
// come up as after power-on.
func (s *Fabric) ReplaceNode(n *fabric.Node, with Replacement) error {
	return s.changeNode("replace", n, func(own *node) {
		s.kill(own)
		b := *own.nodeInfo()
		var v smp.NodeInfo
		v.Decode(&b)
		if with.GUID != 0 {
			v.NodeGUID, v.PortGUID, v.SystemImageGUID = with.GUID, with.GUID, with.GUID
		}
		if with.Revision != 0 {
			v.Revision = with.Revision
		}
		v.Encode(&b)
		if with.GUID != 0 {
			own.identity.Store(&b)
		}
		if with.Description != "" {
			s.describe(own, with.Description)
		}
		s.revive(own)
	})
}
