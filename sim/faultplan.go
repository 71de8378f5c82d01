package sim

import (
	"fmt"
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// faultPlan finds the faults of a node. The nil plan is a sound fabric.
type faultPlan struct {
	seed   uint64
	all    []*faultState // of every node
	byNode map[ib.GUID][]*faultState
}

type faultState struct {
	Fault
	stream uint64        // of random numbers
	seen   atomic.Uint64 // requests that fitted
}

func newFaultPlan(f *fabric.Fabric, faults []Fault, seed uint64) (*faultPlan, error) {
	if len(faults) == 0 {
		return nil, nil
	}
	plan := &faultPlan{seed: seed, byNode: map[ib.GUID][]*faultState{}}
	for i, fault := range faults {
		if err := fault.check(f); err != nil {
			return nil, &Error{Op: "new", Obj: fmt.Sprintf("fault %d", i), Err: err}
		}
		// Streams below 1<<32 belong to the ports' losses.
		state := &faultState{Fault: fault, stream: 1<<32 + uint64(i)}
		if fault.Node == 0 {
			plan.all = append(plan.all, state)
		} else {
			plan.byNode[fault.Node] = append(plan.byNode[fault.Node], state)
		}
	}
	return plan, nil
}

// isDead reports whether the node neither sends nor forwards.
func (p *faultPlan) isDead(n *fabric.Node) bool { return p.has(n, DeadNode, 0) }

// blocks reports whether packets cannot pass the port.
func (p *faultPlan) blocks(at *port) bool {
	return p != nil && (p.isDead(at.node.model) || p.has(at.node.model, DeadPort, int(at.num)))
}

func (p *faultPlan) has(n *fabric.Node, kind FaultKind, port int) bool {
	if p == nil {
		return false
	}
	for _, list := range [...][]*faultState{p.all, p.byNode[n.GUID()]} {
		for _, s := range list {
			if s.Kind == kind && (kind != DeadPort || s.Port == port) && s.seen.Load() >= uint64(s.After) {
				return true
			}
		}
	}
	return false
}

// strike counts a request that has reached the agent of t's node and whose
// reply is m, spoils the reply as planned, and reports whether there is one.
func (p *faultPlan) strike(t *trip, m *mad.Packet, d *delivery) bool {
	if p == nil {
		return true
	}
	replies := true
	for _, list := range [...][]*faultState{p.all, p.byNode[t.node.model.GUID()]} {
		for _, s := range list {
			if nth, hit := s.count(p.seed, t, m.AttrID()); hit && !s.spoil(m, d, mix(p.seed, s.stream, nth)) {
				replies = false
			}
		}
	}
	return replies
}

// count counts the request if it fits, and reports whether the fault strikes.
func (s *faultState) count(seed uint64, t *trip, attr mad.AttrID) (nth uint64, hit bool) {
	if s.Attr != 0 && s.Attr != attr || s.Port != 0 && s.Kind != DeadPort && s.Port != int(t.in) {
		return 0, false
	}
	nth = s.seen.Add(1)
	after := uint64(s.After)
	if nth <= after || s.Times != 0 && nth > after+uint64(s.Times) {
		return nth, false
	}
	return nth, s.Probability == 0 || chance(seed, s.stream, nth) < s.Probability
}
