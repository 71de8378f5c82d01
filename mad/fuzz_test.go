package mad_test

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// FuzzPacket reads every header of any bytes, and writes the routing part of a
// subnet management packet over them: what was written is read back, and no
// other byte of the packet changes.
func FuzzPacket(f *testing.F) {
	f.Add([]byte{1, 0x81, 1, 1}, "0,1,2", uint16(7), uint16(0))
	f.Add([]byte{1, 0x03, 2, 0x92, 0x80, 0x1c}, "0", uint16(0xffff), uint16(1))
	f.Fuzz(func(t *testing.T, raw []byte, route string, slid, dlid uint16) {
		var p mad.Packet
		copy(p[:], raw)
		_, _, _ = p.Class().String(), p.Method().String(), p.Status().Error()
		_, _, _ = p.AttrID(), p.Modifier(), p.TID()
		path, err := ib.ParseDRPath(route)
		if err != nil {
			return
		}
		before := p
		p.SetRoute(path, ib.LID(slid), ib.LID(dlid))
		if int(p.HopCount()) != path.Len() || p.HopPointer() != 0 {
			t.Fatalf("hop count %d, pointer %d, want %d, 0", p.HopCount(), p.HopPointer(), path.Len())
		}
		for i := range path.Len() {
			if int(p.InitialPath()[i+1]) != path.Hop(i) {
				t.Fatalf("hop %d is %d, want %d", i, p.InitialPath()[i+1], path.Hop(i))
			}
		}
		for i, b := range p {
			routing := i == 6 || i == 7 || i >= 32 && i < 36 || i >= 128 && i < 192
			if !routing && b != before[i] {
				t.Fatalf("byte %d changed from %#x to %#x", i, before[i], b)
			}
		}
		status := mad.Status(slid)
		returning := p.IsReturning()
		p.SetStatus(status)
		if p.Class() == mad.ClassSubnDirected && (p.IsReturning() != returning || p.Status() != status&0x7fff) {
			t.Fatalf("status %v, returning %v; want %v, %v", p.Status(), p.IsReturning(), status&0x7fff, returning)
		}
	})
}
