package verify

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// Options tune Check. Nil or the zero value is fine.
type Options struct {
	// Own is a node name map: a name of your own for a node, false for none.
	Own func(*fabric.Node) (string, bool)
	// Role is what a node is for, in the words that rules use: "leaf", "spine",
	// "host". Nil leaves rules to the groups of their own.
	Role func(*fabric.Node) string
}

// Check compares the wiring of a fabric with a plan. Findings are in the order of
// the plan; the result depends on the two only.
//
// Each fault is one finding: two exchanged cables are Swapped and not four cables
// in wrong places; a node with another GUID in the place of a planned one is
// Replaced and not missing with new cables at the same ports.
func Check(f *fabric.Fabric, p *Plan, o *Options) *Report {
	if o == nil {
		o = &Options{}
	}
	c := &checker{f: f, plan: p, options: o, report: &Report{}, absent: map[string]int32{}}
	c.name = Names(f, o.Own)
	for n := range f.Nodes() {
		c.nodes = append(c.nodes, n)
	}
	if len(p.Cables) > 0 {
		c.resolve()
		c.findReplaced()
		c.compare()
		c.findChains()
		c.gatherNodes()
		c.sort()
	}
	for i := range p.Rules {
		c.checkRule(&p.Rules[i])
	}
	return c.report
}

// sort brings findings into the order of the plan; those without a planned cable
// come last.
func (c *checker) sort() {
	order := map[*Cable]int{}
	for i := range c.plan.Cables {
		order[&c.plan.Cables[i]] = i
	}
	first := func(f Finding) int {
		at := len(order)
		for _, cable := range f.Cables {
			at = min(at, order[cable])
		}
		return at
	}
	sort.SliceStable(c.report.Findings, func(i, j int) bool {
		a, b := c.report.Findings[i], c.report.Findings[j]
		return first(a) < first(b)
	})
}

// spot is a port by the number of its node: the index of one of the fabric, or
// beyond these of one that only the plan has.
type spot struct {
	node int32
	port int16
}

// wire is a cable of the plan with its ends found, or a link that is there.
type wire struct {
	ends  [2]spot
	cable *Cable      // nil for a link
	link  fabric.Link // of a link
}

// other is the end that is not s.
func (w *wire) other(s spot) spot {
	if w.ends[0] == s {
		return w.ends[1]
	}
	return w.ends[0]
}

type checker struct {
	f       *fabric.Fabric
	plan    *Plan
	options *Options
	report  *Report
	name    func(*fabric.Node) string

	nodes  []*fabric.Node // by index
	absent map[string]int32
	gone   []End // of absent nodes, by number beyond the fabric's

	planned   []wire
	plannedAt map[spot]*wire // those that are not in place, after compare
	thereAt   map[spot]*wire // likewise
}

// resolve finds the ends of the planned cables.
func (c *checker) resolve() {
	d := newDirectory(c.f, c.options.Own)
	taken := map[spot]*Cable{}
	for i := range c.plan.Cables {
		cable := &c.plan.Cables[i]
		w := wire{cable: cable}
		var err error
		for k, e := range [2]End{cable.A, cable.B} {
			if w.ends[k], err = c.locate(d, cable, e); err != nil {
				break
			}
			if before := taken[w.ends[k]]; before != nil && before != cable {
				err = c.bad(cable, c.place(w.ends[k]), "the plan has two cables there, the other one at "+before.Where)
				break
			}
		}
		if err != nil {
			c.report.Problems = append(c.report.Problems, err)
			continue
		}
		taken[w.ends[0]], taken[w.ends[1]] = cable, cable
		c.planned = append(c.planned, w)
	}
}

func (c *checker) bad(cable *Cable, op, detail string) error {
	return &Error{Where: cable.Where, Op: op, Detail: detail}
}

// locate finds where an end should be.
func (c *checker) locate(d *directory, cable *Cable, e End) (spot, error) {
	nodes, port := d.find(e)
	switch {
	case len(nodes) > 1:
		return spot{}, c.bad(cable, e.node(), ambiguous(e, nodes))
	case len(nodes) == 0:
		if e.Port == 0 { // the cage of a box that is not there: some number for it
			port = portOfCage(e.Cage)
		}
		return spot{c.absentNode(e), int16(port)}, nil
	case port < 1 || port > nodes[0].NumPorts():
		return spot{}, c.bad(cable, e.node(), fmt.Sprintf("has no port %s; its ports are 1…%d", e.port(), nodes[0].NumPorts()))
	}
	return spot{int32(nodes[0].Index()), int16(port)}, nil
}

func ambiguous(e End, nodes []*fabric.Node) string {
	if e.GUID != 0 {
		return fmt.Sprintf("%d nodes have this GUID: what they say of themselves is wrong", len(nodes))
	}
	var guids []string
	for _, n := range nodes[:min(len(nodes), 4)] {
		guids = append(guids, n.GUID().String())
	}
	if len(nodes) > 4 {
		guids = append(guids, "…")
	}
	return fmt.Sprintf("%d nodes have this name: %s; name one by its GUID", len(nodes), strings.Join(guids, ", "))
}

// portOfCage tells the cages of an absent node apart.
func portOfCage(cage string) int {
	h := 0
	for _, b := range []byte(cage) {
		h = (h*31 + int(b)) & 0x3fff
	}
	return -1 - h
}

func (c *checker) absentNode(e End) int32 {
	id, ok := c.absent[e.key()]
	if !ok {
		id = int32(len(c.nodes) + len(c.gone))
		c.absent[e.key()] = id
		c.gone = append(c.gone, e)
	}
	return id
}

// node is the node of a spot, nil if only the plan has it.
func (c *checker) node(s spot) *fabric.Node {
	if int(s.node) < len(c.nodes) {
		return c.nodes[s.node]
	}
	return nil
}

// peer is where a spot's link leads now.
func (c *checker) peer(s spot) *fabric.Port {
	if n := c.node(s); n != nil {
		if p := n.Port(int(s.port)); p != nil {
			return p.Remote()
		}
	}
	return nil
}

func spotOf(p *fabric.Port) spot { return spot{int32(p.Node().Index()), int16(p.Num())} }
