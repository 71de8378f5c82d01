package topology

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Options tells how to look at a fabric. The zero value is fine.
type Options struct {
	// CollapseChassis takes the switch chips of a director for one switch. The
	// chips of an XDR switch, which are in separate planes, stay apart.
	CollapseChassis bool
}

// Topology is what Classify found. The same fabric gives the same value, and as
// JSON the same bytes. Numbers of parts, hosts, rails, groups and planes start
// at 1; 0 is none.
type Topology struct {
	Kind     Kind      `json:"kind"`             // of the largest part
	Planes   int       `json:"planes,omitempty"` // of a fabric whose adapters span several
	Parts    []Part    `json:"parts"`            // the largest first
	Rails    []Rail    `json:"rails,omitempty"`  // none unless there are two or more
	Hosts    []Host    `json:"hosts"`            // in canonical order of their first adapters
	Places   []Place   `json:"places"`           // of the nodes, in canonical order
	Problems []Problem `json:"problems,omitempty"`
}

// Place is where a node stands in the topology.
type Place struct {
	GUID   ib.GUID `json:"guid"`
	Role   Role    `json:"role"`
	Reason Reason  `json:"reason"`
	Part   int     `json:"part,omitempty"`  // of a switch; of other nodes that of their first link
	Tier   int     `json:"tier,omitempty"`  // of a switch, counted from the hosts: leaves are 1
	Root   bool    `json:"root,omitempty"`  // a switch of a fat tree without a way up
	Group  int     `json:"group,omitempty"` // pod of a fat tree, or group of a dragonfly
	Plane  int     `json:"plane,omitempty"` // of a switch chip
	Rail   int     `json:"rail,omitempty"`  // of a leaf
	Host   int     `json:"host,omitempty"`  // of an adapter: the machine that it is in
	Coords []int   `json:"coords,omitempty"`
}

// Part is switches that are joined to each other, and to no others.
type Part struct {
	Number   int  `json:"number"`
	Kind     Kind `json:"kind"`
	Plane    int  `json:"plane,omitempty"`
	Switches int  `json:"switches"` // as far as collapsed
	Adapters int  `json:"adapters"` // links to hosts
	Routers  int  `json:"routers,omitempty"`

	// Fit is the share of the links between switches that are where the kind
	// wants them, 0…1; Misfits is how many are not.
	Fit     float64 `json:"fit"`
	Misfits int     `json:"misfits,omitempty"`
	Odd     []Odd   `json:"odd,omitempty"` // the first maxOdd of the misfits

	Tiers  []Tier      `json:"tiers"`
	Links  []TierLinks `json:"links,omitempty"`
	Groups int         `json:"groups,omitempty"` // pods of a fat tree of three tiers, groups of a dragonfly
	Dims   []Dimension `json:"dims,omitempty"`

	// Same is another name for the same graph, as "torus 4x4" for a hypercube
	// of four dimensions; wiring cannot tell them apart.
	Same string `json:"same,omitempty"`
}

// maxOdd bounds the misfits that a Part names one by one.
const maxOdd = 32

// Odd is a link between switches that does not fit the kind of its part.
type Odd struct {
	A     ib.GUID `json:"a"`
	APort int     `json:"a_port"`
	B     ib.GUID `json:"b"`
	BPort int     `json:"b_port"`
	Tiers [2]int  `json:"tiers"`
}

// Tier is the switches of a part that are equally far from the hosts. Rates are
// sums of the links' active rates in Gb/s, 0 where these are not known.
type Tier struct {
	Tier      int     `json:"tier"` // from 1; 0 is switches that no host can be reached from
	Role      Role    `json:"role"`
	Switches  int     `json:"switches"`
	Roots     int     `json:"roots,omitempty"`
	HostLinks int     `json:"host_links"`
	DownLinks int     `json:"down_links"`
	UpLinks   int     `json:"up_links"`
	DownGbps  float64 `json:"down_gbps,omitempty"` // to hosts and lower tiers
	UpGbps    float64 `json:"up_gbps,omitempty"`

	// Oversubscription is DownGbps to UpGbps, by links where rates are not
	// known; 0 where nothing leads up.
	Oversubscription float64 `json:"oversubscription,omitempty"`
}

// TierLinks counts the links between two tiers, or within one.
type TierLinks struct {
	Low   int     `json:"low"`
	High  int     `json:"high"`
	Links int     `json:"links"`
	Gbps  float64 `json:"gbps,omitempty"`
}

// Dimension is one dimension of a lattice.
type Dimension struct {
	Size int  `json:"size"`
	Wrap bool `json:"wrap,omitempty"` // the last switch is joined to the first
	Full bool `json:"full,omitempty"` // all of a row are joined, four or more
}

// Rail is the adapters with the same names in all hosts, and the leaves that
// have them and no others.
type Rail struct {
	Number  int       `json:"number"`
	Devices []string  `json:"devices"` // names of adapters, in natural order; untrusted text
	Parts   []int     `json:"parts"`
	Leaves  []ib.GUID `json:"leaves"` // in canonical order
	Links   int       `json:"links"`  // to adapters
}

// Place of a node of the fabric that was classified.
func (t *Topology) Place(n *fabric.Node) *Place { return &t.Places[n.Index()] }
