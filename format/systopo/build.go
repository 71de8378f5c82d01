package systopo

import (
	"maps"
	"slices"

	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// inventedGUID is the GUID of the first node. The bit for locally administered
// identifiers is set in it, so no device has it.
const inventedGUID ib.GUID = 0x0200_0000_0000_0001

// build tells the nodes and links of all systems.
func (d *topoReader) build() error {
	total, nodes := 0, 0
	plain := make(map[string]*flat) // of systems as defined, by type
	for _, i := range d.order {
		f := plain[i.typ]
		if f == nil || i.modifiers != nil {
			var err error
			if f, err = d.flatten(i); err != nil {
				return err
			}
			if i.modifiers == nil && d.systems.Has(i.typ) {
				plain[i.typ] = f
			}
		}
		i.flat, i.first = f, nodes
		nodes += len(f.nodes)
		for _, n := range f.nodes {
			total += n.ports + 1
		}
		if total > lines.MaxPorts {
			return facts.ErrTooLarge
		}
	}
	for _, i := range d.order {
		d.tellSystem(i)
	}
	for _, c := range d.cables {
		d.tellCable(c)
	}
	return nil
}

// flatten dissolves a system; one without definition is a node.
func (d *topoReader) flatten(i *instance) (*flat, error) {
	if d.systems.Has(i.typ) {
		return d.systems.expand(i.typ, i.modifiers)
	}
	if !d.unknown[i.typ] {
		d.unknown[i.typ] = true
		d.Bad(i.line, "no definition of system type %q; each is read as one node with the ports that are named", i.typ)
	}
	n := node{path: "U1", typ: ib.NodeCA}
	f := &flat{ports: make(map[string]end)}
	var others []string
	for _, name := range slices.Sorted(maps.Keys(i.named)) {
		if num, ok := portNumber(name); ok {
			f.ports[name] = end{port: num}
			n.ports = max(n.ports, num)
		} else {
			others = append(others, name)
		}
	}
	for _, name := range others {
		if n.ports == maxPort {
			break
		}
		n.ports++
		f.ports[name] = end{port: n.ports}
	}
	const caPorts = 2
	if n.ports > caPorts {
		n.typ = ib.NodeSwitch
	}
	f.nodes = []node{n}
	return f, nil
}

const maxPort = 254

func (i *instance) guid(node int) ib.GUID { return inventedGUID + ib.GUID(i.first+node) }

func (d *topoReader) tellSystem(i *instance) {
	for k, n := range i.flat.nodes {
		var fact facts.Fact
		fact.Set(facts.NodeField("NodeType"), uint64(n.typ))
		fact.Set(facts.NodeField("NumPorts"), uint64(n.ports))
		fact.Set(facts.NodeField("SystemImageGUID"), uint64(i.guid(0)))
		d.Node(i.line, i.guid(k), &fact)
		d.Describe(i.line, i.guid(k), i.name+"/"+n.path)
	}
	for _, l := range i.flat.links {
		r := l.a.rate
		d.tellLink(i.line, facts.End{Node: i.guid(l.a.node), Port: l.a.port}, facts.End{Node: i.guid(l.b.node), Port: l.b.port}, r)
	}
}

func (d *topoReader) tellCable(c cable) {
	a, okA := c.a.flat.ports[c.pa]
	b, okB := c.b.flat.ports[c.pb]
	for _, side := range []struct {
		ok   bool
		i    *instance
		port string
	}{{okA, c.a, c.pa}, {okB, c.b, c.pb}} {
		if !side.ok {
			d.Bad(c.line, "system %q of type %q has no port %q; the cable is left out", side.i.name, side.i.typ, side.port)
			return
		}
	}
	d.tellLink(c.line, facts.End{Node: c.a.guid(a.node), Port: a.port}, facts.End{Node: c.b.guid(b.node), Port: b.port}, c.rate)
}

// tellLink tells a link that is planned: it has a rate where the plan says one,
// and no state.
func (d *topoReader) tellLink(line int, a, b facts.End, r rate) {
	var fact facts.Fact
	fact.Link(r.width, r.speed)
	d.Port(line, a.Node, a.Port, &fact)
	d.Port(line, b.Node, b.Port, &fact)
	d.Link(line, a, b)
}
