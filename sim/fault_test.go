package sim_test

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

func TestFaults(t *testing.T) {
	f := line(t)
	sw1, sw2 := switchNode(t, f, "1").GUID(), switchNode(t, f, "2").GUID()
	to1, to2, to3 := get(nodeInfo, 0, 1), get(nodeInfo, 0, 1, 3), get(nodeInfo, 0, 1, 3, 3)
	whole := func(m *mad.Packet) mad.Packet { return askOne(t, open(t, f, nil), m, directed) }
	for _, c := range []struct {
		name  string
		fault sim.Fault
		m     *mad.Packet
		check func(r []mad.Packet) bool
	}{
		{"dead agent", sim.Fault{Kind: sim.DeadSMA, Node: sw1}, to1, silent},
		{"dead agent forwards", sim.Fault{Kind: sim.DeadSMA, Node: sw1}, to2, sound(whole(to2))},
		{"dead node", sim.Fault{Kind: sim.DeadNode, Node: sw1}, to1, silent},
		{"dead node forwards nothing", sim.Fault{Kind: sim.DeadNode, Node: sw1}, to2, silent},
		{"dead node elsewhere", sim.Fault{Kind: sim.DeadNode, Node: sw2}, to1, sound(whole(to1))},
		{"dead own node", sim.Fault{Kind: sim.DeadNode, Node: host(t, f, "1").GUID()}, to1, silent},
		{"dead port", sim.Fault{Kind: sim.DeadPort, Node: sw1, Port: 3}, to2, silent},
		{"dead port of the far end", sim.Fault{Kind: sim.DeadPort, Node: sw2, Port: 2}, to2, silent},
		{"dead port elsewhere", sim.Fault{Kind: sim.DeadPort, Node: sw2, Port: 3}, to2, sound(whole(to2))},
		{
			"other node GUID",
			sim.Fault{Kind: sim.WrongNodeGUID, Node: sw1, GUID: 5},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && decodeNodeInfo(&r[0]).NodeGUID == 5 },
		},
		{
			"other port GUID",
			sim.Fault{Kind: sim.WrongPortGUID, Node: sw2, Port: 2, GUID: 5},
			to2,
			func(r []mad.Packet) bool { return len(r) == 1 && decodeNodeInfo(&r[0]).PortGUID == 5 },
		},
		{"other port GUID by another port", sim.Fault{Kind: sim.WrongPortGUID, Node: sw2, Port: 3, GUID: 5}, to2, sound(whole(to2))},
		{
			"wrong TID",
			sim.Fault{Kind: sim.WrongTID},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && r[0].TID() != to1.TID() },
		},
		{
			"wrong class version",
			sim.Fault{Kind: sim.WrongClassVersion},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && r[0].ClassVersion() == 127 },
		},
		{
			"busy",
			sim.Fault{Kind: sim.BadStatus, Status: mad.StatusBusy},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && errors.Is(r[0].Status(), mad.StatusBusy) },
		},
		{
			"zero data",
			sim.Fault{Kind: sim.ZeroData},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && *r[0].SMPData() == [64]byte{} && r[0].Status() == 0 },
		},
		{
			"duplicated",
			sim.Fault{Kind: sim.Duplicated},
			to1,
			func(r []mad.Packet) bool { return len(r) == 2 && r[0] == whole(to1) && r[1] == r[0] },
		},
		{
			"corrupt",
			sim.Fault{Kind: sim.CorruptBytes},
			to1,
			func(r []mad.Packet) bool { return len(r) == 1 && differs(r[0], whole(to1)) },
		},
		{"of another attribute", sim.Fault{Kind: sim.DeadSMA, Attr: portInfo}, to3, sound(whole(to3))},
	} {
		c.fault.Attr = onlyNodeInfo(c.fault)
		if p := open(t, f, &sim.Options{Faults: []sim.Fault{c.fault}}); c.fault.Node == host(t, f, "1").GUID() {
			checkAllSilent(t, c.name, p, c.m)
		} else if !c.check(ask(t, p, c.m, directed)) {
			t.Errorf("%s: not as it should be", c.name)
		}
	}
}

// onlyNodeInfo keeps faults of all nodes away from the marker of ask, which is
// a NodeDescription.
func onlyNodeInfo(f sim.Fault) mad.AttrID {
	if f.Node == 0 && f.Attr == 0 {
		return nodeInfo
	}
	return f.Attr
}

func silent(r []mad.Packet) bool { return len(r) == 0 }

func sound(want mad.Packet) func([]mad.Packet) bool {
	return func(r []mad.Packet) bool { return len(r) == 1 && r[0] == want }
}

func differs(a, b mad.Packet) bool {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n >= 1 && n <= 4
}

func checkAllSilent(t *testing.T, name string, p *sim.Port, m *mad.Packet) {
	t.Helper()
	if err := p.Send(m, directed, 0); err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() {
		var r mad.Packet
		_, err := p.Recv(&r)
		got <- err
	}()
	_ = p.Close()
	if err := <-got; !errors.Is(err, os.ErrClosed) {
		t.Errorf("%s: answered", name)
	}
}

func TestFaultTiming(t *testing.T) {
	f := line(t)
	sw1 := switchNode(t, f, "1").GUID()
	answers := func(fault sim.Fault, m *mad.Packet) (got string) {
		p := open(t, f, &sim.Options{Faults: []sim.Fault{fault}, Seed: 3})
		for range 8 {
			got += string(rune('0' + len(ask(t, p, m, directed))))
		}
		return got
	}
	to1 := get(nodeInfo, 0, 1)
	for want, fault := range map[string]sim.Fault{
		"11100000": {Kind: sim.DeadNode, Node: sw1, After: 3},
		"11001111": {Kind: sim.DeadSMA, Node: sw1, After: 2, Times: 2},
		"00000000": {Kind: sim.DeadSMA, Node: sw1},
		"12221111": {Kind: sim.Duplicated, Node: sw1, After: 1, Times: 3},
	} {
		if got := answers(fault, to1); got != want {
			t.Errorf("%+v: %s, want %s", fault, got, want)
		}
	}
	half := sim.Fault{Kind: sim.DeadSMA, Node: sw1, Probability: 0.5}
	if a, b := answers(half, to1), answers(half, to1); a != b || a == "00000000" || a == "11111111" {
		t.Errorf("probability: %s, then %s with the same seed", a, b)
	}
}

func TestBadOptions(t *testing.T) {
	f := line(t)
	sw1 := switchNode(t, f, "1").GUID()
	for name, o := range map[string]sim.Options{
		"loss":        {Loss: 1.5},
		"latency":     {Latency: -1},
		"no kind":     {Faults: []sim.Fault{{}}},
		"kind":        {Faults: []sim.Fault{{Kind: 99}}},
		"node":        {Faults: []sim.Fault{{Kind: sim.DeadSMA, Node: 1}}},
		"port":        {Faults: []sim.Fault{{Kind: sim.DeadPort, Node: sw1, Port: 4}}},
		"no port":     {Faults: []sim.Fault{{Kind: sim.DeadPort, Node: sw1}}},
		"probability": {Faults: []sim.Fault{{Kind: sim.DeadSMA, Probability: -1}}},
		"after":       {Faults: []sim.Fault{{Kind: sim.DeadSMA, After: -1}}},
	} {
		if _, err := sim.New(f, &o); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoss(t *testing.T) {
	f := line(t)
	run := func(seed uint64) (got []uint64) {
		p := open(t, f, &sim.Options{Loss: 0.1, Seed: seed})
		const n = 2000
		for i := range uint64(n) {
			m := get(nodeInfo, 0, 1)
			m.SetTID(i)
			if err := p.Send(m, directed, 0); err != nil {
				t.Fatal(err)
			}
		}
		done := make(chan bool)
		go func() {
			defer close(done)
			var r mad.Packet
			for {
				if _, err := p.Recv(&r); err != nil {
					return
				}
				got = append(got, r.TID())
				if r.TID() >= n-50 && len(got) > 0 {
					_ = p.Close()
				}
			}
		}()
		<-done
		return got
	}
	a, b, c := run(1), run(1), run(2)
	if len(a) < 1500 || len(a) > 1700 { // 0.9² of 1950 and some
		t.Errorf("%d of 2000 came back with a loss of 0.1 each way", len(a))
	}
	if !equal(a, b) || equal(a, c) {
		t.Error("the seed does not decide which are lost")
	}
}

func equal(a, b []uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestLatency(t *testing.T) {
	f := line(t)
	sw3 := switchNode(t, f, "3").GUID()
	synctest.Test(t, func(t *testing.T) {
		p := open(t, f, &sim.Options{
			Latency: 10 * time.Microsecond, HopLatency: time.Microsecond,
			Faults: []sim.Fault{{Kind: sim.Delayed, Node: sw3, Delay: time.Millisecond}},
		})
		start := time.Now()
		for _, m := range []*mad.Packet{get(nodeInfo, 0, 1, 3, 3), get(nodeInfo, 0, 1, 3), get(nodeInfo, 0)} {
			if err := p.Send(m, directed, 0); err != nil {
				t.Fatal(err)
			}
		}
		for i, want := range []time.Duration{10 * time.Microsecond, 14 * time.Microsecond, 1016 * time.Microsecond} {
			var r mad.Packet
			if _, err := p.Recv(&r); err != nil {
				t.Fatal(err)
			}
			if got := time.Since(start); got != want {
				t.Errorf("reply %d after %v, want %v", i, got, want)
			}
		}
	})
}

// Recv ends by Close also while it waits for a reply that is under way.
func TestClose(t *testing.T) {
	f := line(t)
	synctest.Test(t, func(t *testing.T) {
		p := open(t, f, &sim.Options{Latency: time.Hour})
		if err := p.Send(get(nodeInfo, 0), directed, 0); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			var r mad.Packet
			_, err := p.Recv(&r)
			done <- err
		}()
		synctest.Wait()
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, os.ErrClosed) {
			t.Errorf("Recv: %v", err)
		}
		if err := p.Send(get(nodeInfo, 0), directed, 0); !errors.Is(err, os.ErrClosed) {
			t.Errorf("Send: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("second Close: %v", err)
		}
	})
}
