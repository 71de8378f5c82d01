package umadev

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// longTest is a client whose agent leaves RMPP to the kernel.
type longTest struct {
	*client
	w *wire
}

// long runs a test of long messages in virtual time.
func long(t *testing.T, f func(t *testing.T, c *longTest)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := &longTest{open(t, d), w}
		c.register(registration{qp: 1, class: uint8(mad.ClassSubnAdm), version: 2, rmppVersion: 1, methods: [16]byte{1 << mad.MethodGet, 0, 1 << (mad.MethodGetTable - 16)}})
		f(t, c)
	})
}

// write writes a message of so many bytes of data, each with its number.
func (c *longTest) write(method mad.Method, size int, timeout, retries uint32) []byte {
	c.t.Helper()
	b := make([]byte, headerSize+madHeader+size)
	ne := binary.NativeEndian
	ne.PutUint32(b[offTimeout:], timeout)
	ne.PutUint32(b[offRetries:], retries)
	putAddr(b[:headerSize], &mad.Addr{LID: 0x1234, QP: 1, QKey: mad.WellKnownQK})
	var p mad.Packet
	p.Init(mad.ClassSubnAdm, method, 0x38, 0)
	p.SetTID(7)
	p.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive})
	copy(b[headerSize:], p[:madHeader])
	data := b[headerSize+madHeader:]
	for i := range data {
		data[i] = byte(i / 7)
	}
	if errno := c.Write(b); errno != 0 {
		c.t.Fatal(errno)
	}
	return data
}

// sent takes the packets that are on the wire.
func (c *longTest) sent() (list []mad.Packet) {
	synctest.Wait()
	for len(c.w.sent) > 0 {
		list = append(list, <-c.w.sent)
	}
	return list
}

// answer gives the client a packet about the one that it sent.
func (c *longTest) answer(p *mad.Packet, h mad.RMPPHeader) {
	a := *p
	a.SetMethod(p.Method() ^ mad.ResponseBit)
	h.Version, h.Flags = mad.RMPPVersion, mad.RMPPActive|h.Flags
	a.SetRMPP(h)
	c.w.replies <- a
	synctest.Wait()
}

func (c *longTest) ack(p *mad.Packet, last, window uint32) {
	c.answer(p, mad.RMPPHeader{Type: mad.RMPPAck, Data1: last, Data2: window})
}

// want compares the segment numbers of packets.
func want(t *testing.T, what string, got []mad.Packet, segments ...uint32) {
	t.Helper()
	ok := len(got) == len(segments)
	for i := range got {
		ok = ok && got[i].RMPP().Type == mad.RMPPData && got[i].RMPP().Data1 == segments[i]
	}
	if !ok {
		t.Errorf("%s: %d packets, want segments %d", what, len(got), segments)
		for i := range got {
			t.Logf("%s %+v", got[i].Method(), got[i].RMPP())
		}
	}
}

// A message is sent in segments, each once, no further than the window; then the
// sender lets the other side answer.
func TestLongSend(t *testing.T) {
	long(t, func(t *testing.T, c *longTest) {
		data := c.write(mad.MethodGetMulti, 950, 1000, 0)
		all := c.sent()
		want(t, "before an ACK", all, 1)
		c.ack(&all[0], 1, 3)
		next := c.sent()
		want(t, "window 3", next, 2, 3)
		all = append(all, next...)
		c.ack(&all[0], 2, 3)
		want(t, "in the window", c.sent())
		c.ack(&all[0], 3, 70)
		next = c.sent()
		want(t, "the rest", next, 4, 5)
		all = append(all, next...)
		var got []byte
		for i := range all {
			got = append(got, all[i].Data()...)
		}
		if !bytes.Equal(got[:950], data) {
			t.Error("the segments hold other data")
		}
		first, last := all[0].RMPP(), all[4].RMPP()
		if first.Flags != mad.RMPPActive|mad.RMPPFirst || first.Data2 != 950+5*20 || last.Flags != mad.RMPPActive|mad.RMPPLast || last.Data2 != 150+20 {
			t.Errorf("first %+v, last %+v", first, last)
		}
		c.ack(&all[0], 5, 70)
		turn := c.sent()
		if len(turn) != 1 || turn[0].RMPP().Type != mad.RMPPAck || turn[0].RMPP().Data1 != 0 || turn[0].Method() != mad.MethodGetMulti {
			t.Fatalf("the turn is %+v", turn)
		}
		reply := all[0]
		c.answer(&reply, mad.RMPPHeader{Type: mad.RMPPData, Flags: mad.RMPPFirst | mad.RMPPLast, Data1: 1, Data2: 84})
		b, errno := c.read()
		if errno != 0 || len(b) != headerSize+madHeader+64 {
			t.Errorf("reply: %v, %d bytes", errno, len(b))
		}
	})
}

// What is not acknowledged is sent again; then the message comes back.
func TestLongSendRetries(t *testing.T) {
	long(t, func(t *testing.T, c *longTest) {
		c.write(mad.MethodGetMulti, 950, 5000, 2)
		first := c.sent()
		c.ack(&first[0], 1, 3)
		want(t, "window", c.sent(), 2, 3)
		time.Sleep(segmentTimeout)
		want(t, "once more", c.sent(), 2, 3)
		c.ack(&first[0], 2, 3)
		want(t, "an ACK in the window", c.sent())
		for range 2 {
			time.Sleep(segmentTimeout)
			want(t, "again", c.sent(), 3)
		}
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("too early: %v", errno)
		}
		time.Sleep(segmentTimeout)
		want(t, "no more", c.sent())
		b, errno := c.read()
		if errno != 0 || len(b) != headerSize+madHeaderSize || binary.NativeEndian.Uint32(b[offStatus:]) != uint32(syscall.ETIMEDOUT) {
			t.Errorf("%v, %d bytes", errno, len(b))
		}
	})
}

// A request that has come through is not repeated when no reply comes.
func TestLongSendWithoutReply(t *testing.T) {
	long(t, func(t *testing.T, c *longTest) {
		c.write(mad.MethodGetMulti, 100, 5000, 3)
		first := c.sent()
		want(t, "the whole", first, 1)
		c.ack(&first[0], 1, 64)
		c.sent()
		time.Sleep(4999 * time.Millisecond)
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("too early: %v", errno)
		}
		time.Sleep(time.Millisecond)
		want(t, "it was acknowledged", c.sent())
		if b, errno := c.read(); errno != 0 || binary.NativeEndian.Uint32(b[offStatus:]) != uint32(syscall.ETIMEDOUT) {
			t.Errorf("%v", errno)
		}
	})
}

// A server's long reply ends with the last acknowledgement, and two clients may
// have the same transaction ID.
func TestLongReply(t *testing.T) {
	long(t, func(t *testing.T, c *longTest) {
		c.write(mad.MethodGetTable|mad.ResponseBit, 500, 0, 0)
		first := c.sent()
		want(t, "a reply", first, 1)
		if first[0].TID() != 7 {
			t.Errorf("transaction ID %#x", first[0].TID())
		}
		c.ack(&first[0], 1, 10)
		want(t, "the rest", c.sent(), 2, 3)
		c.ack(&first[0], 3, 10)
		want(t, "at the end", c.sent())
		time.Sleep(time.Minute)
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("after the end: %v", errno)
		}
		c.write(mad.MethodGetTable|mad.ResponseBit, 500, 0, 0)
		c.sent()
		r := c.Handle.(*file).agents[0]
		if r.requests[keyOf(&first[0], ib.LID(0x4321))] != nil || r.requests[keyOf(&first[0], ib.LID(0x1234))] == nil {
			t.Error("replies of one ID are not told apart")
		}
	})
}

// What ends a message, and what the sender says to that.
func TestLongSendEnds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header mad.RMPPHeader
		status mad.RMPPStatus
	}{
		{name: "ABORT", header: mad.RMPPHeader{Type: mad.RMPPAbort, Status: mad.RMPPUnspecified}},
		{name: "STOP", header: mad.RMPPHeader{Type: mad.RMPPStop, Status: mad.RMPPResourcesExhausted}},
		{name: "window", header: mad.RMPPHeader{Type: mad.RMPPAck, Data1: 2, Data2: 1}, status: mad.RMPPNewWindowTooSmall},
		{name: "segment", header: mad.RMPPHeader{Type: mad.RMPPAck, Data1: 9, Data2: 10}, status: mad.RMPPSegmentNumberTooBig},
	} {
		long(t, func(t *testing.T, c *longTest) {
			c.write(mad.MethodGetMulti, 950, 1000, 3)
			first := c.sent()
			c.answer(&first[0], tt.header)
			got := c.sent()
			if tt.status == 0 && len(got) != 0 || tt.status != 0 && (len(got) != 1 || got[0].RMPP().Status != tt.status) {
				t.Errorf("%s: %+v", tt.name, got)
			}
			time.Sleep(time.Minute)
			want(t, tt.name, c.sent())
			if _, errno := c.read(); errno != syscall.EAGAIN {
				t.Errorf("%s: the client hears of it: %v", tt.name, errno)
			}
		})
	}
}

// A long request reaches the program that answers its class, in one piece.
func TestLongRequestArrives(t *testing.T) {
	long(t, func(t *testing.T, c *longTest) {
		var p mad.Packet
		p.Init(mad.ClassSubnAdm, mad.MethodGetTable, 0x38, 0)
		for n := range uint32(3) {
			flags := mad.RMPPActive
			if n == 0 {
				flags |= mad.RMPPFirst
			}
			if n == 2 {
				flags |= mad.RMPPLast
			}
			p.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: flags, Data1: n + 1, Data2: 70})
			c.w.replies <- p
			synctest.Wait()
		}
		acks := c.sent()
		if len(acks) != 2 || acks[0].RMPP().Data1 != 1 || acks[1].RMPP().Data1 != 3 || acks[1].Method() != mad.MethodGetTable|mad.ResponseBit {
			t.Errorf("acknowledged by %+v", acks)
		}
		b, errno := c.read()
		if errno != 0 || len(b) != headerSize+madHeader+200+200+50 {
			t.Errorf("%v, %d bytes", errno, len(b))
		}
	})
}
