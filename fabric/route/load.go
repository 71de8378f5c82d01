package route

import (
	"math"
	"slices"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// count adds what the ways to a LID load onto links. The order of the round has the
// end of all ways first, so backwards it has each switch before the one it sends to.
func (x *examiner) count() {
	for _, sw := range x.order {
		x.flow[sw.Index()] = x.hosts[sw.Index()]
	}
	for i := len(x.order) - 1; i >= 0; i-- {
		sw := x.order[i]
		s := &x.state[sw.Index()]
		if s.group >= 0 || s.out == nil {
			continue
		}
		next := s.out.Remote().Node()
		if !isSwitch(next) {
			continue
		}
		x.flow[next.Index()] += x.flow[sw.Index()]
		c := x.waits.channel(s.out, 0)
		l := x.loads[c]
		if l == nil {
			l = &Load{Port: s.out}
			x.loads[c] = l
		}
		l.LIDs++
		l.Flows += x.flow[sw.Index()]
	}
}

// wait adds what waits for what on the ways to a LID.
func (x *examiner) wait(lid ib.LID) {
	for _, sw := range x.order {
		if out, next := x.onward(sw); out != nil {
			if second, _ := x.onward(next); second != nil {
				x.waits.add(x.waits.channel(out, 0), x.waits.channel(second, 0), lid)
			}
		}
	}
}

// onward is the port by which a switch sends to another one on ways that arrive.
func (x *examiner) onward(sw *fabric.Node) (*fabric.Port, *fabric.Node) {
	s := &x.state[sw.Index()]
	if s.group >= 0 || s.out == nil || !isSwitch(s.out.Remote().Node()) {
		return nil, nil
	}
	return s.out, s.out.Remote().Node()
}

// finish puts together what the rounds have gathered.
func (x *examiner) finish() {
	for p := range x.f.Ports() {
		if q := p.Remote(); q == nil || !isSwitch(p.Node()) || !isSwitch(q.Node()) || p.Node() == q.Node() {
			continue
		}
		l := Load{Port: p}
		if used := x.loads[x.waits.channel(p, 0)]; used != nil {
			l = *used
		}
		x.Links = append(x.Links, l)
	}
	for i := range x.Troubles {
		slices.Sort(x.Troubles[i].LIDs)
	}
	x.knots = x.waits.knots()
	for _, knot := range x.knots {
		x.Loops = append(x.Loops, x.waits.circle(knot))
	}
}

// TierLoad is how evenly the links from one tier of switches to another are used.
// Tiers count from those with adapters, which are tier 1.
type TierLoad struct {
	From, To int // tiers
	Links    int // in this direction
	Idle     int // without any flow

	Least, Most int64   // flows of a link
	Mean        float64 // likewise
	Deviation   float64 // standard deviation of the flows
	Busiest     *fabric.Port
}

// Tiers sums up loads by the tiers that links join, and gives the tier of each
// switch with such a link.
func (x *Examination) Tiers(f *fabric.Fabric) []TierLoad {
	level := levelsOf(f)
	byTiers := map[[2]int]*TierLoad{}
	for i := range x.Links {
		l := &x.Links[i]
		k := [2]int{level[l.Port.Node().Index()], level[l.Port.Remote().Node().Index()]}
		t := byTiers[k]
		if t == nil {
			t = &TierLoad{From: k[0], To: k[1], Least: math.MaxInt64}
			byTiers[k] = t
		}
		t.add(l)
	}
	var list []TierLoad
	for _, t := range byTiers {
		t.Deviation = math.Sqrt(max(0, t.Deviation/float64(t.Links)-(t.Mean/float64(t.Links))*(t.Mean/float64(t.Links))))
		t.Mean /= float64(t.Links)
		list = append(list, *t)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return (a.From-b.From)*1000+a.To-b.To < 0
	})
	return list
}

func (t *TierLoad) add(l *Load) {
	t.Links++
	if l.Flows == 0 {
		t.Idle++
	}
	t.Least = min(t.Least, l.Flows)
	if l.Flows > t.Most || t.Busiest == nil {
		t.Most, t.Busiest = l.Flows, l.Port
	}
	t.Mean += float64(l.Flows)
	t.Deviation += float64(l.Flows) * float64(l.Flows)
}

// levelsOf is the tier of each switch by index of the node: links to the nearest
// adapter; 0 where none can be reached.
func levelsOf(f *fabric.Fabric) []int {
	level := make([]int, f.NumNodes())
	var queue []*fabric.Node
	for sw := range f.Switches() {
		for p := range sw.Ports() {
			if q := p.Remote(); q != nil && !isSwitch(q.Node()) && !isAggregationNode(q.Node()) {
				level[sw.Index()] = 1
				queue = append(queue, sw)
				break
			}
		}
	}
	for len(queue) > 0 {
		sw := queue[0]
		queue = queue[1:]
		for p := range sw.Ports() {
			if q := p.Remote(); q != nil && isSwitch(q.Node()) && level[q.Node().Index()] == 0 {
				level[q.Node().Index()] = level[sw.Index()] + 1
				queue = append(queue, q.Node())
			}
		}
	}
	return level
}
