package sim

import (
	"fmt"
	"os"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Attach opens the port at of the simulated fabric; nil is the default: the
// port that the fabric was swept from, else the first CA port with a link, else
// the first node. On a switch it is always port 0, where management software
// on a switch lives.
//
// Any number of ports may be open at once, also several at one place.
func (s *Fabric) Attach(at *fabric.Port) (*Port, error) {
	if at == nil {
		return s.attachDefault()
	}
	return s.attach(at.Node(), at.Num())
}

// AttachAt opens port num of the node with that GUID or description. An empty
// name is the default place of Attach, and num 0 the node's first port (of a
// CA: the first with a link). A node that is not there, or a port beyond its
// last, is an Error that wraps os.ErrNotExist.
func (s *Fabric) AttachAt(name string, num int) (*Port, error) {
	if name == "" {
		return s.attachDefault()
	}
	n := s.find(name)
	if n == nil {
		return nil, &Error{
			Op: "attach", Obj: fmt.Sprintf("node %q", name),
			Err: fmt.Errorf("no node has that GUID or description: %w", os.ErrNotExist),
		}
	}
	if num == 0 && n.Type() != ib.NodeSwitch {
		num = firstPort(n)
	}
	return s.attach(n, num)
}

func (s *Fabric) attachDefault() (*Port, error) {
	if p := s.model.Start(); p != nil {
		return s.attach(p.Node(), p.Num())
	}
	for n := range s.model.CAs() {
		for p := range n.Ports() {
			if p.Remote() != nil {
				return s.attach(n, p.Num())
			}
		}
	}
	for n := range s.model.Nodes() {
		return s.attach(n, firstPort(n))
	}
	return nil, &Error{Op: "attach", Err: fmt.Errorf("the fabric has no nodes: %w", os.ErrNotExist)}
}

func (s *Fabric) attach(n *fabric.Node, num int) (*Port, error) {
	isSwitch := n.Type() == ib.NodeSwitch
	if num < 0 || num > n.NumPorts() || num == 0 && !isSwitch {
		return nil, &Error{
			Op: "attach", Obj: fmt.Sprintf("node %s port %d", n.GUID(), num),
			Err: fmt.Errorf("the node has ports 1…%d: %w", n.NumPorts(), os.ErrNotExist),
		}
	}
	if isSwitch {
		num = 0
	}
	return newPort(s, n, uint8(num)), nil
}

// find gives the node with that GUID, else the first with that description.
func (s *Fabric) find(name string) *fabric.Node {
	if guid, err := ib.ParseGUID(name); err == nil {
		if n, ok := s.model.NodeByGUID(guid); ok {
			return n
		}
	}
	for n := range s.model.Nodes() {
		if n.Description() == name {
			return n
		}
	}
	return nil
}

// firstPort is the number of the first port with a link, else of the first.
func firstPort(n *fabric.Node) int {
	if n.Type() == ib.NodeSwitch {
		return 0
	}
	for p := range n.Ports() {
		if p.Remote() != nil {
			return p.Num()
		}
	}
	return 1
}
