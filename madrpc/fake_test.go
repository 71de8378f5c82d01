package madrpc

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// fake is a scripted transport: onSend sees each packet sent and says what
// comes of it, by deliver, deliverAfter and giveBack.
type fake struct {
	onSend func(n int, p mad.Packet) error // n counts from 1; nil: everything is lost

	from mad.Addr // that received packets have

	in     chan incoming
	closed chan struct{}
	once   sync.Once

	mu   sync.Mutex
	sent []sentPacket
}

type incoming struct {
	p   mad.Packet
	err error
}

type sentPacket struct {
	p       mad.Packet
	to      mad.Addr
	timeout time.Duration
	at      time.Time
}

func newFake() *fake {
	return &fake{in: make(chan incoming, 1<<14), closed: make(chan struct{})}
}

// echo is a fake that answers everything after delay.
func echo(delay time.Duration) *fake {
	f := newFake()
	f.onSend = func(_ int, p mad.Packet) error {
		f.deliverAfter(delay, reply(p))
		return nil
	}
	return f
}

func (f *fake) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	f.mu.Lock()
	f.sent = append(f.sent, sentPacket{*p, to, timeout, time.Now()})
	n := len(f.sent)
	f.mu.Unlock()
	if f.onSend == nil {
		return nil
	}
	return f.onSend(n, *p)
}

func (f *fake) Recv(p *mad.Packet) (mad.Addr, error) {
	select {
	case m := <-f.in:
		*p = m.p
		return f.from, m.err
	case <-f.closed:
		return mad.Addr{}, os.ErrClosed
	}
}

func (f *fake) Close() error {
	f.once.Do(func() { close(f.closed) })
	return nil
}

func (f *fake) deliver(p mad.Packet) { f.in <- incoming{p: p} }

func (f *fake) deliverAfter(d time.Duration, p mad.Packet) {
	time.AfterFunc(d, func() { f.deliver(p) })
}

// giveBack reports p as unanswered; only its common header comes back.
func (f *fake) giveBack(p mad.Packet, err error) {
	clear(p[24:])
	f.in <- incoming{p, &mad.SendError{Err: err}}
}

func (f *fake) sends() []sentPacket {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sent[:len(f.sent):len(f.sent)]
}

// reply is the good answer to p, with data 0xaa.
func reply(p mad.Packet) mad.Packet {
	p.SetMethod(mad.MethodGetResp)
	p[1] = byte(p.Class())
	if p.Class() == mad.ClassSubnDirected {
		p.SetReturning(true)
	}
	for i := range p.SMPData() {
		p.SMPData()[i] = 0xaa
	}
	return p
}

func withStatus(p mad.Packet, s mad.Status) mad.Packet {
	p.SetStatus(s)
	return p
}

// portInfo is a request for PortInfo of a port of the node at lid.
func portInfo(lid ib.LID, port uint32) *Request {
	r := &Request{Target: mad.ByLID(lid)}
	r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0015, port)
	return r
}

// checkStats compares after everything has come to rest; InFlight and Waiting
// are part of it, so nothing may be left over.
func checkStats(t *testing.T, c *Client, want Stats) {
	t.Helper()
	got := c.Stats()
	got.Window = 0 // it adapts
	if got != want {
		t.Errorf("stats\n got %+v\nwant %+v", got, want)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.targets.inUse(); n != 0 && want.InFlight+want.Waiting == 0 {
		t.Errorf("%d targets left in an idle client", n)
	}
	if n := len(c.timers.heap); n != 0 && want.InFlight == 0 {
		t.Errorf("%d timers left in an idle client", n)
	}
}
