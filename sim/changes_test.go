package sim_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// nodesOf sweeps from p, and tells how many nodes it finds.
func nodesOf(t *testing.T, s *sim.Fabric, at *fabric.Port) *fabric.Fabric {
	t.Helper()
	p := must[*sim.Port](t)(s.Attach(at))
	defer p.Close()
	return must[*fabric.Fabric](t)(discover.Run(t.Context(), p, nil))
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What is done to a fabric shows in the next sweep.
func TestChanges(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	start := host(t, f, "1").Port(1)
	s2, s3, h2, h3 := switchNode(t, f, "2"), switchNode(t, f, "3"), host(t, f, "2"), host(t, f, "3")
	count := func(what string, want int) *fabric.Fabric {
		t.Helper()
		found := nodesOf(t, s, start)
		if found.NumNodes() != want {
			t.Errorf("%s: %d nodes, want %d", what, found.NumNodes(), want)
		}
		return found
	}
	count("at first", 6)
	check(t, s.LinkDown(sim.Place{Node: s2, Port: 3}))
	count("link down", 4)
	check(t, s.LinkUp(sim.Place{Node: s3, Port: 2}))
	found := count("link up, from the other end", 6)
	if n, _ := found.NodeByGUID(s3.GUID()); n.Port(2).State() != ib.PortInitialize {
		t.Errorf("the link is %s", n.Port(2).State())
	}
	check(t, s.Unlink(sim.Place{Node: h3, Port: 1}))
	count("cable pulled", 5)
	check(t, s.Link(sim.Place{Node: h3, Port: 1}, sim.Place{Node: s3, Port: 3}))
	found = count("cable in another port", 6)
	if n, _ := found.NodeByGUID(h3.GUID()); n.Port(1).Remote().Num() != 3 {
		t.Error("the cable is not where it was put")
	}
	check(t, s.KillNode(s2))
	count("dead switch", 2)
	check(t, s.KillNode(s2))
	check(t, s.ReviveNode(s2))
	found = count("alive again", 6)
	n, _ := found.NodeByGUID(s2.GUID())
	if info, _ := n.SwitchInfo(); n.Port(0).LID() != 0 || info.LinearFDBTop != 0 || !info.PortStateChange {
		t.Errorf("after power-on the switch has LID %d, top %d", n.Port(0).LID(), info.LinearFDBTop)
	}
	check(t, s.ReplaceNode(h2, sim.Replacement{GUID: 0xabcd00, Description: "new"}))
	found = count("replaced", 6)
	if n, ok := found.NodeByGUID(0xabcd00); !ok || n.Description() != "new" || n.Port(1).GUID() != 0xabcd01 || n.Port(1).LID() != 0 {
		t.Errorf("the new adapter is not there: %v", ok)
	}
}

func TestChangesRefused(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	other := line(t)
	sw := switchNode(t, f, "1")
	for name, c := range map[string]struct{ err, want error }{
		"a port beyond":         {s.LinkDown(sim.Place{Node: sw, Port: 9}), os.ErrNotExist},
		"port 0 of a host":      {s.LinkUp(sim.Place{Node: host(t, f, "1")}), os.ErrNotExist},
		"no node":               {s.KillNode(nil), os.ErrNotExist},
		"another fabric's node": {s.KillNode(switchNode(t, other, "1")), os.ErrNotExist},
		"a port with a cable":   {s.Link(sim.Place{Node: sw, Port: 1}, sim.Place{Node: switchNode(t, f, "3"), Port: 3}), os.ErrInvalid},
		"trap 5":                {s.Raise(sim.Place{Node: sw, Port: 1}, 5), os.ErrInvalid},
		"agent of the core":     {s.Use(mad.ClassSubnLID, echo{}), os.ErrInvalid},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

// Eight programs ask and set while links and nodes come and go: nobody crashes,
// and what is left is whole.
func TestChangesUnderLoad(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.FatTree(gen.FatTreeOptions{Levels: 2, Radix: 8, Hosts: 16}))
	s := must[*sim.Fabric](t)(sim.New(f, &sim.Options{Fresh: true}))
	defer s.Close()
	check(t, s.Use(mad.ClassPerf, echo{}))
	p := must[*sim.Port](t)(s.Attach(nil))
	(&manager{t: t, p: p, f: f}).bringUp()
	stop := make(chan struct{})
	var group sync.WaitGroup
	hosts := 0
	for n := range f.CAs() {
		if hosts++; hosts > 8 {
			break
		}
		port := must[*sim.Port](t)(s.Attach(n.Port(1)))
		port.SetIsSM(hosts == 1)
		group.Go(func() { drain(port) })
		seed := uint64(hosts)
		group.Go(func() { defer port.Close(); pester(port, seed, stop) })
	}
	group.Go(func() { change(s, f, stop) })
	time.Sleep(500 * time.Millisecond)
	close(stop)
	group.Wait()
	for n := range f.Nodes() {
		check(t, s.ReviveNode(n))
		for q := range n.Ports() {
			if q.Remote() != nil {
				check(t, s.LinkUp(sim.Place{Node: n, Port: q.Num()}))
			}
		}
	}
	found := nodesOf(t, s, nil)
	for l := range found.Links() {
		if l.OneWay() || l.Disagrees() || l.A.PhysState() != ib.PhysLinkUp || l.B.PhysState() != ib.PhysLinkUp {
			t.Errorf("link %s port %d: one way %v", l.A.Node().GUID(), l.A.Num(), l.OneWay())
		}
	}
}

func drain(p *sim.Port) {
	var m mad.Packet
	for {
		if _, err := p.Recv(&m); err != nil {
			return
		}
	}
}

// pester sends whatever comes to mind. What it sets leaves links able to train.
func pester(p *sim.Port, seed uint64, stop chan struct{}) {
	r := rand.New(rand.NewPCG(seed, 0))
	attrs := []mad.AttrID{nodeInfo, portInfo, switchInfo, linearFDB, 0x16, 0x17, 0x18, 0x1b, 0x20, guidInfo}
	for i := uint64(0); ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		var path []int
		for range r.IntN(4) {
			path = append(path, 1+r.IntN(8))
		}
		if len(path) > 0 {
			path[0] = 1
		}
		m := get(attrs[r.IntN(len(attrs))], r.Uint32N(9), path...)
		m.SetTID(i)
		if r.IntN(3) == 0 && m.AttrID() != portInfo {
			m.SetMethod(mad.MethodSet)
			m.SMPData()[r.IntN(64)] = byte(r.Uint32())
		}
		to := directed
		switch r.IntN(4) {
		case 0:
			m.SetClass(mad.ClassSubnLID)
			to = mad.Addr{LID: ib.LID(r.IntN(40))}
		case 1:
			m.SetClass([]mad.Class{mad.ClassPerf, mad.ClassSubnAdm, mad.ClassVendor1Min}[r.IntN(3)])
			to = mad.Addr{LID: ib.LID(r.IntN(40)), QP: 1}
		}
		_ = p.Send(m, to, 0)
	}
}

// change breaks and mends until it is stopped.
func change(s *sim.Fabric, f *fabric.Fabric, stop chan struct{}) {
	r := rand.New(rand.NewPCG(1, 2))
	var places []sim.Place
	for p := range f.Ports() {
		if p.Remote() != nil {
			places = append(places, sim.Place{Node: p.Node(), Port: p.Num()})
		}
	}
	for {
		select {
		case <-stop:
			return
		default:
		}
		at := places[r.IntN(len(places))]
		peer, ok := s.Cable(at)
		switch r.IntN(6) {
		case 0:
			_ = s.LinkDown(at)
		case 1:
			_ = s.LinkUp(at)
		case 2:
			if ok {
				_ = s.Unlink(at)
				_ = s.Link(at, peer)
			}
		case 3:
			_ = s.KillNode(at.Node)
		case 4:
			_ = s.ReviveNode(at.Node)
		case 5:
			_ = s.SetNodeDescription(at.Node, "renamed")
		}
	}
}

// FuzzSet sets anything in a fabric after power-on. Whatever it is, the reply
// fits the request, and both ends of a link agree.
func FuzzSet(f *testing.F) {
	model := must[*fabric.Fabric](f)(gen.Line(2))
	for attr := range mad.AttrID(0x40) {
		m := get(attr, 1<<16|1, 1)
		f.Add(uint16(attr), uint32(1<<16|1), uint64(0), uint8(1), m.SMPData()[:])
	}
	f.Add(uint16(portInfo), uint32(1), uint64(5), uint8(0), make([]byte, 64))
	f.Add(uint16(0xff90), uint32(1), uint64(0), uint8(2), make([]byte, 64))
	paths := [][]int{nil, {1}, {1, 3}, {1, 3, 1}}
	f.Fuzz(func(t *testing.T, attr uint16, modifier uint32, mkey uint64, hops uint8, data []byte) {
		s, p := fresh(t, model)
		m := get(mad.AttrID(attr), modifier, paths[hops%4]...)
		m.SetMethod(mad.MethodSet)
		m.SetMKey(mkey)
		m.SetTID(1)
		copy(m.SMPData()[:], data)
		for _, r := range ask(t, p, m, directed) {
			if r.TID() != 1 || r.Method() != mad.MethodGetResp || r.AttrID() != m.AttrID() || r.Modifier() != m.Modifier() {
				t.Fatalf("% x answered by % x", m[:64], r[:64])
			}
		}
		for q := range model.Ports() {
			at := sim.Place{Node: q.Node(), Port: q.Num()}
			peer, ok := s.Cable(at)
			if !ok {
				continue
			}
			a, b := s.PortInfo(at), s.PortInfo(peer)
			if (a.PhysState == ib.PhysLinkUp) != (b.PhysState == ib.PhysLinkUp) ||
				(a.State == ib.PortDown) != (a.PhysState != ib.PhysLinkUp) ||
				a.PhysState == ib.PhysLinkUp && (a.LinkWidthActive != b.LinkWidthActive || a.LinkSpeedExtActive != b.LinkSpeedExtActive) {
				t.Fatalf("%s port %d is %s/%s, its peer %s/%s", at.Node.GUID(), at.Port, a.State, a.PhysState, b.State, b.PhysState)
			}
		}
	})
}

// Numbers of PortInfo that the model told stay the same in a fabric that only
// lost its configuration.
func TestFreshKeepsHardware(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, &sim.Options{Fresh: true}))
	for p := range f.Ports() {
		was, _ := p.Info()
		now := s.PortInfo(sim.Place{Node: p.Node(), Port: p.Num()})
		if now.LID != 0 || now.SMLID != 0 || now.CapMask&^smp.CapIsSM != was.CapMask&^smp.CapIsSM ||
			now.LinkSpeedExtSupported != was.LinkSpeedExtSupported || now.LinkSpeedExtActive != was.LinkSpeedExtActive ||
			now.PhysState != was.PhysState || now.MTUCap != was.MTUCap {
			t.Errorf("node %s port %d: %+v, was %+v", p.Node().GUID(), p.Num(), now, was)
		}
	}
}
