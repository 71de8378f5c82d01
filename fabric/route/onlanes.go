package route

import (
	"cmp"
	"math/bits"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// LaneExamination is what OnLanes found.
type LaneExamination struct {
	Loops [][]Wait // credit loops among channels that are a link and a lane
	// Possible are loops that need packets with service levels or on lanes that are not
	// known. None of them is among links of the same knot as one of Loops.
	Possible [][]Wait
	Drops    []Drop // ascending by switch and ports
}

// Drop is packets that a switch throws away: its SLtoVLMappingTable has lane 15 for
// them, or one that the link does not have (IBA vol. 1, 7.6.6).
type Drop struct {
	Crossing
	SL, Lane uint8
	LID      ib.LID // a destination for which it is so
}

// OnLanes looks for credit loops again, where channels are told apart by virtual
// lanes. Without a loop on one lane there is none on any lanes, and nothing is asked.
// Else only links that could be part of one count: on a loop of lanes each link waits
// for the next one, so they are a loop on one lane too.
//
// A service level is followed from the adapters that use it to the LID, and takes at
// each switch the lane that the SLtoVLMappingTable has for it. Where the lane is not
// known it takes all lanes of the link.
func (x *Examination) OnLanes(l Lanes) *LaneExamination {
	e := newLaneExaminer(x.examiner, l)
	for _, lid := range x.examiner.counted {
		e.to(lid)
	}
	return e.result()
}

func compareCrossings(a, b Crossing) int {
	return cmp.Or(cmp.Compare(a.Switch.Index(), b.Switch.Index()), cmp.Compare(a.In, b.In), cmp.Compare(a.Out, b.Out))
}

// laneExaminer follows the ways once more, with lanes.
type laneExaminer struct {
	x     *examiner
	l     Lanes
	knot  []int32  // by channel of one lane: the number of its knot, from 1
	there []uint16 // by channel of one lane: the lanes of the link
	waits *dependencies
	hosts [][]*fabric.Port // by index of a switch: its ports with adapters
	at    []onWay          // by index of a switch
	drops map[dropped]ib.LID
}

// onWay is what leaves a switch on the ways to one LID.
type onWay struct {
	matters      bool       // a link from here on waits for another of its knot
	waits        bool       // the first of them does
	levels, sure uint16     // service levels, and those that are known to be in use
	lanes        [16]uint16 // by service level: those that packets are on
	sureLanes    [16]uint16 // likewise: those that they are known to be on
}

type dropped struct {
	c        Crossing
	sl, lane uint8
}

const lanesOfLink = 16

func newLaneExaminer(x *examiner, l Lanes) *laneExaminer {
	n := x.f.NumNodes()
	e := &laneExaminer{
		x: x, l: l, waits: newDependencies(x.f, lanesOfLink),
		knot: make([]int32, len(x.waits.waits)), there: make([]uint16, len(x.waits.waits)),
		hosts: make([][]*fabric.Port, n), at: make([]onWay, n), drops: map[dropped]ib.LID{},
	}
	for i, knot := range x.knots {
		for _, c := range knot {
			e.knot[c] = int32(i + 1)
		}
	}
	for sw := range x.f.Switches() {
		for p := range sw.Ports() {
			e.there[x.waits.channel(p, 0)] = operational(p)
			if sendsInto(p) {
				e.hosts[sw.Index()] = append(e.hosts[sw.Index()], p)
			}
		}
	}
	return e
}

// sendsInto reports whether an adapter sends into a switch by one of its ports.
func sendsInto(p *fabric.Port) bool {
	q := p.Remote()
	return q != nil && !isSwitch(q.Node()) && !isAggregationNode(q.Node()) && q.LID() != 0
}

// to adds what waits for what on the ways to a LID.
func (e *laneExaminer) to(lid ib.LID) {
	if len(e.x.knots) == 0 {
		return
	}
	e.x.trace(lid)
	for _, sw := range e.x.order { // the end of all ways comes first
		e.begin(sw)
	}
	for i := len(e.x.order) - 1; i >= 0; i-- {
		sw := e.x.order[i]
		if !e.at[sw.Index()].matters {
			continue
		}
		e.enter(sw, lid)
		e.pass(sw, lid)
	}
}

func (e *laneExaminer) begin(sw *fabric.Node) {
	s := &e.at[sw.Index()]
	*s = onWay{}
	out, next := e.x.onward(sw)
	if out == nil {
		return
	}
	second, _ := e.x.onward(next)
	s.waits = second != nil && e.inOneKnot(out, second)
	s.matters = s.waits || e.at[next.Index()].matters
}

func (e *laneExaminer) inOneKnot(out, second *fabric.Port) bool {
	knot := e.knot[e.x.waits.channel(out, 0)]
	return knot != 0 && knot == e.knot[e.x.waits.channel(second, 0)]
}

// enter adds what the adapters at a switch send.
func (e *laneExaminer) enter(sw *fabric.Node, lid ib.LID) {
	out, _ := e.x.onward(sw)
	for _, in := range e.hosts[sw.Index()] {
		sure, all := e.l.Levels(in.Remote(), lid)
		e.cross(in, out, lid, all, sure, e.at[sw.Index()].waits)
	}
}

// pass hands what leaves a switch to the next one, and adds what waits there for what.
func (e *laneExaminer) pass(sw *fabric.Node, lid ib.LID) {
	s := &e.at[sw.Index()]
	out, next := e.x.onward(sw)
	second, _ := e.x.onward(next)
	if second == nil || !s.waits && !e.at[next.Index()].matters {
		return
	}
	to := e.cross(out.Remote(), second, lid, s.levels, s.sure, s.waits || e.at[next.Index()].waits)
	if !s.waits {
		return
	}
	for sl := range 16 {
		for from := range bitsOf(s.lanes[sl]) {
			for lane := range bitsOf(to.lanes[sl]) {
				sure := s.sureLanes[sl]>>from&1 != 0 && to.sureLanes[sl]>>lane&1 != 0
				e.waits.addWait(e.waits.channel(out, uint8(from)), wait{e.waits.channel(second, uint8(lane)), lid, uint8(sl), !sure})
			}
		}
	}
}

// cross adds packets with some service levels, which come in by one port, to those
// that leave by another, and gives the lanes that they take. If nothing there waits,
// the lanes do not matter.
func (e *laneExaminer) cross(in, out *fabric.Port, lid ib.LID, levels, sure uint16, matters bool) (took onWay) {
	s := &e.at[out.Node().Index()]
	if !matters {
		s.levels |= levels
		s.sure |= sure
		return took
	}
	c := Crossing{out.Node(), uint8(in.Num()), uint8(out.Num())}
	for i := range bitsOf(levels) {
		sl, bit := uint8(i), uint16(1)<<i
		lanes, known := e.lanesOf(c, out, sl, lid, sure&bit != 0)
		if lanes == 0 {
			continue
		}
		took.lanes[sl] = lanes
		s.levels |= bit
		if known && sure&bit != 0 {
			took.sureLanes[sl] = lanes
			s.sure |= bit
		}
		s.lanes[sl] |= lanes
		s.sureLanes[sl] |= took.sureLanes[sl]
	}
	return took
}

// lanesOf are the lanes that packets may take: none if they are thrown away.
func (e *laneExaminer) lanesOf(c Crossing, out *fabric.Port, sl uint8, lid ib.LID, sure bool) (mask uint16, known bool) {
	there := e.there[e.x.waits.channel(out, 0)]
	if there == 1 {
		return there, true // a link with one lane needs no table, and its switch may have none
	}
	lane, known := e.l.Lane(c, sl)
	if !known {
		return there, false
	}
	if there>>(lane&15)&1 != 0 {
		return 1 << (lane & 15), true
	}
	if d := (dropped{c, sl, lane & 15}); sure && e.drops[d] == 0 {
		e.drops[d] = lid
	}
	return 0, true
}

// operational are the lanes of data of a link, as a mask; all where that is not known.
func operational(p *fabric.Port) uint16 {
	info, _ := p.Info()
	if n := info.OperationalVLs.Lanes(); n > 0 {
		return 1<<n - 1
	}
	return AnyLane
}

func bitsOf(mask uint16) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; mask != 0; mask &= mask - 1 {
			if !yield(bits.TrailingZeros16(mask)) {
				return
			}
		}
	}
}

func (e *laneExaminer) result() *LaneExamination {
	r := &LaneExamination{}
	for d, lid := range e.drops {
		r.Drops = append(r.Drops, Drop{d.c, d.sl, d.lane, lid})
	}
	sort.Slice(r.Drops, func(i, j int) bool {
		a, b := r.Drops[i], r.Drops[j]
		return cmp.Or(compareCrossings(a.Crossing, b.Crossing), cmp.Compare(a.SL, b.SL)) < 0
	})
	sure := e.waits.sure()
	real := sure.knots()
	isReal := map[int32]bool{}
	for _, knot := range real {
		r.Loops = append(r.Loops, sure.circle(knot))
		isReal[e.oneLane(knot[0])] = true
	}
	for _, knot := range e.waits.knots() {
		if !isReal[e.oneLane(knot[0])] {
			r.Possible = append(r.Possible, e.waits.circle(knot))
		}
	}
	return r
}

// oneLane is the knot of links that a channel of a lane belongs to.
func (e *laneExaminer) oneLane(channel int32) int32 { return e.knot[channel/lanesOfLink] }
