package verify

import (
	"slices"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// Names gives nodes names for people: that of the name map, which may be nil, else
// the short one that their description holds. A name that several nodes have is
// followed by the place in the box ("core1 L2/U1"), and what is still not unique by
// the GUID. They are untrusted text.
func Names(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) func(*fabric.Node) string {
	short, long := map[string]int{}, map[string]int{}
	for n := range f.Nodes() {
		name := shown(n, own)
		short[name]++
		long[name+boxPlace(n.Description())]++
	}
	return func(n *fabric.Node) string {
		name := shown(n, own)
		if name == "" {
			return "node " + n.GUID().String()
		}
		if short[name] == 1 {
			return name
		}
		if name += boxPlace(n.Description()); long[name] == 1 {
			return name
		}
		return name + " (" + n.GUID().String() + ")"
	}
}

func shown(n *fabric.Node, own func(*fabric.Node) (string, bool)) string {
	if own != nil {
		if name, ok := own(n); ok {
			return name
		}
	}
	if name := boxName(n.Description()); name != "" {
		return name
	}
	return n.Description()
}

// Box takes apart the description of a chip in a managed switch,
// "MF0;core1:MCS8500/L2/U1": the name of the box and the place in it, "L2/U1". Of other
// texts the name is "".
func Box(description string) (name, place string) {
	_, rest, _ := strings.Cut(description, ";")
	name, model, found := strings.Cut(rest, ":")
	if !found {
		return "", ""
	}
	_, place, _ = strings.Cut(model, "/")
	return name, place
}

func boxName(description string) string {
	name, _ := Box(description)
	return name
}

// boxPlace is the place as it follows a name, "" for none.
func boxPlace(description string) string {
	if _, place := Box(description); place != "" {
		return " " + place
	}
	return ""
}

// directory finds the nodes that a name may mean.
type directory struct {
	f     *fabric.Fabric
	guids map[ib.GUID][]*fabric.Node // several where some lie, or were cloned
	exact map[string][]*fabric.Node
	loose map[string][]*fabric.Node // by the name in lower case, with one blank between words
}

func newDirectory(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) *directory {
	d := &directory{f, map[ib.GUID][]*fabric.Node{}, map[string][]*fabric.Node{}, map[string][]*fabric.Node{}}
	for n := range f.Nodes() {
		d.guids[n.GUID()] = append(d.guids[n.GUID()], n)
		for _, name := range aliases(n, own) {
			put(d.exact, name, n)
			put(d.loose, fold(name), n)
		}
	}
	return d
}

// aliases are all names by which a plan may call a node.
func aliases(n *fabric.Node, own func(*fabric.Node) (string, bool)) []string {
	names := []string{n.Description(), boxName(n.Description()), systemName(n.Description())}
	if own != nil {
		if name, ok := own(n); ok {
			names = append(names, name)
		}
	}
	if n.Type() != ib.NodeSwitch && !isAggregation(n) {
		host, device := topology.ParseDescription(n.Description())
		if host != "" && device != "" {
			short, _, _ := strings.Cut(host, ".")
			names = append(names, host, short, short+" "+device)
		}
	}
	return names
}

func put(m map[string][]*fabric.Node, name string, n *fabric.Node) {
	if list := m[name]; name != "" && (len(list) == 0 || list[len(list)-1] != n) {
		m[name] = append(list, n)
	}
}

func fold(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }

// find gives the nodes that an end may mean, and the port of an adapter whose GUID
// it is.
func (d *directory) find(e End) (nodes []*fabric.Node, port int) {
	if e.GUID != 0 {
		if nodes := d.guids[e.GUID]; nodes != nil {
			return d.called(e.Name, nodes), e.Port
		}
		p, ok := d.f.PortByGUID(e.GUID)
		switch {
		case !ok:
			return nil, e.Port
		case p.Node().Type() == ib.NodeSwitch: // one GUID for all of its ports
			return []*fabric.Node{p.Node()}, e.Port
		}
		return []*fabric.Node{p.Node()}, p.Num()
	}
	if nodes = d.exact[e.Name]; nodes == nil {
		nodes = d.loose[fold(e.Name)]
	}
	if e.Port == 0 && len(nodes) == 1 {
		return nodes, portAt(nodes[0], e.Cage)
	}
	return nodes, e.Port
}

// called gives the one of several nodes that has a name, else all.
func (d *directory) called(name string, nodes []*fabric.Node) []*fabric.Node {
	if named := d.exact[name]; len(named) == 1 && slices.Contains(nodes, named[0]) {
		return named
	}
	return nodes
}

// Lookup gives the nodes that a name may mean, as plans name them: by a name map,
// by description or its short form, an adapter also by its machine where that has
// one only.
func Lookup(f *fabric.Fabric, own func(*fabric.Node) (string, bool)) func(name string) []*fabric.Node {
	d := newDirectory(f, own)
	return func(name string) []*fabric.Node {
		nodes, _ := d.find(End{Name: name, Port: 1})
		return nodes
	}
}
