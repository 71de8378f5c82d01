package umadev

import (
	"testing"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/gs"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

// A program that has subscribed reads the report of a trap from its device, if it
// has registered for the method, and answers it.
func TestReports(t *testing.T) {
	f, err := gen.Star(3)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sm.Start(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	agent, err := sa.Start(m)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	subnet := m.Subnets()[0]
	var at *sm.EndPort
	for i := range subnet.Ports {
		if p := &subnet.Ports[i]; p.Place.Node.Type() == ib.NodeCA && p.Place != subnet.SM {
			at = p
		}
	}
	port, err := s.Attach(at.Place.Node.Port(1))
	if err != nil {
		t.Fatal(err)
	}
	d := New(port)
	defer d.Close()
	c := open(t, d)
	c.register(registration{qp: 1, class: uint8(mad.ClassSubnAdm), version: 2, methods: [16]byte{1 << mad.MethodReport}})

	var p mad.Packet
	p.Init(mad.ClassSubnAdm, mad.MethodSet, adm.AttrInformInfo, 0)
	p.SetTID(5)
	b, err := (&adm.InformInfo{InformInfo: gs.InformInfo{
		LIDRangeBegin: 0xffff, IsGeneric: 1, Subscribe: 1, Type: 0xffff, TrapNumber: smp.TrapBufferOverrun, ProducerType: 0xffffff,
	}}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(p.Data(), b)
	c.send(0, &p, subnet.SMLID)
	if _, r := c.receive(); r.Method() != mad.MethodGetResp || r.Status() != 0 {
		t.Fatalf("%s, %v", r.Method(), r.Status())
	}
	if err := s.Raise(sim.Place{Node: subnet.Switches[0], Port: 2}, smp.TrapBufferOverrun); err != nil {
		t.Fatal(err)
	}
	_, r := c.receive()
	var n adm.Notice
	n.Decode((*[80]byte)(r.Data()))
	if r.Method() != mad.MethodReport || n.TrapNumber != smp.TrapBufferOverrun || n.Details[4] != 2 {
		t.Fatalf("%s %+v", r.Method(), n)
	}
	r.SetMethod(mad.MethodReport | mad.ResponseBit)
	c.send(0, r, subnet.SMLID)
}
