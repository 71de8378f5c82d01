package agents_test

import (
	"errors"
	"os"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/traffic"
	"github.com/ibscope/ibscope/sim/vendors"
)

// TestUse asks each class for what every agent has, over the fabric.
func TestUse(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	isCA := func(n *fabric.Node) bool { return n.Type() == ib.NodeCA }
	a, err := agents.Use(s, &agents.Options{Servers: isCA, Traffic: []traffic.Rule{{Load: 0.5}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	at := sim.Place{Node: p.Node(), Port: p.Num()}
	far := f.Start()
	for n := range f.CAs() {
		if n != p.Node() {
			far = n.Port(1)
		}
	}
	for class, attr := range map[mad.Class]mad.AttrID{
		mad.ClassPerf: 1, mad.ClassCC: 1, mad.ClassBM: 1, vendors.ClassMLNX: 1,
		openib.ClassPing: openib.AttrPing, openib.ClassSysstat: openib.AttrSysstatHost,
	} {
		var m mad.Packet
		m.Init(class, mad.MethodGet, attr, 0)
		if class.IsVendor2() {
			m.SetOUI(openib.OUI)
		}
		if err := p.Send(&m, mad.Addr{LID: far.LID(), QP: mad.QPGeneral, QKey: mad.WellKnownQK}, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Recv(&m); err != nil || m.Class() != class || m.Status() != mad.StatusOK || m.Method() != mad.MethodGetResp {
			t.Errorf("%v: %v %v %v", class, m.Method(), m.Status(), err)
		}
	}
	if n, err := a.Counters.Get(at, "PortCounters.PortXmitPkts"); err != nil || n < 6 {
		t.Errorf("%d packets sent, %v", n, err)
	}
	if _, err := agents.Use(s, &agents.Options{Traffic: []traffic.Rule{{Node: 0x99}}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("traffic at a node that is not there: %v", err)
	}
}
