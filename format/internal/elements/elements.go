// Package elements is a fabric as the formats for graphs want it: nodes and edges
// with identifiers and attributes. The names of attributes are the same in all of
// them.
package elements

import (
	"fmt"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/model"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
)

// Options tells what is known beside the fabric. The zero value is fine.
type Options struct {
	// Name gives a node a name of its own, as a node name map does; false for
	// none. Without it nodes are labelled with their description.
	Name func(*fabric.Node) (string, bool)

	// Topology, of the fabric that is written, adds roles, tiers and hosts.
	Topology *topology.Topology
}

// Kind is the type of an attribute.
type Kind string

// The kinds; the constants are GraphML's names.
const (
	String  Kind = "string"
	Int     Kind = "int"
	Double  Kind = "double"
	Boolean Kind = "boolean"
)

// Attribute is one of a node or edge. The value is a string, int, float64 or bool.
type Attribute struct {
	Name  string
	Value any
}

// Key declares an attribute.
type Key struct {
	Name string
	Kind Kind
}

// NodeKeys are all attributes of nodes, in their order.
func NodeKeys() []Key {
	return []Key{
		{"label", String},
		{"type", String},
		{"guid", String},
		{"description", String},
		{"model", String},
		{"ports", Int},
		{"lid", Int},
		{"role", String},
		{"tier", Int},
		{"part", Int},
		{"group", Int},
		{"plane", Int},
		{"rail", Int},
		{"host", String},
	}
}

// EdgeKeys are all attributes of links, in their order.
func EdgeKeys() []Key {
	return []Key{
		{"source_port", Int},
		{"target_port", Int},
		{"source_label", String},
		{"target_label", String},
		{"width", String},
		{"speed", String},
		{"gbps", Double},
		{"state", String},
		{"degraded", Boolean},
		{"one_way", Boolean},
	}
}

// ID is a graph's name for a node: its GUID, told apart where two nodes have the
// same one.
func ID(f *fabric.Fabric, n *fabric.Node) string {
	if first, ok := f.NodeByGUID(n.GUID()); ok && first != n {
		return fmt.Sprintf("%s/%d", n.GUID(), n.Index())
	}
	return n.GUID().String()
}

// Label is what a node is called, safe to print.
func Label(n *fabric.Node, o *Options) string {
	if o.Name != nil {
		if name, ok := o.Name(n); ok {
			return escape.Text(name)
		}
	}
	if d := n.Description(); d != "" {
		return escape.Text(d)
	}
	return n.GUID().String()
}

// Node is the attributes of a node that are known, in the order of NodeKeys.
func Node(n *fabric.Node, o *Options) []Attribute {
	l := list{}
	info := n.Info()
	l.add("label", Label(n, o))
	l.add("type", n.Type().String())
	l.add("guid", n.GUID().String())
	l.text("description", escape.Text(n.Description()))
	l.text("model", model.Name(info.VendorID, info.DeviceID))
	l.add("ports", n.NumPorts())
	l.number("lid", lid(n))
	if o.Topology == nil {
		return l
	}
	at := o.Topology.Place(n)
	l.text("role", string(at.Role))
	l.number("tier", at.Tier)
	l.number("part", at.Part)
	l.number("group", at.Group)
	l.number("plane", at.Plane)
	l.number("rail", at.Rail)
	if at.Host > 0 {
		l.text("host", escape.Text(o.Topology.Hosts[at.Host-1].Name))
	}
	return l
}

// lid is that of a switch, or of the first port of another node that has one.
func lid(n *fabric.Node) int {
	if p := n.Port(0); n.Type() == ib.NodeSwitch && p != nil {
		return int(p.LID())
	}
	for p := range n.Ports() {
		if p.LID() != 0 {
			return int(p.LID())
		}
	}
	return 0
}

// Edge is the attributes of a link that are known, in the order of EdgeKeys; its
// source is l.A.
func Edge(f fabric.Link) []Attribute {
	l := list{}
	l.add("source_port", f.A.Num())
	l.add("target_port", f.B.Num())
	l.add("source_label", topology.PortLabel(f.A))
	l.add("target_label", topology.PortLabel(f.B))
	if active := f.A.Active(); active.Width != 0 || active.Speed != 0 {
		l.add("width", active.Width.String())
		l.add("speed", active.Speed.String())
		if rate := ib.RateGbps(active.Width, active.Speed); rate > 0 {
			l.add("gbps", rate)
		}
	}
	if f.A.State() != 0 {
		l.add("state", f.A.State().String())
	}
	l.flag("degraded", f.IsDegraded())
	l.flag("one_way", f.OneWay())
	return l
}

type list []Attribute

func (l *list) add(name string, value any) { *l = append(*l, Attribute{name, value}) }

func (l *list) text(name, value string) {
	if value != "" {
		l.add(name, value)
	}
}

func (l *list) number(name string, value int) {
	if value != 0 {
		l.add(name, value)
	}
}

func (l *list) flag(name string, value bool) {
	if value {
		l.add(name, true)
	}
}
