package madrpc

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// Nothing but the right reply ends a request, and each stray is counted as
// what it is.
func TestStrays(t *testing.T) {
	tests := []struct {
		name  string
		stray func(p *mad.Packet) // changes the good reply
		stats Stats
	}{
		{"wrong TID", func(p *mad.Packet) { p.SetTID(p.TID() + 1) }, Stats{Unmatched: 1}},
		{"TID zero", func(p *mad.Packet) { p.SetTID(0) }, Stats{Unmatched: 1}},
		{"other SMP class", func(p *mad.Packet) { p.SetClass(mad.ClassSubnDirected) }, Stats{Unmatched: 1}},
		{"other class", func(p *mad.Packet) { p.SetClass(mad.ClassPerf) }, Stats{Unmatched: 1}},
		{"other method", func(p *mad.Packet) { p.SetMethod(mad.MethodGetTable | mad.ResponseBit) }, Stats{Unmatched: 1}},
		{"other attribute", func(p *mad.Packet) { p[17]++ }, Stats{Unmatched: 1}},
		{"other attribute with error", func(p *mad.Packet) { p[17]++; p.SetStatus(mad.StatusInvalidValue) }, Stats{Unmatched: 1}},
		{"other port", func(p *mad.Packet) { p.SetModifier(4) }, Stats{Unmatched: 1}},
		{"request", func(p *mad.Packet) { p.SetMethod(mad.MethodGet) }, Stats{Foreign: 1}},
		{"all zero", func(p *mad.Packet) { *p = mad.Packet{} }, Stats{Malformed: 1}},
		{"header cut off in the TID", func(p *mad.Packet) { clear(p[12:]) }, Stats{Unmatched: 1}},
		{"other base version", func(p *mad.Packet) { p[0] = 0x80 }, Stats{Malformed: 1}},
		{"hop count", func(p *mad.Packet) { p.SetClass(mad.ClassSubnDirected); p[7] = 64 }, Stats{Malformed: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.onSend = func(_ int, p mad.Packet) error {
					r := reply(p)
					test.stray(&r)
					f.deliver(r)
					f.deliverAfter(10*ms, reply(p))
					return nil
				}
				c := New(f, nil)
				defer c.Close()
				start := time.Now()
				if err := c.Do(t.Context(), portInfo(4, 3)); err != nil || time.Since(start) != 10*ms {
					t.Errorf("%v after %v", err, time.Since(start))
				}
				test.stats.Sent, test.stats.Replies = 1, 1
				checkStats(t, c, test.stats)
			})
		})
	}
}

// What may differ in a good reply.
func TestAnswers(t *testing.T) {
	tests := []struct {
		name            string
		class           mad.Class
		method, replies mad.Method
		attr            mad.AttrID
		modifier        uint32
		change          func(p *mad.Packet)
		want            bool
	}{
		{"upper half of the TID", 1, 1, 0x81, 0x11, 0, func(p *mad.Packet) { p.SetTID(p.TID() | 7<<32) }, true},
		{"abilities in PortInfo", 1, 1, 0x81, 0x15, 1<<31 | 5, func(p *mad.Packet) { p.SetModifier(5) }, true},
		{"unused modifier", 1, 1, 0x81, 0x11, 1, func(p *mad.Packet) { p.SetModifier(0) }, true},
		{"block of the forwarding table", 1, 1, 0x81, 0x19, 1, func(p *mad.Packet) { p.SetModifier(2) }, false},
		{"block with error", 1, 1, 0x81, 0x19, 1, func(p *mad.Packet) { p.SetModifier(2); p.SetStatus(mad.StatusInvalidValue) }, true},
		{"modifier of general services", 4, 1, 0x81, 0x19, 1, func(p *mad.Packet) { p.SetModifier(2) }, true},
		{"GetResp to Set", 1, 2, 0x81, 0x15, 1, nil, true},
		{"SetResp", 1, 2, 0x82, 0x15, 1, nil, true},
		{"Get of an other", 1, 2, 0x01, 0x15, 1, nil, false},
		{"GetTable", 3, 0x12, 0x92, 0x35, 0, nil, true},
		{"GetTableResp to GetTraceTable", 3, 0x13, 0x92, 0x35, 0, nil, true},
		{"TrapRepress", 1, 5, 7, 2, 0, nil, true},
		{"TrapRepress to Get", 1, 1, 7, 2, 0, nil, false},
		{"redirection", 4, 1, 0x81, 0x12, 0, func(p *mad.Packet) { p[16], p[17] = 0, 1; p.SetStatus(mad.StatusRedirect) }, true},
		{"ClassPortInfo unasked", 4, 1, 0x81, 0x12, 0, func(p *mad.Packet) { p[16], p[17] = 0, 1 }, false},
	}
	for _, test := range tests {
		var request mad.Packet
		request.Init(test.class, test.method, test.attr, test.modifier)
		r := request
		r.SetMethod(test.replies)
		if test.change != nil {
			test.change(&r)
		}
		if got := answers(&r, &request); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// A returned packet that is not the request ends no try.
func TestStrayReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			other := p
			other.SetModifier(9)
			f.giveBack(other, os.ErrDeadlineExceeded)
			other = p
			other.SetTID(p.TID() - 5)
			f.giveBack(other, os.ErrDeadlineExceeded)
			return nil
		}
		c := New(f, &Options{Retries: -1})
		defer c.Close()
		start := time.Now()
		if err := c.Do(t.Context(), portInfo(4, 3)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		checkStats(t, c, Stats{Sent: 1, TimedOut: 1, Returned: 2, Unmatched: 2})
	})
}

// A transport that fills nothing in must not show the packet before once more.
func TestShortRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			f.deliver(reply(p))
			f.deliver(mad.Packet{})
			return nil
		}
		c := New(shortReads{f}, nil)
		defer c.Close()
		if err := c.Do(t.Context(), portInfo(4, 3)); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		checkStats(t, c, Stats{Sent: 1, Replies: 1, Malformed: 1})
	})
}

// shortReads leaves the packet as it is where the fake would clear it.
type shortReads struct{ *fake }

func (s shortReads) Recv(p *mad.Packet) (mad.Addr, error) {
	var got mad.Packet
	from, err := s.fake.Recv(&got)
	if got != (mad.Packet{}) {
		*p = got
	}
	return from, err
}

// FuzzReceive delivers arbitrary bytes while a request is in flight. Whatever
// they are, the request ends only by a packet that has all of its marks.
func FuzzReceive(f *testing.F) {
	var seed mad.Packet
	seed.Init(mad.ClassSubnLID, mad.MethodGetResp, 0x15, 3)
	f.Add(seed[:], true, false)
	f.Add(seed[:20], true, false)
	f.Add(seed[:], false, true)
	f.Add([]byte{}, false, false)
	f.Fuzz(func(t *testing.T, data []byte, knowsTID, lost bool) {
		c := &Client{
			policy:  newPolicy(&Options{}),
			wake:    make(chan struct{}, 1),
			tids:    newTIDs(64),
			targets: targets{m: map[mad.Target]*target{}},
		}
		q := c.NewQueue()
		r := portInfo(4, 3)
		q.Start(r)
		var out mad.Packet
		c.t = &fake{}
		c.mu.Lock()
		c.try(c.nextToSend(0), 0, &out)
		c.mu.Unlock()

		var p mad.Packet
		copy(p[:], data)
		if knowsTID {
			p.SetTID(p.TID()&^0xffffffff | out.TID())
		}
		genuine := p.BaseVersion() == 1 && uint32(p.TID()) == uint32(out.TID()) && p.Class() == out.Class() &&
			p.Method() == mad.MethodGetResp && p.AttrID() == out.AttrID()
		if lost {
			c.returned(&p, &mad.SendError{Err: os.ErrDeadlineExceeded})
		} else {
			c.deliver(&p, mad.Addr{})
		}
		if r.state == stateDone && r.Err == nil && (lost || !genuine || p.Modifier()&0xff != 3 || p.Status() != 0) {
			t.Fatalf("ended by %x", p[:24])
		}
		if r.state == stateDone && r.Err != nil && (lost || p.AttrID() != 1 && (!genuine || p.Status() == 0)) {
			t.Fatalf("failed with %v by %x", r.Err, p[:24])
		}
		c.fail(os.ErrClosed) // all bookkeeping must be left in order
		if s := c.Stats(); s.InFlight != 0 || s.Waiting != 0 || len(c.timers.heap) != 0 {
			t.Fatalf("left over: %+v", s)
		}
	})
}
