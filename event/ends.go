package event

import (
	"cmp"
	"strconv"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// portKey is a port, in whatever fabric.
type portKey struct {
	node ib.GUID
	num  int
}

func portOf(p *fabric.Port) portKey { return portKey{p.Node().GUID(), p.Num()} }

// linkKey is a link by both its ends, the lower one first.
type linkKey [2]portKey

func keyOf(l fabric.Link) linkKey { return between(portOf(l.A), portOf(l.B)) }

func between(p, q portKey) linkKey {
	if cmp.Or(cmp.Compare(p.node, q.node), cmp.Compare(p.num, q.num)) > 0 {
		p, q = q, p
	}
	return linkKey{p, q}
}

// side is which end of a link a port is.
func (k linkKey) side(p portKey) int {
	if k[0] == p {
		return 0
	}
	return 1
}

// span is a time in which something happened.
type span struct{ from, to time.Time }

func (s span) overlaps(o span) bool { return !s.from.After(o.to) && !o.from.After(s.to) }

// node is a node as an end.
func (d *Detector) node(n *fabric.Node) End {
	e := End{GUID: n.GUID(), Type: n.Type(), Name: n.Description(), Port: -1, Position: n.Slot().String()}
	if d.opts.Name != nil {
		if name, ok := d.opts.Name(n); ok {
			e.Name = name
		}
	}
	for p := range n.Ports() {
		if e.LID = p.LID(); e.LID != 0 {
			break
		}
	}
	return e
}

// port is a port as an end, the zero End for nil.
func (d *Detector) port(p *fabric.Port) End {
	if p == nil {
		return End{}
	}
	e := d.node(p.Node())
	e.Port, e.LID, e.Label = p.Num(), p.LID(), label(p)
	return e
}

// label is what stands beside a port, "" if that is its number.
func label(p *fabric.Port) string {
	if l := topology.PortLabel(p); l != strconv.Itoa(p.Num()) {
		return l
	}
	return ""
}

// ends are both ends of a link: an adapter first, for that is whom people look for, else
// the lower GUID, so that it does not matter from where somebody looks.
func (d *Detector) ends(p, q *fabric.Port) (at, to End) {
	if q != nil {
		a, b := p.Node().Type() == ib.NodeSwitch, q.Node().Type() == ib.NodeSwitch
		if a && !b || a == b && comparePorts(portOf(p), portOf(q)) > 0 {
			p, q = q, p
		}
	}
	return d.port(p), d.port(q)
}

// place fills in where a node is: its only link, or all of them.
func (d *Detector) place(e *Event, n *fabric.Node) {
	e.At = d.node(n)
	var only *fabric.Port
	links := 0
	for p := range n.Ports() {
		if p.Remote() != nil {
			only = p
			links++
		}
	}
	if links == 1 {
		e.At, e.To = d.port(only), d.port(only.Remote())
		return
	}
	for p := range n.Ports() {
		if r := p.Remote(); r != nil {
			e.Links = append(e.Links, Link{Port: p.Num(), Label: label(p), To: d.port(r)})
		}
	}
}

// short is an end in a word or two, for Old and New: name, or GUID, and port.
func short(e End) string {
	name := e.Name
	if name == "" {
		name = e.GUID.String()
	}
	if e.Port >= 0 {
		name += " port " + strconv.Itoa(e.Port)
	}
	return name
}
