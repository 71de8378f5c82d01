package systopo

import (
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// flat is a system with all subsystems dissolved into nodes.
type flat struct {
	nodes []node
	links []link
	ports map[string]end // ports of the system, by their names
}

// node is a node within a system.
type node struct {
	path  string // "leaf1/U1"
	typ   ib.NodeType
	ports int
}

// end is a port of a node, by its index in flat.nodes.
type end struct {
	node int
	port int
	rate rate
}

type link struct{ a, b end }

// removed is the modifier of a subsystem that is not there.
const removed = "R"

// expand dissolves a system. A topology may modify subsystems, by their names:
// leave them out, or choose another flavor of board.
func (s *Systems) expand(typ string, modifiers map[string]string) (*flat, error) {
	d := dissolver{Systems: s, modifiers: modifiers}
	return d.dissolve(s.byType[typ], "", 0)
}

type dissolver struct {
	*Systems
	modifiers map[string]string
	ports     int // of all nodes so far
}

func (d *dissolver) dissolve(def *system, prefix string, depth int) (*flat, error) {
	if depth > maxDepth {
		return nil, ErrDeep
	}
	f := &flat{ports: make(map[string]end)}
	inner := make(map[string]*flat) // by the name of the part
	for _, p := range def.parts {
		path := prefix + p.name
		if d.ports++; d.ports > lines.MaxPorts {
			return nil, lines.ErrTooLarge
		}
		if p.isNode {
			if d.ports += p.ports; d.ports > lines.MaxPorts {
				return nil, lines.ErrTooLarge
			}
			inner[p.name] = &flat{nodes: []node{{path, p.typ, p.ports}}}
			f.add(inner[p.name])
			continue
		}
		sub := d.find(p, d.modifiers[path])
		if sub == nil || d.modifiers[path] == removed {
			continue
		}
		part, err := d.dissolve(sub, path+"/", depth+1)
		if err != nil {
			return nil, err
		}
		inner[p.name] = part
		f.add(part)
	}
	f.connect(def, inner)
	return f, nil
}

// add takes the nodes and links of a part over, and makes its ends count in f.
func (f *flat) add(part *flat) {
	offset := len(f.nodes)
	f.nodes = append(f.nodes, part.nodes...)
	for _, l := range part.links {
		l.a.node += offset
		l.b.node += offset
		f.links = append(f.links, l)
	}
	for name, e := range part.ports {
		e.node += offset
		part.ports[name] = e
	}
	if part.ports == nil { // a node
		part.ports = make(map[string]end, part.nodes[0].ports)
		for num := 1; num <= part.nodes[0].ports; num++ {
			part.ports[strconv.Itoa(num)] = end{node: offset, port: num}
		}
	}
}

// connect adds the wires of a definition. Each wire between two parts stands in
// both of them.
func (f *flat) connect(def *system, inner map[string]*flat) {
	type socket struct{ part, port string }
	done := make(map[socket]bool)
	for _, p := range def.parts {
		here := inner[p.name]
		if here == nil {
			continue
		}
		for _, w := range p.wires {
			a, ok := here.ports[w.port]
			if !ok || done[socket{p.name, w.port}] {
				continue
			}
			a.rate = w.rate
			if w.part == "" {
				f.ports[w.to] = a
				continue
			}
			there := inner[w.part]
			if there == nil {
				continue
			}
			if b, ok := there.ports[w.to]; ok && !done[socket{w.part, w.to}] {
				f.links = append(f.links, link{a, b})
				done[socket{w.part, w.to}], done[socket{p.name, w.port}] = true, true
			}
		}
	}
}

// portNumber is the number in the name of a port: 3 of "P3".
func portNumber(name string) (int, bool) {
	num, err := strconv.Atoi(strings.TrimPrefix(name, "P"))
	return num, err == nil && num >= 1 && num <= 254
}
