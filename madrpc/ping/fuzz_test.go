package ping

import (
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
)

// FuzzServer lets a server hear three packets in a row.
func FuzzServer(f *testing.F) {
	var p mad.Packet
	p.Init(openib.ClassSysstat, mad.MethodGet, openib.AttrSysstatCPU, 0)
	p.SetOUI(openib.OUI)
	ack := p
	ack.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAck, Flags: mad.RMPPActive, Data1: 1, Data2: 0xffffffff})
	f.Add(p[:], ack[:], ack[:])
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		s := Server{Class: openib.ClassSysstat, OUI: openib.OUI, Host: Host{Name: "h", CPUs: make([]CPU, 500)}}
		for _, in := range [][]byte{a, b, c} {
			var p mad.Packet
			copy(p[:], in)
			replies := s.handle(&p, mad.Addr{LID: 1})
			if len(replies) > maxAtOnce {
				t.Fatalf("%d packets for one", len(replies))
			}
			for i := range replies {
				if r := &replies[i]; r.Class() != s.Class || r.Method() != mad.MethodGetResp || r.TID() != p.TID() {
					t.Fatalf("reply % x to % x", r[:40], p[:40])
				}
			}
		}
	})
}
