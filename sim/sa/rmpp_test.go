package sa_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// Windows of any size give the same table.
func TestWindows(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=16")
	want := len(c.subnet.Ports)
	for _, window := range []uint32{0x7fffffff, 1, 2, 7, 64, 10000} {
		c.window = window
		if got := len(c.table(mad.MethodGetTable, &adm.NodeRecord{}, 0)); got != want {
			t.Errorf("window %d: %d records, want %d", window, got, want)
		}
	}
}

// Without acknowledgements the sender tries again, then says that it gives up.
func TestResend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "fattree?levels=2&radix=8")
		first := c.send(c.request(mad.MethodGetTable, &adm.NodeRecord{}, 0))[0]
		if h := first.RMPP(); h.Flags != mad.RMPPActive|mad.RMPPFirst || h.Data1 != 1 {
			t.Fatalf("%+v", h)
		}
		if got := c.send(ack(&first, 1, 4)); len(got) != 3 {
			t.Fatalf("%d segments in the window", len(got))
		}
		time.Sleep(600 * time.Millisecond)
		synctest.Wait()
		if got := c.take(); len(got) != 3 || got[0].RMPP().Data1 != 2 {
			t.Errorf("%d segments come again", len(got))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		got := c.take()
		last := got[len(got)-1].RMPP()
		if last.Type != mad.RMPPAbort || last.Status != mad.RMPPTooManyRetries || len(got) != 4*3+1 {
			t.Errorf("%d packets, the last is %+v", len(got), last)
		}
	})
}

// What a receiver may not say ends the transfer with an ABORT that says why.
func TestBadAcknowledgements(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=8")
	for want, h := range map[mad.RMPPStatus]mad.RMPPHeader{
		mad.RMPPSegmentNumberTooBig: {Version: 1, Type: mad.RMPPAck, Data1: 9, Data2: 20},
		mad.RMPPNewWindowTooSmall:   {Version: 1, Type: mad.RMPPAck, Data1: 1},
		mad.RMPPUnsupportedVersion:  {Version: 2, Type: mad.RMPPAck, Data1: 1, Data2: 2},
		mad.RMPPBadType:             {Version: 1, Type: 9},
	} {
		m := c.send(c.request(mad.MethodGetTable, &adm.NodeRecord{}, 0))[0]
		h.Flags = mad.RMPPActive
		a := ack(&m, 0, 0)
		a.SetRMPP(h)
		got := c.send(a)
		if len(got) != 1 || got[0].RMPP().Type != mad.RMPPAbort || got[0].RMPP().Status != want {
			t.Errorf("%d packets, want an ABORT with %v", len(got), want)
		}
		if got := c.send(ack(&m, 1, 5)); len(got) != 0 {
			t.Errorf("%v: %d packets after the end", want, len(got))
		}
	}
	m := c.send(c.request(mad.MethodGetTable, &adm.NodeRecord{}, 0))[0]
	a := ack(&m, 0, 0)
	a.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAbort, Flags: mad.RMPPActive, Status: mad.RMPPUnspecified})
	if got := append(c.send(a), c.send(ack(&m, 1, 5))...); len(got) != 0 {
		t.Errorf("%d packets after the receiver's ABORT", len(got))
	}
}

// A client may have so many transfers, and a repeated request begins no other.
func TestBounds(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=8")
	var last *mad.Packet
	for i := range 17 {
		last = c.request(mad.MethodGetTable, &adm.NodeRecord{}, 0)
		got := c.send(last)
		if h := got[0].RMPP(); (h.Type == mad.RMPPData) != (i < 16) {
			t.Errorf("transfer %d: %+v", i, h)
		}
	}
	last.SetTID(1)
	if got := c.send(last); len(got) != 0 {
		t.Errorf("a repeated request: %d packets", len(got))
	}
}

// With packets lost, the table arrives all the same.
func TestLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := must[*fabric.Fabric](t)(gen.Parse("fattree?levels=2&radix=8"))
		c := openOn(t, model, &sim.Options{Loss: 0.1, Seed: 3})
		request := c.request(mad.MethodGetTable, &adm.NodeRecord{}, 0)
		got := c.send(request)
		for len(got) == 0 {
			got = c.send(request)
		}
		have := uint32(0)
		for range 100 {
			for i := range got {
				if h := got[i].RMPP(); h.Type == mad.RMPPData && h.Data1 == have+1 {
					if have++; h.Flags&mad.RMPPLast != 0 {
						return
					}
				}
			}
			m := *request
			m.SetMethod(mad.MethodGetTable | mad.ResponseBit)
			if got = c.send(ack(&m, have, have+4)); len(got) == 0 {
				time.Sleep(time.Second / 2)
				synctest.Wait()
				got = c.take()
			}
		}
		t.Errorf("only %d segments came", have)
	})
}

// FuzzRequests sends anything, twice, and answers what comes.
func FuzzRequests(f *testing.F) {
	f.Add(byte(mad.MethodGetTable), uint16(0x11), uint64(0), uint32(0), []byte{1, 1, 1, 0})
	f.Add(byte(mad.MethodGet), uint16(0x35), uint64(0x3f), uint32(1), []byte{0, 0, 0, 0, 9})
	f.Add(byte(mad.MethodSet), uint16(0x38), uint64(0xffffffff), uint32(0), []byte{})
	f.Add(byte(mad.MethodGetMulti), uint16(0x3a), uint64(0x180000), uint32(7), []byte{1, 1, 7, 0})
	f.Add(byte(mad.MethodDelete), uint16(0x31), uint64(7), uint32(7), []byte{1, 2, 1, 0, 0, 0, 0, 5, 0, 0, 0, 9})
	c := open(f, "fattree?levels=2&radix=4")
	c.key = 1
	f.Fuzz(func(t *testing.T, method byte, attr uint16, mask uint64, modifier uint32, body []byte) {
		c.t = t
		var m mad.Packet
		m.Init(mad.ClassSubnAdm, mad.Method(method), mad.AttrID(attr), modifier)
		m.SetTID(uint64(method))
		copy(m[24:], body)
		if len(body) < 36-24 {
			m.SetSMKey(1)
		}
		m.SetCompMask(mask)
		for range 2 {
			got := c.send(&m)
			for i := range min(len(got), 3) {
				r := got[i]
				if r.Status() == 0 && r.RMPP().Type == mad.RMPPData {
					c.send(ack(&r, r.RMPP().Data1, r.RMPP().Data1+uint32(attr)))
				}
			}
		}
	})
}
