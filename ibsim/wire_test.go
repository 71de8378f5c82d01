package ibsim

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// littleEndian skips a test whose bytes were recorded on such a machine.
func littleEndian(t *testing.T) {
	t.Helper()
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the recorded bytes are those of a little-endian machine")
	}
}

func TestDatagramBytes(t *testing.T) {
	littleEndian(t)
	for _, tc := range []struct {
		name   string
		class  mad.Class
		to     mad.Addr
		header string
	}{
		{
			"directed", mad.ClassSubnDirected,
			mad.Addr{LID: ib.PermissiveLID},
			"ffff0000 ffff0000 00000000 00000000 00000000 00000000 0000000000000100",
		},
		{
			"by LID", mad.ClassSubnLID,
			mad.Addr{LID: 0x1234},
			"12340000 00000000 00000000 00000000 00000000 00000000 0000000000000100",
		},
		{
			"general", mad.ClassPerf,
			mad.Addr{LID: 5, QP: 1},
			"00050000 00000000 00000001 00000001 00000000 00000000 0000000000000100",
		},
	} {
		var p mad.Packet
		p.Init(tc.class, mad.MethodGet, 0x11, 0)
		p.SetTID(0x1122334455667788)
		d := datagram{}
		for i := range d {
			d[i] = 0xee // nothing of what was there before may stay
		}
		d.encode(&p, tc.to)
		if got, want := hex.EncodeToString(d[:offMAD]), strings.ReplaceAll(tc.header, " ", ""); got != want {
			t.Errorf("%s: header\n%s, want\n%s", tc.name, got, want)
		}
		if *d.packet() != p {
			t.Errorf("%s: the packet changed", tc.name)
		}
		if d.dlid() != tc.to.LID || d.dqp() != tc.to.QP || d.status() != 0 || d.length() != mad.Size {
			t.Errorf("%s: read back as LID %v QP %d status %d length %d", tc.name, d.dlid(), d.dqp(), d.status(), d.length())
		}
	}
}

func TestControlRoundTrip(t *testing.T) {
	want := control{client: 7, typ: typeGetPortInfo, length: 3}
	for i := range want.data {
		want.data[i] = byte(i)
	}
	var b [controlSize]byte
	want.encode(&b)
	var got control
	if !got.decode(b[:]) || got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.decode(b[:controlSize-1]) || got.decode(append(b[:], 0)) {
		t.Error("a message of the wrong size was accepted")
	}
	b[3] ^= 1
	if got.decode(b[:]) {
		t.Error("a message with a wrong magic was accepted")
	}
}

func TestHelloRoundTrip(t *testing.T) {
	for name, want := range map[string]hello{
		"zero":    {},
		"full":    {id: 1<<31 - 1, qp: 5, isSM: 1, node: strings.Repeat("n", nodeIDSize-1)},
		"default": {id: 4711},
	} {
		b := [controlData]byte{12: 0xff, 13: 0xff, helloSize: 0xaa}
		want.encode(&b)
		var got hello
		got.decode(&b)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(hello{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if b[helloSize] != 0xaa {
			t.Errorf("%s: wrote beyond its %d bytes", name, helloSize)
		}
	}
	var b [controlData]byte
	h := hello{node: strings.Repeat("n", 100)}
	h.encode(&b)
	h.decode(&b)
	if len(h.node) != nodeIDSize-1 {
		t.Errorf("a long name was cut to %d bytes", len(h.node))
	}
}

func TestVendorRoundTrip(t *testing.T) {
	want := Vendor{VendorID: 0x2c9, DeviceID: 4115, Revision: 0xa1, Firmware: 1 << 40}
	var b [controlData]byte
	want.encode(&b)
	var got Vendor
	got.decode(&b)
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzControl(f *testing.F) {
	var b [controlSize]byte
	(&control{client: 3, typ: typeConnect, length: helloSize}).encode(&b)
	f.Add(b[:])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, in []byte) {
		var m control
		if !m.decode(in) {
			return
		}
		var out [controlSize]byte
		m.encode(&out)
		if string(out[:]) != string(in) {
			t.Errorf("%x became %x", in, out)
		}
		var h hello
		h.decode(&m.data)
		if len(h.node) > nodeIDSize {
			t.Errorf("node id of %d bytes", len(h.node))
		}
	})
}

func FuzzDatagram(f *testing.F) {
	f.Add(make([]byte, datagramSize), uint16(1), uint32(1))
	f.Fuzz(func(t *testing.T, in []byte, lid uint16, qp uint32) {
		var p mad.Packet
		copy(p[:], in)
		var d datagram
		d.encode(&p, mad.Addr{LID: ib.LID(lid), QP: qp})
		if d.dlid() != ib.LID(lid) || d.dqp() != qp || *d.packet() != p {
			t.Errorf("LID %d QP %d read back as %d and %d", lid, qp, d.dlid(), d.dqp())
		}
	})
}
