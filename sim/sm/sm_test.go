package sm_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
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

func start(t testing.TB, text string, fresh bool, o *sm.Options) (*sim.Fabric, *sm.Manager) {
	t.Helper()
	f := must[*sim.Fabric](t)(sim.New(must[*fabric.Fabric](t)(gen.Parse(text)), &sim.Options{Fresh: fresh}))
	t.Cleanup(func() { f.Close() })
	m := must[*sm.Manager](t)(sm.Start(f, o))
	t.Cleanup(func() { m.Close() })
	return f, m
}

// portInfo asks for it over the fabric.
func portInfo(t testing.TB, p *sim.Port, lid ib.LID, num int) (v smp.PortInfo, ok bool) {
	t.Helper()
	var m mad.Packet
	m.Init(mad.ClassSubnLID, mad.MethodGet, smp.AttrPortInfo, uint32(num))
	m.SetTID(uint64(lid)<<16 | uint64(num))
	got := false
	p.Receive(func(r *mad.Packet, _ mad.Addr, err error) {
		got = err == nil && r.TID() == m.TID()
		v.Decode(r.SMPData())
	})
	if err := p.Send(&m, mad.Addr{LID: lid}, 0); err != nil {
		t.Fatal(err)
	}
	return v, got
}

// A fabric after power-on gets its LIDs, and every port can be reached by them.
func TestFresh(t *testing.T) {
	for _, text := range []string{"fattree?levels=2&radix=8", "ring", "star", "torus?dims=3x3&hosts=2", "fattree?levels=2&radix=8&sharp=yes"} {
		for _, engine := range []route.Engine{"", route.MinHop, route.UpDown, route.FatTree} {
			f, m := start(t, text, true, &sm.Options{Engine: engine, Priority: 5})
			s := m.Subnets()[0]
			if len(m.Subnets()) != 1 || s.SMLID == 0 || len(s.Ports) != f.Model().NumNodes() {
				t.Fatalf("%s: %d subnets, SM LID %d, %d ports", text, len(m.Subnets()), s.SMLID, len(s.Ports))
			}
			p := must[*sim.Port](t)(f.Attach(nil))
			seen := map[ib.LID]bool{}
			for _, end := range s.Ports {
				v, ok := portInfo(t, p, end.LID, end.Place.Port)
				if !ok || v.LID != end.LID || v.SMLID != s.SMLID || v.State != ib.PortActive || seen[v.LID] || v.LID == 0 {
					t.Errorf("%s %s: LID %d: %d, SM LID %d, %s, answered %v", text, engine, end.LID, v.LID, v.SMLID, v.State, ok)
				}
				seen[v.LID] = true
			}
			info, ok := m.SMInfo(s.SM)
			if !ok || info.Priority != 5 || info.State != ib.SMMaster || info.GUID != s.SMGUID {
				t.Errorf("%s: SMInfo %+v", text, info)
			}
		}
	}
}

// A fabric that has been configured stays as it is.
func TestKeepsWhatIsThere(t *testing.T) {
	f, m := start(t, "fattree?levels=3&radix=6", false, nil)
	for _, end := range m.Subnets()[0].Ports {
		if p := end.Place.Node.Port(end.Place.Port); p.LID() != end.LID || p.LMC() != end.LMC {
			t.Errorf("node %s has LID %d, had %d", end.Place.Node.GUID(), end.LID, p.LID())
		}
	}
	if start := f.Model().Start(); m.Subnets()[0].SM.Node != start.Node() {
		t.Errorf("the manager is at %s", m.Subnets()[0].SM.Node.Description())
	}
}

// Each subnet has a manager of its own.
func TestSubnets(t *testing.T) {
	_, m := start(t, "subnets", true, nil)
	if len(m.Subnets()) < 2 {
		t.Fatalf("%d subnets", len(m.Subnets()))
	}
	for i, s := range m.Subnets() {
		for _, p := range s.Ports {
			if s.ByLID(p.LID).Place != p.Place || s.ByGUID(p.GUID) == nil {
				t.Errorf("subnet %d: LID %d is not found", i, p.LID)
			}
		}
	}
}

// When a link breaks, the switches' traps make the manager route around it;
// when it comes back, it is made Active again.
func TestSweepOnChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, m := start(t, "fattree?levels=2&radix=8", false, nil)
		p := must[*sim.Port](t)(f.Attach(nil))
		s := m.Subnets()[0]
		far := s.Ports[len(s.Ports)-1]
		leaf, _ := f.Peer(sim.Place{Node: p.Node(), Port: p.Num()})
		out := sim.Place{Node: leaf.Node, Port: int(m.Next(leaf.Node, far.LID))}
		if err := f.LinkDown(out); err != nil {
			t.Fatal(err)
		}
		if _, ok := portInfo(t, p, far.LID, 1); ok {
			t.Fatal("packets cross a broken cable")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if _, ok := portInfo(t, p, far.LID, 1); !ok || int(m.Next(leaf.Node, far.LID)) == out.Port {
			t.Fatal("the manager has not routed around the broken cable")
		}
		if err := f.LinkUp(out); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		var raw [mad.DataSize]byte
		f.Direct(sim.Place{Node: out.Node}, mad.MethodGet, smp.AttrPortInfo, uint32(out.Port), &raw)
		var v smp.PortInfo
		if v.Decode(&raw); v.State != ib.PortActive {
			t.Errorf("the mended link is %s", v.State)
		}
		f.Direct(sim.Place{Node: out.Node}, mad.MethodGet, smp.AttrSwitchInfo, 0, &raw)
		var info smp.SwitchInfo
		if info.Decode(&raw); info.PortStateChange {
			t.Error("PortStateChange stays set")
		}
	})
}

// A node that lost its power gets its LID back.
func TestRevivedNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, m := start(t, "fattree?levels=2&radix=8", false, nil)
		p := must[*sim.Port](t)(f.Attach(nil))
		s := m.Subnets()[0]
		far := s.Ports[len(s.Ports)-1]
		if err := f.KillNode(far.Place.Node); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if m.Subnets()[0].ByPlace(far.Place) != nil {
			t.Error("a node without power is in the subnet")
		}
		if err := f.ReviveNode(far.Place.Node); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		end := m.Subnets()[0].ByPlace(far.Place)
		if end == nil {
			t.Fatal("the node is not found")
		}
		if v, ok := portInfo(t, p, end.LID, 1); !ok || v.State != ib.PortActive {
			t.Errorf("LID %d: %s, answered %v", end.LID, v.State, ok)
		}
	})
}

// The switch of the manager's own machine loses power: no trap can come, for it
// has forgotten all, and the manager brings everything up again nevertheless.
func TestOwnSwitchRevived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, m := start(t, "fattree?levels=2&radix=4", false, nil)
		own := m.Subnets()[0].SM
		far, ok := f.Cable(own)
		if !ok {
			t.Fatal("the manager has no cable")
		}
		for _, change := range []func(*fabric.Node) error{f.KillNode, f.ReviveNode} {
			if err := change(far.Node); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		for n := range f.Model().Nodes() {
			for num := 1; num <= n.NumPorts(); num++ {
				at := sim.Place{Node: n, Port: num}
				if _, ok := f.Cable(at); !ok {
					continue
				}
				var data [mad.DataSize]byte
				var v smp.PortInfo
				f.Direct(at, mad.MethodGet, smp.AttrPortInfo, uint32(num), &data)
				if v.Decode(&data); v.State != ib.PortActive {
					t.Errorf("%s port %d is %v", n.Description(), num, v.State)
				}
			}
		}
	})
}

// A group's packets reach all members and nobody twice: what switches forward
// by is a tree.
func TestGroups(t *testing.T) {
	f, m := start(t, "fattree?levels=3&radix=6", false, nil)
	s := m.Subnets()[0]
	var members []sim.Place
	for i, p := range s.Ports {
		if p.Place.Node.Type() == ib.NodeCA && i%5 == 0 {
			members = append(members, p.Place)
		}
	}
	const mlid = ib.MinMulticastLID + 7
	m.SetGroup(s, mlid, members)
	reached := map[sim.Place]int{}
	start, _ := f.Peer(members[0])
	var walk func(at sim.Place)
	walk = func(at sim.Place) {
		ports := m.Group(at.Node, mlid)
		for num := 1; num <= at.Node.NumPorts(); num++ {
			if num == at.Port || ports[num/64]>>(num%64)&1 == 0 {
				continue
			}
			peer, _ := f.Peer(sim.Place{Node: at.Node, Port: num})
			if reached[peer]++; reached[peer] > 1 {
				t.Fatalf("node %s gets the packet twice", peer.Node.Description())
			}
			if peer.Node.Type() == ib.NodeSwitch {
				walk(peer)
			}
		}
	}
	walk(start)
	for _, at := range members[1:] {
		if reached[at] != 1 {
			t.Errorf("member %s gets %d packets", at.Node.Description(), reached[at])
		}
	}
	hosts := 0
	for at := range reached {
		if at.Node.Type() == ib.NodeCA {
			hosts++
		}
	}
	if hosts != len(members)-1 {
		t.Errorf("%d hosts get the packet, %d are members", hosts, len(members)-1)
	}
	m.SetGroup(s, mlid, nil)
	if ports := m.Group(start.Node, mlid); ports != [4]uint64{} {
		t.Errorf("the group that ended is forwarded to %x", ports)
	}
}

func TestOptions(t *testing.T) {
	f := must[*sim.Fabric](t)(sim.New(must[*fabric.Fabric](t)(gen.Parse("ring")), nil))
	for _, o := range []sm.Options{{Engine: "dor"}, {Priority: 16}} {
		if _, err := sm.Start(f, &o); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// BenchmarkStart is what a manager costs each command on a large fabric.
func BenchmarkStart(b *testing.B) {
	model := must[*fabric.Fabric](b)(gen.Parse("fattree?levels=3&radix=64&hosts=40000"))
	for b.Loop() {
		f := must[*sim.Fabric](b)(sim.New(model, nil))
		m := must[*sm.Manager](b)(sm.Start(f, nil))
		m.Close()
	}
}

// The ports of an adapter in several planes are one port with one LID, and what
// is sent to it stays in its plane.
func TestPlanes(t *testing.T) {
	for _, fresh := range []bool{false, true} {
		f, m := start(t, "xdrplanes?hosts=6&radix=4&planes=3", fresh, nil)
		s := m.Subnets()[0]
		for n := range f.Model().CAs() {
			if n.NumPorts() != 3 {
				continue
			}
			lid := s.ByPlace(sim.Place{Node: n, Port: 1}).LID
			for num := 1; num <= 3; num++ {
				if v := f.PortInfo(sim.Place{Node: n, Port: num}); v.LID != lid || v.LID == 0 {
					t.Errorf("fresh %v: %s port %d has LID %d, port 1 %d", fresh, n.Description(), num, v.LID, lid)
				}
				leaf, _ := f.Peer(sim.Place{Node: n, Port: num})
				if out := m.Next(leaf.Node, lid); int(out) != leaf.Port {
					t.Errorf("fresh %v: the leaf of plane %d sends LID %d to port %d, not %d", fresh, num, lid, out, leaf.Port)
				}
			}
		}
	}
}

// What partitions nodes share, and what the manager refuses.
func TestPartitions(t *testing.T) {
	f := must[*sim.Fabric](t)(sim.New(must[*fabric.Fabric](t)(gen.Parse("star?hosts=4")), nil))
	var h []*fabric.Node
	for n := range f.Model().CAs() {
		h = append(h, n)
	}
	m := must[*sm.Manager](t)(sm.Start(f, &sm.Options{Partitions: []sm.Partition{
		{Key: sm.DefaultPartition, Full: h[:1]},
		{Key: 0x10, Full: h[1:2], Limited: h[2:4]},
	}}))
	defer m.Close()
	for _, tt := range []struct {
		a, b int
		want ib.PKey
		key  ib.PKey
		ok   bool
	}{
		{0, 1, 0, 0x7fff, true},
		{1, 2, 0, 0x0010, true},
		{2, 3, 0, 0, false},
		{0, 3, 0x10, 0, false},
		{1, 1, 0x8010, 0x8010, true},
		{0, 0, 0, 0xffff, true},
		{1, 2, 0x7fff, 0, false},
	} {
		if key, ok := m.SharedPKey(h[tt.a], h[tt.b], tt.want); key != tt.key || ok != tt.ok {
			t.Errorf("nodes %d and %d, wanted %s: %s %v", tt.a, tt.b, tt.want, key, ok)
		}
	}
	// Two limited members do not hear each other, a full one hears them.
	from := must[*sim.Port](t)(f.Attach(h[2].Port(1)))
	for to, want := range map[*fabric.Node]bool{h[3]: false, f.Model().Start().Node(): true} {
		var q mad.Packet
		q.Init(mad.ClassPerf, mad.MethodGet, 1, 0)
		at := m.Subnets()[0].ByPlace(sim.Place{Node: to, Port: 1})
		if err := from.Send(&q, mad.Addr{LID: at.LID, QP: 1, QKey: mad.WellKnownQK}, 0); err != nil {
			t.Fatal(err)
		}
		if v := f.PortInfo(at.Place); (v.PKeyViolations == 0) != want {
			t.Errorf("%s: %d violations", to.Description(), v.PKeyViolations)
		}
	}
	for _, list := range [][]sm.Partition{{{}}, {{Key: 0x8000}}, {{Key: 1}, {Key: 1}}} {
		if _, err := sm.Start(f, &sm.Options{Partitions: list}); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%+v: %v", list, err)
		}
	}
}
