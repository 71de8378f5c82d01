package sim_test

import (
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

const (
	nodeDescription = mad.AttrID(0x10)
	nodeInfo        = mad.AttrID(0x11)
	switchInfo      = mad.AttrID(0x12)
	guidInfo        = mad.AttrID(0x14)
	portInfo        = mad.AttrID(0x15)
	linearFDB       = mad.AttrID(0x19)
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// line is three switches in a row: node 1 – switch 1 – switch 2 (host node 2) –
// switch 3 – node 3. Port 1 of a switch is its host, 2 leads back, 3 on.
func line(t testing.TB) *fabric.Fabric { return must[*fabric.Fabric](t)(gen.Line(3)) }

func open(t testing.TB, f *fabric.Fabric, o *sim.Options) *sim.Port {
	t.Helper()
	s := must[*sim.Fabric](t)(sim.New(f, o))
	p := must[*sim.Port](t)(s.Attach(nil))
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func get(attr mad.AttrID, modifier uint32, ports ...int) *mad.Packet {
	path, err := ib.NewDRPath(ports...)
	if err != nil {
		panic(err)
	}
	var m mad.Packet
	m.Init(mad.ClassSubnDirected, mad.MethodGet, attr, modifier)
	m.SetRoute(path, 0, 0)
	m.SetTID(0x1122334455667788)
	return &m
}

func getLID(attr mad.AttrID, modifier uint32) *mad.Packet {
	var m mad.Packet
	m.Init(mad.ClassSubnLID, mad.MethodGet, attr, modifier)
	m.SetTID(42)
	return &m
}

var directed = mad.Addr{LID: ib.PermissiveLID}

// ask sends m and gives all replies that come at once: without latency they are
// there when Send returns, so a marker that is sent behind m ends them.
func ask(t testing.TB, p *sim.Port, m *mad.Packet, to mad.Addr) []mad.Packet {
	t.Helper()
	const marker = 0xffffffffffffffff
	if err := p.Send(m, to, time.Second); err != nil {
		t.Fatal(err)
	}
	end := get(nodeDescription, 0)
	end.SetTID(marker)
	if err := p.Send(end, directed, time.Second); err != nil {
		t.Fatal(err)
	}
	var replies []mad.Packet
	for {
		var r mad.Packet
		if _, err := p.Recv(&r); err != nil {
			t.Fatal(err)
		}
		if r.TID() == marker {
			return replies
		}
		replies = append(replies, r)
	}
}

func askOne(t testing.TB, p *sim.Port, m *mad.Packet, to mad.Addr) mad.Packet {
	t.Helper()
	replies := ask(t, p, m, to)
	if len(replies) != 1 {
		t.Fatalf("%d replies, want 1", len(replies))
	}
	return replies[0]
}

func decodeNodeInfo(m *mad.Packet) smp.NodeInfo {
	var v smp.NodeInfo
	v.Decode(m.SMPData())
	return v
}

func nodeNamed(t testing.TB, f *fabric.Fabric, name string) *fabric.Node {
	t.Helper()
	for n := range f.Nodes() {
		if n.Description() == name {
			return n
		}
	}
	t.Fatalf("no node %q", name)
	return nil
}

func host(t testing.TB, f *fabric.Fabric, n string) *fabric.Node {
	return nodeNamed(t, f, "node000"+n+" mlx5_0")
}

func switchNode(t testing.TB, f *fabric.Fabric, n string) *fabric.Node {
	return nodeNamed(t, f, "MF0;switch0"+n+":MQM8700/U1")
}
