package umadev

import (
	"encoding/binary"
	"syscall"
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

func TestMethodOf(t *testing.T) {
	var p mad.Packet
	p.Init(mad.ClassVendor2Min, mad.MethodGet, 0x10, 0)
	p[37], p[38], p[39] = 0x00, 0x14, 0x05
	if got, want := methodOf(&p), (methodKey{class: 0x30, version: 1, oui: 0x1405, method: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	p.SetClass(mad.ClassPerf)
	if got, want := methodOf(&p), (methodKey{class: 4, version: 1, method: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Two machines on a fabric: what one asks, a program on the other answers; and
// a program that is the subnet manager shows in the port.
func TestBetweenMachines(t *testing.T) {
	f, err := gen.Line(2)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var clients []*client
	var ports []*sim.Port
	for n := range f.CAs() {
		p, err := s.Attach(n.Port(1))
		if err != nil {
			t.Fatal(err)
		}
		d := New(p)
		t.Cleanup(func() { _ = d.Close() })
		clients, ports = append(clients, open(t, d)), append(ports, p)
	}
	asker, server := clients[0], clients[1]
	const class = mad.ClassVendor1Min
	asker.register(registration{qp: 1, class: uint8(class), version: 1})
	server.register(registration{qp: 1, class: uint8(class), version: 1, methods: [16]byte{1 << mad.MethodGet}})

	var p mad.Packet
	p.Init(class, mad.MethodGet, 0x55, 7)
	p.SetTID(0x42)
	asker.send(0, &p, ports[1].LID())
	header, got := server.receive()
	if got.AttrID() != 0x55 || got.Modifier() != 7 || uint32(got.TID()) != 0x42 {
		t.Fatalf("the server got % x", got[:24])
	}
	if from := ib.LID(binary.BigEndian.Uint16(header[offLID:])); from != ports[0].LID() {
		t.Errorf("from LID %d, want %d", from, ports[0].LID())
	}
	got.SetMethod(mad.MethodGetResp)
	got[64] = 99
	server.send(0, got, ports[0].LID())
	if _, r := asker.receive(); r[64] != 99 || uint32(r.TID()) != 0x42 {
		t.Errorf("the reply is % x", r[:24])
	}

	sm := NewSM(ports[1])
	h, errno := sm.Open(t.Context(), false, nil)
	if errno != 0 {
		t.Fatal(errno)
	}
	if data, _ := ports[1].LocalAttribute(0x15, 1); data[23]&2 == 0 {
		t.Error("CapabilityMask does not tell of the subnet manager")
	}
	h.Close()
	if data, _ := ports[1].LocalAttribute(0x15, 1); data[23]&2 != 0 {
		t.Error("CapabilityMask tells of a subnet manager that is gone")
	}
}

// send writes a MAD for QP 1 of a LID; a timeout of a minute for requests.
func (c *client) send(agent int, p *mad.Packet, to ib.LID) {
	c.t.Helper()
	b := make([]byte, headerSize+mad.Size)
	ne := binary.NativeEndian
	ne.PutUint32(b[offAgent:], uint32(agent))
	if !p.IsResponse() {
		ne.PutUint32(b[offTimeout:], 60000)
	}
	putAddr(b[:headerSize], &mad.Addr{LID: to, QP: 1, QKey: mad.WellKnownQK})
	copy(b[headerSize:], p[:])
	if errno := c.Write(b); errno != 0 {
		c.t.Fatal(errno)
	}
}

func (c *client) receive() ([]byte, *mad.Packet) {
	c.t.Helper()
	b, errno := c.Read(c.t.Context(), headerSize+mad.Size, true)
	if errno != 0 {
		c.t.Fatal(errno)
	}
	if status := binary.NativeEndian.Uint32(b[offStatus:]); status != 0 {
		c.t.Fatal(syscall.Errno(status))
	}
	var p mad.Packet
	copy(p[:], b[headerSize:])
	return b[:headerSize], &p
}

func (c *client) register(r registration) {
	c.t.Helper()
	f := c.Handle.(*file)
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	f.header = headerSize
	if _, errno := f.register(&r); errno != 0 {
		c.t.Fatal(errno)
	}
}
