package sa_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
)

// multiPath is the data of a MultiPathRecord with any number of GIDs.
func (c *client) multiPath(sources, dests int) []byte {
	h := c.adapters()
	v := adm.MultiPathRecord{NumPath: 1, SGIDCount: uint8(sources), DGIDCount: uint8(dests)}
	whole, err := v.AppendBinary(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	b := whole[:24:24]
	for i := range sources + dests {
		g := c.gid(h[i%len(h)])
		b = append(b, g[:]...)
	}
	return b
}

// long sends data in segments, as fast as the receiver lets it, and returns the
// packets that come after the last one.
func (c *client) long(m *mad.Packet, data []byte) []mad.Packet {
	c.t.Helper()
	n := (len(data) + 199) / 200
	window := 1
	for i := 1; ; i++ {
		p := *m
		part := data[(i-1)*200 : min(i*200, len(data))]
		clear(p.Data())
		copy(p.Data(), part)
		h := mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive, Data1: uint32(i)}
		if i == 1 {
			h.Flags |= mad.RMPPFirst
			h.Data2 = uint32(len(data) + 20*n)
		}
		if i == n {
			h.Flags |= mad.RMPPLast
			h.Data2 = uint32(len(part) + 20)
		}
		p.SetRMPP(h)
		got := c.send(&p)
		if len(got) > 0 {
			a := got[0].RMPP()
			if a.Type != mad.RMPPAck || a.Data1 != uint32(i) || got[0].Method() != m.Method()|mad.ResponseBit {
				c.t.Fatalf("segment %d is answered by %s %+v", i, got[0].Method(), a)
			}
			window = int(a.Data2)
		}
		if i == n {
			return got[1:]
		}
		if i == window {
			c.t.Fatalf("no acknowledgement of segment %d, the end of the window", i)
		}
	}
}

// A request of several segments is one request, however many there are.
func TestLongRequest(t *testing.T) {
	c := open(t, "fattree?levels=2&radix=8")
	const counts = adm.CompMultiPathRecordSGIDCount | adm.CompMultiPathRecordDGIDCount
	for _, n := range [][2]int{{1, 2}, {5, 7}, {10, 20}, {120, 127}} {
		m := c.request(mad.MethodGetMulti, &adm.MultiPathRecord{}, counts|adm.CompMultiPathRecordNumPath)
		got := c.long(m, c.multiPath(n[0], n[1]))
		if len(got) != 1 || got[0].Status() != 0 || got[0].RMPP().Type != mad.RMPPData {
			t.Fatalf("%v: %d replies, %+v", n, len(got), got)
		}
		bytes, segment := 0, uint32(1)
		for len(got) > 0 {
			for i := range got {
				h := got[i].RMPP()
				if h.Data1 != segment {
					t.Fatalf("segment %d, want %d", h.Data1, segment)
				}
				segment++
				bytes += 200
				if h.Flags&mad.RMPPLast != 0 {
					bytes += int(h.Data2) - 220
				}
			}
			end := got[len(got)-1]
			got = c.send(ack(&end, segment-1, segment+100))
		}
		if want := n[0] * n[1] * 64; bytes != want {
			t.Errorf("%v: %d bytes of paths, want %d", n, bytes, want)
		}
	}
}

// A Set may come as a message of RMPP too.
func TestLongSet(t *testing.T) {
	c := open(t, "star")
	v := adm.ServiceRecord{ID: 7, GID: c.gid(c.adapters()[0]), PKey: 0xffff, Lease: 10}
	m := c.request(mad.MethodSet, &v, adm.CompServiceRecordID|adm.CompServiceRecordGID|adm.CompServiceRecordPKey|adm.CompServiceRecordLease)
	got := c.long(m, append([]byte(nil), m.Data()[:176]...))
	if len(got) != 1 || got[0].Status() != 0 || got[0].Method() != mad.MethodGetResp {
		t.Fatalf("%d replies: %+v", len(got), got)
	}
	if n := len(c.table(mad.MethodGetTable, &adm.ServiceRecord{}, 0)); n != 1 {
		t.Errorf("%d services", n)
	}
}

// Segments that are missing are not made up, those that come again are told that
// they have come, and a message that does not end is forgotten.
func TestLostSegments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, "star")
		segment := func(n uint32, flags uint8) []mad.Packet {
			m := c.request(mad.MethodGetMulti, &adm.MultiPathRecord{}, 0)
			m.SetTID(99)
			m.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPData, Flags: mad.RMPPActive | flags, Data1: n, Data2: 220})
			return c.send(m)
		}
		want := func(what string, got []mad.Packet, typ mad.RMPPType, data1 uint32, status mad.RMPPStatus) {
			t.Helper()
			if len(got) != 1 || got[0].RMPP().Type != typ || got[0].RMPP().Data1 != data1 || got[0].RMPP().Status != status {
				t.Errorf("%s: %d packets %+v", what, len(got), got)
			}
		}
		if got := segment(2, 0); len(got) != 0 {
			t.Errorf("a second segment without the first: %+v", got)
		}
		want("no flag First", segment(1, 0), mad.RMPPAbort, 0, mad.RMPPInconsistentFirst)
		want("the first", segment(1, mad.RMPPFirst), mad.RMPPAck, 1, 0)
		want("the first again", segment(1, mad.RMPPFirst), mad.RMPPAck, 1, 0)
		if got := segment(3, 0); len(got) != 0 {
			t.Errorf("the second is missing: %+v", got)
		}
		segment(2, 0)
		want("the second again", segment(2, 0), mad.RMPPAck, 2, 0)
		time.Sleep(time.Minute)
		if got := segment(3, 0); len(got) != 0 {
			t.Errorf("after a minute: %+v", got)
		}
		for i := uint32(1); ; i++ {
			flags := uint8(0)
			if i == 1 {
				flags = mad.RMPPFirst
			}
			got := segment(i, flags)
			if len(got) == 1 && got[0].RMPP().Type == mad.RMPPAbort {
				if got[0].RMPP().Status != mad.RMPPResourcesExhausted {
					t.Errorf("%+v", got[0].RMPP())
				}
				break
			}
			if i > 1000 {
				t.Fatal("the message grows without bound")
			}
		}
	})
}
