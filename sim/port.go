package sim

import (
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// Port is an open port of a simulated fabric: a transport of package madrpc.
//
// Programs that have Ports open talk to each other. A request that no agent
// answers reaches the Recv of a Port that is open where it arrives, other than
// the sender's, and a response sent there goes back to who asked. The program
// that is subnet manager (see SetIsSM) gets SMInfo requests, traps, and first of
// all those of subnet administration.
//
// Requests that get lost, for whatever reason, are never heard of again, unless
// ReturnLost was called.
type Port struct {
	sim   *Fabric
	at    *port
	id    uint64 // which of the fabric's ports, for its own random numbers
	sends atomic.Uint64
	wire  wire
	box   mailbox

	isSM         atomic.Bool
	takesOwn     atomic.Bool
	returnsLost  bool
	receiver     func(m *mad.Packet, from mad.Addr, err error)
	receivesLate bool
}

// ReturnLost makes Recv give back each request that nothing will answer, as
// soon as that is known: beside a *mad.SendError of ETIMEDOUT, and from the
// address that it was sent to. It must be called before the first Send.
func (p *Port) ReturnLost() { p.returnsLost = true }

// Receive makes f take what arrives without delay, on the spot: it is called
// by the goroutine that sends, also by several at once, with what Recv would
// return; the packet is valid until f returns. What comes later, because of a
// latency, is still for Recv. It must be called before the first Send, and f
// must not wait.
func (p *Port) Receive(f func(m *mad.Packet, from mad.Addr, err error)) { p.receiver = f }

// ReceiveLate makes the function of Receive take also what comes later, from goroutines
// of its own, so that nothing is left for Recv.
func (p *Port) ReceiveLate() { p.receivesLate = true }

func newPort(s *Fabric, n *fabric.Node, num uint8) *Port {
	p := &Port{sim: s, at: &s.nodes[n.Index()].ports[num], id: s.ports.Add(1)}
	p.box.init()
	if s.physics != nil {
		p.box.gap = s.physics.packet
	}
	s.clients.add(s, p)
	return p
}

// Node is the node that the port belongs to.
func (p *Port) Node() *fabric.Node { return p.at.node.model }

// Num is the number of the port, 0 on a switch.
func (p *Port) Num() int { return int(p.at.num) }

// Send puts a copy of m on the wire. It never blocks; timeout is ignored. After
// Close it is an Error that wraps os.ErrClosed.
func (p *Port) Send(m *mad.Packet, to mad.Addr, _ time.Duration) error {
	if p.box.isClosed() {
		return p.closedError("send")
	}
	nth := p.sends.Add(1) * 2
	c := p.sim.packets.Get().(*carrier)
	defer p.sim.packets.Put(c)
	c.flight.begin(p, m, nth)
	if p.isLost(nth) {
		c.flight.fail(m, false)
		p.lose(m, to)
		return nil
	}
	reply := &c.packet
	*reply = *m
	d, ok := p.exchange(c, to)
	defer p.sim.traps.flush()
	if d.isForwarded {
		c.flight.fail(m, true)
		return nil
	}
	if !ok || p.isLost(nth+1) {
		c.flight.fail(m, false)
		p.lose(m, to)
		return nil
	}
	c.flight.land(reply, &d)
	for range 1 + d.extraCopies {
		p.arrive(reply, d.from, d.delay, nil)
	}
	return nil
}

// lose ends a packet that nobody gets.
func (p *Port) lose(m *mad.Packet, to mad.Addr) {
	if p.returnsLost && !m.IsResponse() {
		p.arrive(m, to, 0, errLost)
	}
}

// errLost is what comes beside a request that nothing will answer.
var errLost error = &mad.SendError{Err: syscall.ETIMEDOUT}

// arrive gives the port a packet, after delay. Err is nil or errLost.
func (p *Port) arrive(m *mad.Packet, from mad.Addr, delay time.Duration, err error) {
	switch {
	case p.receiver == nil || delay > 0 && !p.receivesLate:
		p.box.put(m, from, delay, err != nil)
	case p.box.isClosed():
	case delay > 0:
		late := *m
		time.AfterFunc(delay, func() { p.arrive(&late, from, 0, err) })
	default:
		p.receiver(m, from, err)
	}
}

// Recv waits for the next reply. After Close it is an Error that wraps
// os.ErrClosed.
func (p *Port) Recv(m *mad.Packet) (mad.Addr, error) {
	from, lost, ok := p.box.take(m)
	switch {
	case !ok:
		return mad.Addr{}, p.closedError("recv")
	case lost:
		return from, errLost
	}
	return from, nil
}

// Close ends Recv and drops what was not received. It may be called again.
func (p *Port) Close() error {
	p.box.close()
	p.SetIsSM(false)
	p.sim.clients.remove(p.sim, p)
	return nil
}

func (p *Port) closedError(op string) error {
	return &Error{Op: op, Obj: "node " + p.at.node.guid().String() + " port " + strconv.Itoa(int(p.at.num)), Err: os.ErrClosed}
}

func (p *Port) isLost(nth uint64) bool {
	return p.sim.opts.Loss > 0 && chance(p.sim.opts.Seed, p.id, nth) < p.sim.opts.Loss
}
