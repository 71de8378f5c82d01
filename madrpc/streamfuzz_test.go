package madrpc

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// TestStreamFlood: an agent that does not care for the window does not fill the
// memory.
func TestStreamFlood(t *testing.T) {
	c := New(newFake(), nil)
	defer c.Close()
	r := tableRequest()
	s := c.Stream(r)
	defer s.Close()
	p := awaitFlight(t, c, r)
	for n := uint32(1); n < 3*maxAhead; n++ {
		c.deliver(segmentOf(p, mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive, Data1: n}), mad.Addr{LID: 1})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(s.t.pending); n > maxAhead*200 {
		t.Errorf("%d bytes wait for the reader", n)
	}
}

// awaitFlight waits until r has been sent and gives its packet.
func awaitFlight(t testing.TB, c *Client, r *Request) mad.Packet {
	t.Helper()
	for range 1000 {
		c.mu.Lock()
		state, p := r.state, r.Packet
		c.mu.Unlock()
		if state == stateFlying {
			return p
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the request was not sent")
	return mad.Packet{}
}

// segmentOf is a packet of the reply to request.
func segmentOf(request mad.Packet, h mad.RMPPHeader) *mad.Packet {
	p := request
	p.SetMethod(mad.MethodGetTable | mad.ResponseBit)
	p.SetRMPP(h)
	if h.Data1 == 1 {
		h.Flags |= mad.RMPPFirst
		p.SetRMPP(h)
	}
	return &p
}

// FuzzStream feeds any packets to a stream: 12 bytes of RMPP header each. No more
// data may come out than went in, and an end is an end.
func FuzzStream(f *testing.F) {
	f.Add([]byte{1, 1, 7, 0, 0, 0, 0, 1, 0, 0, 0, 120})
	f.Add([]byte{1, 1, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 5, 0, 0, 0, 0, 2, 0, 0, 0, 20})
	f.Add([]byte{1, 4, 1, 126, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{1, 1, 1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, in []byte) {
		c := New(newFake(), nil)
		defer c.Close()
		r := tableRequest()
		s := c.Stream(r)
		defer s.Close()
		p := awaitFlight(t, c, r)
		packets := 0
		for ; len(in) >= 12; in = in[12:] {
			q := p
			q.SetMethod(mad.MethodGetTable | mad.ResponseBit)
			copy(q[24:36], in)
			c.deliver(&q, mad.Addr{LID: 1})
			packets++
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(s.t.pending) > packets*200 || s.t.received > uint32(packets) {
			t.Fatalf("%d packets gave %d bytes, number %d", packets, len(s.t.pending), s.t.received)
		}
		if s.t.hasFirst && s.t.granted > s.t.received+segmentWindow+1 {
			t.Fatalf("window up to %d after %d packets", s.t.granted, s.t.received)
		}
		for _, m := range c.controls {
			if h := m.p.RMPP(); h.Type == mad.RMPPData || binary.BigEndian.Uint64(m.p[8:]) != p.TID() {
				t.Fatalf("sent % x", m.p[:36])
			}
		}
	})
}
