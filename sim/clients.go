package sim

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// clients are the open Ports. They talk to each other: see Port.
type clients struct {
	mu       sync.RWMutex
	at       map[*port][]*Port // in the order in which they were opened
	asked    map[question]*Port
	order    []question // a ring of what asked holds
	next     int
	managers atomic.Int32 // how many are subnet managers
}

// question is a request from one port to a Port at another: who asked gets the
// answer.
type question struct {
	from, to *port
	tid      uint64
	class    mad.Class
}

// maxQuestions bounds how many requests from Port to Port may be open.
const maxQuestions = 1 << 14

func (c *clients) add(s *Fabric, p *Port) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == nil {
		c.at, c.asked = map[*port][]*Port{}, map[question]*Port{}
	}
	c.at[p.at] = append(c.at[p.at], p)
	p.at.mark(quickClient, true)
}

func (c *clients) remove(s *Fabric, p *Port) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.at[p.at]
	i := slices.Index(list, p)
	if i < 0 {
		return
	}
	if list = slices.Delete(slices.Clone(list), i, i+1); len(list) == 0 {
		delete(c.at, p.at)
		p.at.mark(quickClient, false)
	} else {
		c.at[p.at] = list
	}
	for q, asker := range c.asked {
		if asker == p {
			delete(c.asked, q)
		}
	}
}

// choose finds who gets a request at a port: of subnet management the subnet
// manager, which also comes first for subnet administration; else the first
// Port that did not send it, or the sender if it takes its own.
func (c *clients) choose(at *port, m *mad.Packet, sender *Port) *Port {
	var other *Port
	for _, p := range c.at[at] {
		if p.isSM.Load() && (m.Class().IsSMP() || m.Class() == mad.ClassSubnAdm && m.Method() != mad.MethodReport) {
			return p
		}
		if other == nil && (p != sender || p.takesOwn.Load()) {
			other = p
		}
	}
	if m.Class().IsSMP() {
		return nil
	}
	return other
}

// remember notes who asked.
func (c *clients) remember(q question, sender *Port) {
	if sender == nil || c.asked[q] == sender {
		return
	}
	if len(c.order) < maxQuestions {
		c.order = append(c.order, q)
	} else {
		delete(c.asked, c.order[c.next])
		c.order[c.next] = q
		c.next = (c.next + 1) % maxQuestions
	}
	c.asked[q] = sender
}

// forward gives a request that no agent answers to a Port where the packet is.
// It reports false when there is none.
func (t *trip) forward(m *mad.Packet, d *delivery, needsManager bool) bool {
	at := t.keeper()
	c := &t.sim.clients
	if !at.has(quickClient) || needsManager && c.managers.Load() == 0 {
		return false
	}
	c.mu.Lock()
	to := c.choose(at, m, d.port)
	if to != nil && d.port != nil {
		c.remember(question{d.port.at, at, m.TID(), m.Class()}, d.port)
	}
	c.mu.Unlock()
	if to == nil {
		return false
	}
	d.isForwarded = true
	from := d.from
	if m.Class() != mad.ClassSubnDirected && d.sender.IsUnicast() {
		from.LID = d.sender
	}
	from.QP = mad.QPGeneral
	if m.Class().IsSMP() {
		from.QP = mad.QPSubnet
	}
	to.arrive(m, from, t.oneWay(), nil)
	return true
}

// oneWay is how long a packet has been under way.
func (t *trip) oneWay() time.Duration {
	d := t.sim.opts.Latency/2 + time.Duration(t.hops)*t.sim.opts.HopLatency
	if t.flight != nil {
		d += t.flight.delay
	}
	return d
}

// deliver gives a response to the Port that asked. Where nobody knows who that
// was, it is the first at the port, unless an agent of the class may be meant.
func (t *trip) deliver(m *mad.Packet, sender *Port, from mad.Addr) bool {
	at := t.keeper()
	if !at.has(quickClient) {
		return false
	}
	_, converses := t.sim.agents.get(m.Class()).(Conversation)
	c := &t.sim.clients
	c.mu.RLock()
	to := c.asked[question{at, sender.at, m.TID(), m.Class()}]
	if list := c.at[at]; to == nil && !converses && len(list) > 0 {
		to = list[0]
	}
	c.mu.RUnlock()
	if to == nil {
		return false
	}
	to.arrive(m, from, t.oneWay(), nil)
	return true
}

// SetIsSM says that the program which has the port open is the subnet manager
// there, or is no longer; an issm device of the kernel does so. The port's
// CapabilityMask tells it, and a Trap of the change goes to the subnet manager
// that the port knows. The program then receives SMInfo requests, traps, and
// requests of subnet administration.
func (p *Port) SetIsSM(on bool) {
	defer p.sim.traps.flush()
	p.sim.mu.Lock()
	defer p.sim.mu.Unlock()
	if on && p.box.isClosed() || p.isSM.Swap(on) == on {
		return
	}
	c := &p.sim.clients
	if on {
		c.managers.Add(1)
	} else {
		c.managers.Add(-1)
	}
	c.mu.RLock()
	anybody := slices.ContainsFunc(c.at[p.at], func(q *Port) bool { return q.isSM.Load() })
	c.mu.RUnlock()
	v := p.sim.portInfo(p.at)
	mask := v.CapMask &^ smp.CapIsSM
	if anybody {
		mask |= smp.CapIsSM
	}
	if mask != v.CapMask {
		v.CapMask = mask
		p.sim.publish(p.at, &v)
		p.sim.notifyChange(p.at, 0)
	}
}

// TakeOwn makes requests that the port sends to itself, and that nobody else at
// it answers, come back to its own Recv: for a device that many programs share.
func (p *Port) TakeOwn() { p.takesOwn.Store(true) }

// LID is the port's base LID as it is now, 0 for none.
func (p *Port) LID() ib.LID { return p.at.lid() }
