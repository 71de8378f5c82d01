package hosttree

import (
	"regexp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// Input is one swept fabric and the topology that was found in it.
type Input struct {
	Fabric   *fabric.Fabric
	Topology *topology.Topology // of topology.Classify
}

// Options tells which hosts count and what they are called. The zero value is fine.
type Options struct {
	// Name gives a node a name of its own, as a node name map does; false for
	// none. Of an adapter it is the host, or the host and the device.
	Name func(*fabric.Node) (string, bool)

	// Rules change the names of hosts, in this order.
	Rules []Rule

	// Only are the names of the hosts that count, after the rules; nil for all.
	Only map[string]bool

	// Exclude matches the names of hosts that do not count, after the rules.
	Exclude *regexp.Regexp

	// Roles are those of the hosts that count; nil is RoleHost. They do not
	// count where Only says which do.
	Roles []topology.Role

	// Rail is the rail whose leaves the hosts are sorted by, 0 for the first.
	Rail int

	// Networks are names for the networks, in the order in which they come.
	// Those without are "compute", "compute-2", or "storage" where there are
	// storage servers.
	Networks []string
}

// Forest is what Build made of the fabrics.
type Forest struct {
	Networks []Network // those with hosts; of each fabric the one with the most links to hosts first
	Left     []Left    // hosts that are in no network, in order of their names
}

// Network is switches by which its hosts reach each other, and no others.
type Network struct {
	Name   string
	Input  int       // index of its fabric
	Levels int       // longest way from a root to a leaf, in domains
	Roots  []*Domain // more than one where not all hosts reach each other
	Hosts  int
}

// Domain is a leaf with its hosts, or what joins the domains below it.
type Domain struct {
	// Name is unique in the forest, at most MaxName characters of A-Z, a-z,
	// 0-9, ".", "_", "-", the first and the last a letter or digit. It is that of
	// a switch of the domain and does not depend on what else is there, unless
	// two switches have one name: then the GUID is part of it.
	Name     string
	Level    int // 1 for a leaf
	Children []*Domain
	Hosts    []string // of a leaf, in natural order
}

// Left is a host, or adapters without a name, that is in no tree.
type Left struct {
	Name     string // untrusted text, "" where none is known
	Reason   Reason
	Role     topology.Role
	Adapters []ib.GUID
}

// Reason is why a host is in no tree.
type Reason string

// The reasons.
const (
	NoName    Reason = "no-name"    // no adapter tells a name, or one that every machine has
	BadName   Reason = "bad-name"   // a name that no scheduler takes
	OtherRole Reason = "other-role" // not one of Options.Roles
	NotWanted Reason = "not-wanted" // not in Options.Only, or in Options.Exclude
	NoLink    Reason = "no-link"    // no link to a switch
	NotFound  Reason = "not-found"  // in Options.Only, and not in any fabric
)

// Build arranges the hosts of fabrics.
func Build(inputs []Input, o *Options) *Forest {
	b := &builder{inputs: inputs, placed: map[string]bool{}}
	if o != nil {
		b.o = *o
	}
	if b.o.Roles == nil {
		b.o.Roles = []topology.Role{topology.RoleHost}
	}
	b.names = newNames(inputs, b.o.Name)
	for i := range inputs {
		b.input(i)
	}
	b.nameNetworks()
	b.finish()
	return &b.Forest
}

// builder is a Build under way.
type builder struct {
	Forest
	o      Options
	inputs []Input
	names  *names
	placed map[string]bool // names in some network
}

// input arranges the hosts of one fabric.
func (b *builder) input(i int) {
	machines := b.machines(b.inputs[i])
	s := newSwitches(b.inputs[i])
	for _, parts := range networksOf(b.inputs[i].Topology, machines) {
		n := b.network(s, parts, machines)
		if n.Hosts > 0 {
			n.Input = i
			b.Networks = append(b.Networks, n)
		}
	}
}
