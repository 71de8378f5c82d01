package topology

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Classify finds out what the nodes of a fabric are and how they are joined. It
// takes time about linear in the links, and never fails: what cannot be told is
// RoleUnknown, RoleSwitch or Irregular.
func Classify(f *fabric.Fabric, o *Options) *Topology {
	if o == nil {
		o = &Options{}
	}
	c := &classifier{f: f, Topology: &Topology{Kind: None, Places: make([]Place, f.NumNodes())}}
	c.nameRoles()
	c.groupHosts()
	c.findPlanes()
	c.g = newGraph(c, o)
	c.findParts()
	for _, p := range c.parts {
		p.classify()
	}
	c.place()
	c.findRails()
	c.finish()
	return c.Topology
}

// classifier is a classification under way.
type classifier struct {
	*Topology
	f     *fabric.Fabric
	g     *graph
	parts []*part
}

// nameRoles gives each node the role that it shows by itself; switches wait
// for place.
func (c *classifier) nameRoles() {
	for n := range c.f.Nodes() {
		p := c.Place(n)
		p.GUID = n.GUID()
		p.Role, p.Reason = RoleUnknown, Reason{Evidence: ByNodeType}
		switch n.Type() {
		case ib.NodeSwitch:
			p.Role = RoleSwitch
		case ib.NodeRouter:
			p.Role = RoleRouter
		case ib.NodeCA:
			p.Role, p.Reason = adapterRole(n)
		}
	}
}

// finish copies the parts, and fills in what other nodes have from their
// first link to a switch.
func (c *classifier) finish() {
	c.Parts = make([]Part, 0, len(c.parts))
	for _, p := range c.parts {
		c.Parts = append(c.Parts, p.Part)
	}
	if len(c.Parts) > 0 {
		c.Kind = c.Parts[0].Kind
	}
	for n := range c.f.Nodes() {
		p := c.Place(n)
		if n.Type() == ib.NodeSwitch {
			continue
		}
		for port := range n.Ports() {
			if r := port.Remote(); r != nil && r.Node().Type() == ib.NodeSwitch {
				p.Part = c.Place(r.Node()).Part
				break
			}
		}
	}
	c.placePorts()
	if c.Hosts == nil {
		c.Hosts = []Host{}
	}
}
