package mad

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
)

func path(t *testing.T, ports ...int) ib.DRPath {
	t.Helper()
	p, err := ib.NewDRPath(ports...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestInit checks the header byte by byte, and that nothing of the packet's
// former life stays.
func TestInit(t *testing.T) {
	var p Packet
	for i := range p {
		p[i] = 0xff
	}
	p.Init(ClassSubnAdm, MethodGet, 0x35, 0x01020304)
	want := Packet{0: 1, 1: 3, 2: 2, 3: 1, 17: 0x35, 20: 1, 21: 2, 22: 3, 23: 4}
	if p != want {
		t.Errorf("got  %x\nwant %x", p[:64], want[:64])
	}
	if p.BaseVersion() != 1 || p.Class() != ClassSubnAdm || p.ClassVersion() != 2 || p.Method() != MethodGet ||
		p.AttrID() != 0x35 || p.Modifier() != 0x01020304 {
		t.Errorf("accessors disagree with %x", p[:32])
	}
}

// TestSetters checks that each setter changes its own bytes only.
func TestSetters(t *testing.T) {
	tests := map[string]struct {
		set  func(*Packet)
		want Packet
	}{
		"class":         {func(p *Packet) { p.SetClass(ClassPerf) }, Packet{1: 4}},
		"class version": {func(p *Packet) { p.SetClassVersion(2) }, Packet{2: 2}},
		"method":        {func(p *Packet) { p.SetMethod(MethodGetResp) }, Packet{3: 0x81}},
		"status":        {func(p *Packet) { p.SetStatus(0x8102) }, Packet{4: 0x81, 5: 2}},
		"hop pointer":   {func(p *Packet) { p.SetHopPointer(5) }, Packet{6: 5}},
		"TID":           {func(p *Packet) { p.SetTID(0x0102030405060708) }, Packet{8: 1, 2, 3, 4, 5, 6, 7, 8}},
		"modifier":      {func(p *Packet) { p.SetModifier(0x01020304) }, Packet{20: 1, 2, 3, 4}},
		"M_Key":         {func(p *Packet) { p.SetMKey(0x0102030405060708) }, Packet{24: 1, 2, 3, 4, 5, 6, 7, 8}},
		"SMP data":      {func(p *Packet) { p.SMPData()[63] = 9 }, Packet{127: 9}},
		"initial path":  {func(p *Packet) { p.InitialPath()[1] = 9 }, Packet{129: 9}},
		"return path":   {func(p *Packet) { p.ReturnPath()[63] = 9 }, Packet{255: 9}},
	}
	for name, tt := range tests {
		var p Packet
		tt.set(&p)
		if p != tt.want {
			t.Errorf("%s: got %x", name, p)
		}
	}
}

// TestStatusAndDirection checks that the two share a word in directed-route
// SMPs without touching each other, and that other classes have all 16 bits.
func TestStatusAndDirection(t *testing.T) {
	var p Packet
	p.Init(ClassSubnDirected, MethodGet, 0x11, 0)
	p.SetReturning(true)
	p.SetStatus(0xffff)
	if p.Status() != 0x7fff || !p.IsReturning() {
		t.Errorf("status %#x, returning %v", uint16(p.Status()), p.IsReturning())
	}
	p.SetStatus(0)
	if p.Status() != 0 || !p.IsReturning() {
		t.Errorf("status %#x, returning %v", uint16(p.Status()), p.IsReturning())
	}
	p.SetStatus(0x1c)
	p.SetReturning(false)
	if p.Status() != 0x1c || p.IsReturning() {
		t.Errorf("status %#x, returning %v", uint16(p.Status()), p.IsReturning())
	}
	p.SetClass(ClassPerf)
	p.SetStatus(0x8000)
	if p.Status() != 0x8000 {
		t.Errorf("status %#x of a performance MAD", uint16(p.Status()))
	}
}

func TestIsResponse(t *testing.T) {
	tests := map[Method]bool{
		MethodGet: false, MethodSet: false, MethodTrap: false, MethodGetResp: true,
		MethodTrapRepress: true, MethodReport | ResponseBit: true,
	}
	for m, want := range tests {
		var p Packet
		p.SetMethod(m)
		if p.IsResponse() != want {
			t.Errorf("%v: %v", m, p.IsResponse())
		}
	}
}

func TestRoute(t *testing.T) {
	tests := []struct {
		name           string
		to             Target
		class          Class
		addr           ib.LID
		hops           uint8
		drSLID, drDLID ib.LID
		out            byte // output port of hop 1
	}{
		{"LID", ByLID(5), ClassSubnLID, 5, 0, 0, 0, 0},
		{"local node", Target{}, ClassSubnDirected, ib.PermissiveLID, 0, ib.PermissiveLID, ib.PermissiveLID, 0},
		{"directed", ByPath(path(t, 1, 7)), ClassSubnDirected, ib.PermissiveLID, 2, ib.PermissiveLID, ib.PermissiveLID, 1},
		{"combined", Target{LID: 5, SLID: 3, Path: path(t, 9)}, ClassSubnDirected, 5, 1, 3, ib.PermissiveLID, 9},
		{"directed class to a LID", Target{LID: 5, SLID: 3, Directed: true}, ClassSubnDirected, 5, 0, 3, ib.PermissiveLID, 0},
	}
	for _, tt := range tests {
		var p Packet
		p.Init(tt.to.SMPClass(), MethodGet, 0x11, 0)
		tt.to.SL = 4
		addr := tt.to.Route(&p)
		if p.Class() != tt.class || addr.LID != tt.addr || addr.SL != 4 || addr.QP != QPSubnet {
			t.Errorf("%s: %v to %+v", tt.name, p.Class(), addr)
		}
		if p.HopCount() != tt.hops || p.HopPointer() != 0 || p.InitialPath()[1] != tt.out ||
			p.DrSLID() != tt.drSLID || p.DrDLID() != tt.drDLID {
			t.Errorf("%s: %d hops, out %d, DrSLID %v, DrDLID %v", tt.name, p.HopCount(), p.InitialPath()[1], p.DrSLID(), p.DrDLID())
		}
	}
}
