package simserve

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// network is a simulated fabric as package ibsim wants one to serve.
type network struct {
	sim    *sim.Fabric
	home   *fabric.Node // for clients that name no node
	port   int          // for these: the port; 0 is the first
	first  int          // which port of a CA is the first: 1, or 0 for one with a link
	byName map[string]*fabric.Node
	ids    map[*fabric.Node]string // of nodes that the file gives an id of its own
	silent bool                    // requests that get lost are not given back
}

// newNetwork indexes the names by which clients may ask for a node. In a fabric
// from a file of ibsim clients are attached as ibsim does it: by default to the
// first node, and always to port 1 of a CA.
func newNetwork(s *sim.Fabric, home *fabric.Node, headers []header) *network {
	n := &network{sim: s, home: home, byName: map[string]*fabric.Node{}, ids: map[*fabric.Node]string{}}
	n.first = min(1, len(headers))
	for node := range s.Model().Nodes() {
		n.name(node.Description(), node)
	}
	for _, h := range headers {
		if node := h.find(n); node != nil {
			n.byName[h.id] = node // ids come before descriptions
			n.ids[node] = h.id
		}
	}
	return n
}

// name adds a name; a node that had it before keeps it.
func (n *network) name(name string, node *fabric.Node) {
	if _, taken := n.byName[name]; !taken && name != "" {
		n.byName[name] = node
	}
}

// maxAsked is how much of a name the protocol carries.
const maxAsked = 31

// find is the node with that id, description or GUID. Ids like those in the
// output of ibnetdiscover ("H-" and the GUID) stand for every node.
func (n *network) find(name string) *fabric.Node {
	if name == "" {
		return n.home
	}
	if node := n.byName[name]; node != nil {
		return node
	}
	digits := name
	if len(name) > 2 && strings.ContainsRune("HSR", rune(name[0])) && name[1] == '-' {
		digits = "0x" + name[2:]
	}
	if guid, err := ib.ParseGUID(digits); err == nil {
		if node, ok := n.sim.Model().NodeByGUID(guid); ok {
			return node
		}
	}
	if len(name) == maxAsked {
		return n.findCut(name)
	}
	return nil
}

// findCut looks for the only name that begins with the part that a client could
// send.
func (n *network) findCut(prefix string) *fabric.Node {
	var found *fabric.Node
	for name, node := range n.byName {
		if strings.HasPrefix(name, prefix) {
			if found != nil && found != node {
				return nil
			}
			found = node
		}
	}
	return found
}

// Attach opens a port for a client.
func (n *network) Attach(name string, arrive func(*mad.Packet, mad.Addr, error)) (ibsim.NetworkPort, error) {
	node := n.find(name)
	if node == nil {
		return nil, fmt.Errorf("%w: %q", ibsim.ErrNoNode, name)
	}
	num := 0
	switch {
	case node == n.home && n.port != 0:
		num = n.port
	case node.Type() != ib.NodeSwitch:
		num = n.first
	}
	port, err := n.sim.AttachAt(node.GUID().String(), num)
	if err != nil {
		return nil, err
	}
	if !n.silent {
		port.ReturnLost()
	}
	port.Receive(arrive)
	p := &networkPort{Port: port, id: n.id(node)}
	p.late.Go(func() { p.receiveLate(arrive) })
	return p, nil
}

// id is what the file calls the node, else what ibnetdiscover would.
func (n *network) id(node *fabric.Node) string {
	if id, ok := n.ids[node]; ok {
		return id
	}
	letter := "H"
	switch node.Type() {
	case ib.NodeSwitch:
		letter = "S"
	case ib.NodeRouter:
		letter = "R"
	}
	return fmt.Sprintf("%s-%016x", letter, uint64(node.GUID()))
}

// networkPort is the port of a client.
type networkPort struct {
	*sim.Port
	id   string
	late sync.WaitGroup
}

// receiveLate hands over what a latency has delayed, until the port is closed.
func (p *networkPort) receiveLate(arrive func(*mad.Packet, mad.Addr, error)) {
	var m mad.Packet
	for {
		from, err := p.Recv(&m)
		var lost *mad.SendError
		if err != nil && !errors.As(err, &lost) {
			return
		}
		arrive(&m, from, err)
	}
}

// Close closes the port, after which nothing arrives late.
func (p *networkPort) Close() error {
	p.SetIsSM(false)
	err := p.Port.Close()
	p.late.Wait()
	return err
}

func (p *networkPort) NodeID() string { return p.id }
