package sim

import (
	"fmt"
	"maps"
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// Disturbance is a loss that begins, or ends, while the fabric runs. The zero
// Disturbance is none.
type Disturbance struct {
	Loss float64 // the probability that a packet gets lost: 0…1

	// Attr, if not 0, restricts the loss to requests of that attribute, where
	// they reach their agent.
	Attr mad.AttrID
}

// Disturb makes packets get lost at a port, in place of what it was told
// before: those that cross the cable, either way, each time; with Attr the
// requests that come by the port to the node's own agents. Port 0 stands for
// the agents of the node, by whatever port a request comes. A bad Loss is an
// Error that wraps os.ErrInvalid.
func (s *Fabric) Disturb(n *fabric.Node, num int, d Disturbance) error {
	own, err := s.node("disturb", n)
	if err != nil {
		return err
	}
	p := own.port(num)
	if p == nil {
		_, err := s.at("disturb", Place{n, num})
		return err
	}
	if !(d.Loss >= 0 && d.Loss <= 1) {
		return &Error{Op: "disturb", Obj: "loss", Err: fmt.Errorf("%v is not a probability from 0 to 1: %w", d.Loss, errInvalid)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[*port]*disturbance{}
	if old := s.disturbed.Load(); old != nil {
		all = maps.Clone(*old)
	}
	delete(all, p)
	if d.Loss > 0 {
		s.disturbances++
		all[p] = &disturbance{Disturbance: d, stream: disturbStream + s.disturbances}
	}
	if len(all) == 0 {
		s.disturbed.Store(nil)
		return nil
	}
	s.disturbed.Store(&all)
	return nil
}

// Disturbance is what Disturb has told of a port.
func (s *Fabric) Disturbance(n *fabric.Node, num int) Disturbance {
	all := s.disturbed.Load()
	own, err := s.node("look", n)
	if err != nil || all == nil {
		return Disturbance{}
	}
	if d := (*all)[own.port(num)]; d != nil {
		return d.Disturbance
	}
	return Disturbance{}
}

// disturbances are those of all ports; nil for none, so that sound fabrics pay
// one load a hop.
type disturbances = atomic.Pointer[map[*port]*disturbance]

type disturbance struct {
	Disturbance
	stream uint64
	drawn  atomic.Uint64
}

// disturbStream is where the random numbers of disturbances start: beyond those
// of the physics.
const disturbStream = 1 << 34

func (d *disturbance) strikes(seed uint64) bool {
	return d != nil && chance(seed, d.stream, d.drawn.Add(1)) < d.Loss
}

// swallows reports whether the cable from out to in loses a packet.
func (s *Fabric) swallows(out, in *port) bool {
	all := s.disturbed.Load()
	if all == nil {
		return false
	}
	for _, end := range [...]*port{out, in} {
		if d := (*all)[end]; d != nil && d.Attr == 0 && end.num != 0 && d.strikes(s.opts.Seed) {
			return true
		}
	}
	return false
}

// ignores reports whether a request gets lost at the agent that it has reached.
func (t *trip) ignores(attr mad.AttrID) bool {
	all := t.sim.disturbed.Load()
	if all == nil {
		return false
	}
	zero := (*all)[&t.node.ports[0]]
	if zero != nil && (zero.Attr == 0 || zero.Attr == attr) && zero.strikes(t.sim.opts.Seed) {
		return true
	}
	by := (*all)[t.arrived()]
	return by != nil && by != zero && by.Attr == attr && by.strikes(t.sim.opts.Seed)
}
