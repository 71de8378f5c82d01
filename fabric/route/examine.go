package route

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Examination is what Examine found.
type Examination struct {
	Troubles []Trouble
	Loops    [][]Wait // credit loops: one of each knot of channels
	Links    []Load   // by switch and port: all links between switches, in both directions

	Sources int            // switches that packets of adapters begin at
	LIDs    int            // that ways lead to
	Ways    int            // from a source to a LID
	NoLID   []*fabric.Port // of adapters and routers with a link and without a LID
	Unread  []*fabric.Node // switches whose tables are not known

	examiner *examiner // for OnLanes
}

// Trouble is ways that end in the same wrong place.
type Trouble struct {
	End  End
	At   *fabric.Node // the switch in question; of Circle the first one of the circle
	Out  int          // the port it sends to, -1 for none
	LIDs []ib.LID     // to whom, ascending
	Ways int          // how many: from switches with adapters, to LIDs
	Way  *Way         // the first of them
}

// Load is what one direction of a link between switches carries.
type Load struct {
	Port *fabric.Port // leaves by
	LIDs int          // destinations of adapters and routers
	// Flows is the pairs of adapter ports, source and destination LID, whose way goes
	// here: the load when all send to all.
	Flows int64
}

// ExamineOptions tune Examine. Nil or the zero value is fine.
type ExamineOptions struct {
	// Lanes tell on which virtual lanes packets are: Loops are then those of OnLanes.
	// Nil takes all packets to share one lane.
	Lanes Lanes
}

// Examine follows the tables from the switches with adapters, which are where
// packets come from, to all LIDs, and tells the ways that do not arrive, the
// credit loops of those to adapters and routers, and how the links are used. In a
// fabric without adapters packets come from all switches.
//
// The ways to the LIDs of switches are followed too, but do not count for loads and
// credit loops: few packets that wait for buffers take them.
func Examine(f *fabric.Fabric, t Table, o *ExamineOptions) *Examination {
	if o == nil {
		o = &ExamineOptions{}
	}
	x := newExaminer(f, t)
	done := map[ib.LID]bool{}
	for owner := range f.Ports() {
		if isSwitch(owner.Node()) && owner.Num() != 0 {
			continue
		}
		if owner.LID() == 0 {
			if !isSwitch(owner.Node()) && owner.Remote() != nil && owner.InfoBytes() != nil {
				x.NoLID = append(x.NoLID, owner)
			}
			continue
		}
		for i := range 1 << owner.LMC() {
			if lid := owner.LID() + ib.LID(i); lid.IsUnicast() && !done[lid] { // planes share LIDs
				done[lid] = true
				x.to(lid, !isSwitch(owner.Node()))
			}
		}
	}
	x.finish()
	x.Examination.examiner = x
	if o.Lanes != nil {
		x.Loops = x.OnLanes(o.Lanes).Loops
	}
	return &x.Examination
}

type examiner struct {
	Examination
	f *fabric.Fabric
	t Table

	sources []*fabric.Node
	hosts   []int64         // by index: ports of adapters at a switch
	counted []ib.LID        // of adapters and routers
	waits   *dependencies   // on one lane
	knots   [][]int32       // of its channels, at the end
	loads   map[int32]*Load // by channel
	groups  map[trouble]int // index in Troubles
	round   int32           // counts LIDs
	state   []nodeState     // by index, of this round
	order   []*fabric.Node  // of this round: a node comes before those that send to it
	flow    []int64         // by index, of this round
}

type trouble struct {
	end End
	at  *fabric.Node
	out int
}

// nodeState is what is known of a switch on the ways to one LID.
type nodeState struct {
	round    int32
	underway bool
	group    int32 // of its trouble, -1 if it arrives
	out      *fabric.Port
}

func newExaminer(f *fabric.Fabric, t Table) *examiner {
	n := f.NumNodes()
	x := &examiner{
		f: f, t: t, hosts: make([]int64, n), state: make([]nodeState, n), flow: make([]int64, n),
		loads: map[int32]*Load{}, groups: map[trouble]int{},
	}
	x.waits = newDependencies(f, 1)
	for sw := range f.Switches() {
		for p := range sw.Ports() {
			if q := p.Remote(); q != nil && !isSwitch(q.Node()) && !isAggregationNode(q.Node()) {
				x.hosts[sw.Index()]++
			}
		}
		if x.hosts[sw.Index()] > 0 {
			x.sources = append(x.sources, sw)
		}
		if !knows(t, sw) {
			x.Unread = append(x.Unread, sw)
		}
	}
	if len(x.sources) == 0 {
		x.sources = slices.Collect(f.Switches())
	}
	x.Sources = len(x.sources)
	return x
}

// to follows the ways to a LID.
func (x *examiner) to(lid ib.LID, counts bool) {
	x.LIDs++
	x.begin()
	for _, sw := range x.sources {
		x.Ways++
		group := x.from(sw, lid)
		if group < 0 {
			continue
		}
		t := &x.Troubles[group]
		t.Ways++
		if n := len(t.LIDs); n == 0 || t.LIDs[n-1] != lid {
			t.LIDs = append(t.LIDs, lid)
		}
		if t.Way == nil {
			t.Way = Follow(x.t, source(sw, lid), lid)
		}
	}
	if counts {
		x.counted = append(x.counted, lid)
		x.count()
		x.wait(lid)
	}
}

// begin begins a round.
func (x *examiner) begin() {
	x.round++
	x.order = x.order[:0]
}

// trace is a round without what it counts, of a LID that had its own before.
func (x *examiner) trace(lid ib.LID) {
	x.begin()
	for _, sw := range x.sources {
		x.from(sw, lid)
	}
}

// source is an adapter's port at a switch that does not have the LID, or the switch
// itself.
func source(sw *fabric.Node, lid ib.LID) *fabric.Port {
	var own *fabric.Port
	for p := range sw.Ports() {
		if own == nil {
			own = p
		}
		if q := p.Remote(); q != nil && !isSwitch(q.Node()) && !isAggregationNode(q.Node()) && !owns(q, lid) {
			return q
		}
	}
	return own
}

// from follows the tables from a switch until what is known, and gives the trouble
// that it ends in, -1 for none.
func (x *examiner) from(sw *fabric.Node, lid ib.LID) int32 {
	begin := len(x.order)
	group := int32(-1)
	for {
		s := &x.state[sw.Index()]
		if s.round == x.round {
			if group = s.group; s.underway {
				group = x.group(x.circle(sw, lid))
			}
			break
		}
		*s = nodeState{round: x.round, underway: true, group: -1}
		x.order = append(x.order, sw)
		out, next, end := step(x.t, sw, lid)
		if end == Unread || end != "" && end != Arrives {
			group = x.group(trouble{end, sw, out})
			break
		}
		if out > 0 {
			s.out = sw.Port(out)
		}
		if end == Arrives {
			break
		}
		sw = next.Node()
	}
	for _, n := range x.order[begin:] {
		s := &x.state[n.Index()]
		s.underway, s.group = false, group
	}
	slices.Reverse(x.order[begin:])
	return group
}

// circle names a circle by the first of its switches.
func (x *examiner) circle(sw *fabric.Node, lid ib.LID) trouble {
	first := sw
	for n := sw; ; {
		n = x.state[n.Index()].out.Remote().Node()
		if n == sw {
			break
		}
		if n.Index() < first.Index() {
			first = n
		}
	}
	return trouble{Circle, first, x.state[first.Index()].out.Num()}
}

func (x *examiner) group(t trouble) int32 {
	i, ok := x.groups[t]
	if !ok {
		i = len(x.Troubles)
		x.groups[t] = i
		x.Troubles = append(x.Troubles, Trouble{End: t.end, At: t.at, Out: t.out})
	}
	return int32(i)
}
