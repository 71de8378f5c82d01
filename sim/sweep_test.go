package sim_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// fresh is a fabric after power-on, and a port of its first host.
func fresh(t testing.TB, f *fabric.Fabric) (*sim.Fabric, *sim.Port) {
	t.Helper()
	s := must[*sim.Fabric](t)(sim.New(f, &sim.Options{Fresh: true}))
	p := must[*sim.Port](t)(s.Attach(nil))
	t.Cleanup(func() { _ = p.Close(); _ = s.Close() })
	return s, p
}

// An attribute writes and reads itself.
type attribute interface {
	Encode(*[mad.DataSize]byte)
	Decode(*[mad.DataSize]byte)
	AttrID() mad.AttrID
}

// manager is a subnet manager of a few lines: what it knows of the fabric it
// knows from the model, what it does it does by Set.
type manager struct {
	t    testing.TB
	p    *sim.Port
	f    *fabric.Fabric
	mkey uint64
	lids map[*fabric.Node]ib.LID
}

func (m *manager) do(method mad.Method, n *fabric.Node, modifier uint32, v attribute) mad.Status {
	m.t.Helper()
	path, _ := n.Path()
	var q mad.Packet
	q.Init(mad.ClassSubnDirected, method, v.AttrID(), modifier)
	q.SetRoute(path, 0, 0)
	q.SetTID(77)
	q.SetMKey(m.mkey)
	v.Encode(q.SMPData())
	r := askOne(m.t, m.p, &q, directed)
	v.Decode(r.SMPData())
	return r.Status()
}

func (m *manager) get(n *fabric.Node, modifier uint32, v attribute) {
	m.t.Helper()
	if s := m.do(mad.MethodGet, n, modifier, v); s != 0 {
		m.t.Fatalf("node %s: Get attribute %s modifier %#x: %v", n.GUID(), v.AttrID(), modifier, s)
	}
}

func (m *manager) set(n *fabric.Node, modifier uint32, v attribute) {
	m.t.Helper()
	if s := m.do(mad.MethodSet, n, modifier, v); s != 0 {
		m.t.Fatalf("node %s: Set attribute %s modifier %#x: %v", n.GUID(), v.AttrID(), modifier, s)
	}
}

// bringUp gives LIDs in the order of the nodes, writes the tables, and takes
// all links to Active.
func (m *manager) bringUp() {
	m.t.Helper()
	m.lids = map[*fabric.Node]ib.LID{}
	for n := range m.f.Nodes() {
		m.lids[n] = ib.LID(len(m.lids) + 1)
	}
	home := m.lids[m.p.Node()]
	for n := range m.f.Nodes() {
		num := uint32(lidPort(n))
		var v smp.PortInfo
		m.get(n, num, &v)
		v.LID, v.SMLID, v.State, v.PhysState = m.lids[n], home, 0, 0
		m.set(n, num, &v)
		if v.LID != m.lids[n] || v.SMLID != home {
			m.t.Fatalf("node %s has LID %d, SM LID %d", n.GUID(), v.LID, v.SMLID)
		}
	}
	for n := range m.f.Switches() {
		m.route(n)
	}
	for _, state := range []ib.PortState{ib.PortArmed, ib.PortActive} {
		m.all(state)
	}
}

// route writes the forwarding table of a switch: breadth first by the model.
func (m *manager) route(sw *fabric.Node) {
	m.t.Helper()
	out := map[*fabric.Node]uint8{sw: 0}
	for queue := []*fabric.Node{sw}; len(queue) > 0; queue = queue[1:] {
		if queue[0].Type() != ib.NodeSwitch {
			continue
		}
		for p := range queue[0].Ports() {
			r := p.Remote()
			if r == nil {
				continue
			}
			if _, ok := out[r.Node()]; ok {
				continue
			}
			out[r.Node()] = out[queue[0]]
			if queue[0] == sw {
				out[r.Node()] = uint8(p.Num())
			}
			queue = append(queue, r.Node())
		}
	}
	top := len(m.lids)
	for block := range top/smp.LIDsPerBlock + 1 {
		var lft smp.LinearForwardingTable
		for i := range lft.Ports {
			lft.Ports[i] = smp.NoPort
		}
		for n, port := range out {
			if b, i := smp.LFTBlock(m.lids[n]); int(b) == block {
				lft.Ports[i] = port
			}
		}
		m.set(sw, uint32(block), &lft)
	}
	var info smp.SwitchInfo
	m.get(sw, 0, &info)
	info.LinearFDBTop, info.LifeTime, info.PortStateChange = uint16(top), 18, true
	m.set(sw, 0, &info)
	if info.PortStateChange || int(info.LinearFDBTop) != top {
		m.t.Fatalf("SwitchInfo after Set: %+v", info)
	}
}

// all takes all ports with a link to a state.
func (m *manager) all(state ib.PortState) {
	m.t.Helper()
	for p := range m.f.Ports() {
		if p.Remote() != nil {
			m.setState(p, state)
		}
	}
}

func (m *manager) setState(p *fabric.Port, state ib.PortState) {
	m.t.Helper()
	var v smp.PortInfo
	m.get(p.Node(), uint32(p.Num()), &v)
	v.State, v.PhysState = state, 0
	m.set(p.Node(), uint32(p.Num()), &v)
	if v.State != state {
		m.t.Fatalf("node %s port %d is %s, want %s", p.Node().GUID(), p.Num(), v.State, state)
	}
}

// echo is an agent that says which node it answers for.
type echo struct{}

func (echo) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	m[64], m[65] = byte(r.At.Node.GUID()>>8), byte(r.At.Node.GUID())
	return sim.Answered
}

func hundred(t testing.TB) *fabric.Fabric {
	return must[*fabric.Fabric](t)(gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8, Hosts: 72}))
}

// A fabric after power-on comes up by Sets alone; then everybody reaches
// everybody by LID, with subnet management and with general services.
func TestBringUp(t *testing.T) {
	f := hundred(t)
	s, p := fresh(t, f)
	if err := s.Use(mad.ClassPerf, echo{}); err != nil {
		t.Fatal(err)
	}
	m := manager{t: t, p: p, f: f}
	for n := range f.Nodes() {
		var v smp.PortInfo
		m.get(n, uint32(lidPort(n)), &v)
		if want := ib.PortInitialize; v.LID != 0 || n.Type() == ib.NodeCA && v.State != want || v.CapMask&smp.CapIsSM != 0 {
			t.Fatalf("node %s after power-on: %+v", n.GUID(), v)
		}
	}
	m.bringUp()
	asked := 0
	for from := range f.Nodes() {
		port := must[*sim.Port](t)(s.Attach(from.Port(lidPort(from))))
		for to := range f.Nodes() {
			r := askOne(t, port, getLID(nodeInfo, 0), mad.Addr{LID: m.lids[to]})
			if got := decodeNodeInfo(&r).NodeGUID; got != to.GUID() {
				t.Fatalf("from %s to %s: answered by %s", from.GUID(), to.GUID(), got)
			}
			q := getLID(portInfo, 0)
			q.SetClass(mad.ClassPerf)
			g := askOne(t, port, q, mad.Addr{LID: m.lids[to], QP: 1})
			if got := uint16(g[64])<<8 | uint16(g[65]); got != uint16(to.GUID()) || g.Method() != mad.MethodGetResp {
				t.Fatalf("from %s to %s: performance answered by %x", from.GUID(), to.GUID(), got)
			}
			asked += 2
		}
		_ = port.Close()
	}
	t.Logf("%d nodes, %d requests", f.NumNodes(), asked)
}

// named is a node of line: h1…h3 and s1…s3.
func (m *manager) named(name string) *fabric.Node {
	if name[0] == 's' {
		return switchNode(m.t, m.f, name[1:])
	}
	return host(m.t, m.f, name[1:])
}
