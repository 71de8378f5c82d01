package sim_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// listener is a subnet manager that collects traps.
type listener struct {
	port  *sim.Port
	mu    sync.Mutex
	traps []mad.Packet
}

// listen makes the program at a port the subnet manager.
func listen(t *testing.T, s *sim.Fabric, at *fabric.Port) *listener {
	t.Helper()
	l := &listener{port: must[*sim.Port](t)(s.Attach(at))}
	l.port.SetIsSM(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var m mad.Packet
		for {
			if _, err := l.port.Recv(&m); err != nil {
				return
			}
			l.mu.Lock()
			l.traps = append(l.traps, m)
			l.mu.Unlock()
		}
	}()
	t.Cleanup(func() { _ = l.port.Close(); <-done; _ = s.Close() })
	return l
}

// take gives the notices that came, and forgets them.
func (l *listener) take() (notices []smp.Notice, raw []mad.Packet) {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.traps {
		var n smp.Notice
		n.Decode(l.traps[i].SMPData())
		notices = append(notices, n)
	}
	raw, l.traps = l.traps, nil
	return notices, raw
}

// repress answers a trap.
func (l *listener) repress(t *testing.T, m mad.Packet) {
	var n smp.Notice
	n.Decode(m.SMPData())
	m.SetMethod(mad.MethodTrapRepress)
	if err := l.port.Send(&m, mad.Addr{LID: n.IssuerLID}, 0); err != nil {
		t.Fatal(err)
	}
}

func running(t *testing.T, o *sim.Options) (*fabric.Fabric, *sim.Fabric) {
	t.Helper()
	f := must[*fabric.Fabric](t)(gen.Line(3))
	return f, must[*sim.Fabric](t)(sim.New(f, o))
}

// A link that fails is told by the switches at its ends, again and again until
// the manager represses it, with PortStateChange set.
func TestTrapRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t, nil)
		sm := listen(t, s, host(t, f, "1").Port(1))
		sw := switchNode(t, f, "1")
		if err := s.LinkDown(sim.Place{Node: host(t, f, "2"), Port: 1}); err != nil {
			t.Fatal(err)
		}
		notices, raw := sm.take()
		lid := switchNode(t, f, "2").Port(0).LID()
		want := smp.Notice{
			IsGeneric: true, Type: smp.NoticeUrgent, ProducerType: uint32(ib.NodeSwitch),
			TrapNumber: smp.TrapLinkStateChange, IssuerLID: lid,
		}
		want.Details[0], want.Details[1] = byte(lid>>8), byte(lid)
		if len(notices) != 1 || notices[0] != want || raw[0].Method() != mad.MethodTrap || raw[0].Class() != mad.ClassSubnLID {
			t.Fatalf("%d traps: %+v, want %+v", len(notices), notices, want)
		}
		time.Sleep(10 * time.Second) // SubnetTimeout 18 is 1.07 s
		if n, _ := sm.take(); len(n) != 9 {
			t.Errorf("%d repetitions in 10 s, want 9", len(n))
		}
		sm.repress(t, raw[0])
		time.Sleep(time.Minute)
		if n, _ := sm.take(); len(n) != 0 {
			t.Errorf("%d repetitions after TrapRepress", len(n))
		}
		p := must[*sim.Port](t)(s.Attach(sw.Port(0)))
		defer p.Close()
		var v smp.SwitchInfo
		r := askOne(t, p, get(switchInfo, 0, 3), directed)
		if v.Decode(r.SMPData()); !v.PortStateChange {
			t.Error("PortStateChange is not set")
		}
	})
}

func numbers(list []smp.Notice) map[uint16]int {
	count := map[uint16]int{}
	for i := range list {
		count[list[i].TrapNumber]++
	}
	return count
}

func TestTraps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t, nil)
		sm := listen(t, s, host(t, f, "1").Port(1))
		if n, _ := sm.take(); len(n) != 0 { // the model's manager was there before
			t.Errorf("at first %d traps", len(n))
		}
		other := must[*sim.Port](t)(s.Attach(host(t, f, "3").Port(1)))
		expect := func(what string, want map[uint16]int) smp.Notice {
			t.Helper()
			notices, raw := sm.take()
			got := numbers(notices)
			for number, n := range want {
				if got[number] != n {
					t.Errorf("%s: traps %v, want %v", what, got, want)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: traps %v, want %v", what, got, want)
			}
			for i := range raw {
				sm.repress(t, raw[i])
			}
			if len(notices) == 0 {
				return smp.Notice{}
			}
			return notices[0]
		}
		other.SetIsSM(true)
		n := expect("IsSM", map[uint16]int{smp.TrapCapMaskChange: 1})
		if lid := host(t, f, "3").Port(1).LID(); n.IssuerLID != lid || n.Details[9]&2 == 0 || n.ProducerType != uint32(ib.NodeCA) {
			t.Errorf("IsSM: %+v", n)
		}
		other.SetIsSM(false)
		expect("no longer IsSM", map[uint16]int{smp.TrapCapMaskChange: 1})
		if err := s.SetNodeDescription(host(t, f, "2"), "a new name"); err != nil {
			t.Fatal(err)
		}
		if n = expect("name", map[uint16]int{smp.TrapCapMaskChange: 1}); n.Details[5]&1 == 0 || n.Details[11] != 1 {
			t.Errorf("name: %+v", n)
		}
		at := sim.Place{Node: switchNode(t, f, "2"), Port: 3}
		if err := s.Raise(at, smp.TrapLocalLinkIntegrity); err != nil {
			t.Fatal(err)
		}
		n = expect("integrity", map[uint16]int{smp.TrapLocalLinkIntegrity: 1})
		if lid, port, ok := n.Link(); !ok || port != 3 || lid != at.Node.Port(0).LID() {
			t.Errorf("integrity: LID %d port %d", lid, port)
		}
		if err := s.KillNode(switchNode(t, f, "3")); err != nil {
			t.Fatal(err)
		}
		expect("a dead switch", map[uint16]int{smp.TrapLinkStateChange: 1})
		if err := s.ReviveNode(switchNode(t, f, "3")); err != nil {
			t.Fatal(err)
		}
		expect("alive again", map[uint16]int{smp.TrapLinkStateChange: 1})
	})
}

// A wrong M_Key is told with what came.
func TestTrapMKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t, nil)
		sm := listen(t, s, host(t, f, "1").Port(1))
		p := must[*sim.Port](t)(s.Attach(host(t, f, "2").Port(1)))
		lid := switchNode(t, f, "2").Port(0).LID()
		q := getLID(portInfo, 0)
		r := askOne(t, p, q, mad.Addr{LID: lid})
		var v smp.PortInfo
		v.Decode(r.SMPData())
		v.MKey, v.MKeyProtect, v.State, v.PhysState = secret, 1, 0, 0
		q.SetMethod(mad.MethodSet)
		v.Encode(q.SMPData())
		askOne(t, p, q, mad.Addr{LID: lid})
		q.SetMKey(5)
		if r := ask(t, p, q, mad.Addr{LID: lid}); len(r) != 0 {
			t.Error("a stranger writes")
		}
		notices, _ := sm.take()
		if len(notices) != 1 || notices[0].TrapNumber != smp.TrapBadMKey || notices[0].Type != smp.NoticeSecurity {
			t.Fatalf("%+v", notices)
		}
		d := notices[0].Details
		own := host(t, f, "2").Port(1).LID()
		want := [54]byte{2: byte(own >> 8), 3: byte(own), 6: 2, 8: 0, 9: 0x15, 21: 5}
		if d != want {
			t.Errorf("details % x, want % x", d, want)
		}
	})
}

// Without a manager, or if they are switched off, there are no traps, and
// nothing is left that runs.
func TestNoTraps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t, &sim.Options{NoTraps: true})
		sm := listen(t, s, host(t, f, "1").Port(1))
		_ = s.LinkDown(sim.Place{Node: host(t, f, "2"), Port: 1})
		time.Sleep(time.Minute)
		if n, _ := sm.take(); len(n) != 0 {
			t.Errorf("%d traps", len(n))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f, s := running(t, nil)
		_ = s.LinkDown(sim.Place{Node: host(t, f, "2"), Port: 1})
		time.Sleep(time.Minute)
		sm := listen(t, s, host(t, f, "1").Port(1))
		time.Sleep(time.Minute)
		if n, _ := sm.take(); len(n) != 0 {
			t.Errorf("%d traps for a manager that came later", len(n))
		}
	})
}
