package simbench

import (
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

// tree is a fat tree of 1,407 nodes: 177 switches, and hosts five hops away at most.
func tree(t testing.TB) *fabric.Fabric {
	t.Helper()
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 36, Hosts: 1230})
	if err != nil {
		t.Fatal(err)
	}
	if f.NumNodes() != 1407 {
		t.Fatalf("%d nodes", f.NumNodes())
	}
	return f
}

func typical() sim.Options {
	return sim.Options{HopLatency: sim.TypicalHop, Physics: sim.Typical(), Seed: 1}
}

// TestWindows: with no losses a sweep takes what all its round trips take,
// divided by the window, as long as it does not wait for one agent.
func TestWindows(t *testing.T) {
	f := tree(t)
	for _, test := range []struct {
		window, perTarget int
		slack             float64 // how much longer than that
		drops             bool
	}{
		{1, -1, 1.001, false},
		{2, -1, 1.02, false}, // as libibnetdisc
		{8, -1, 1.2, false},
		{8, 0, 1.2, false},
		{64, 0, 2, false}, // as discover
		{64, -1, 1000, true},
		{512, 0, 10, false},
	} {
		s := Setup{Model: f, Sim: typical(), Sweep: discover.Options{MaxOutstanding: test.window, MaxPerTarget: test.perTarget}}
		r := Sweep(t, s)
		n := r.Stats
		t.Logf("window %d, %d for a target: %v, %d SMPs, %d dropped, longest queue %d", test.window, test.perTarget, r.Duration, n.Sent, n.Dropped, n.MaxQueue)
		if !r.Complete() {
			t.Errorf("window %d: %d nodes and %d links are missing, %v", test.window, r.MissingNodes, r.MissingLinks, r.Err)
		}
		trips := time.Duration(n.Answered)*20*time.Microsecond + time.Duration(n.Crossed)*sim.TypicalHop
		least := trips / time.Duration(test.window)
		if r.Duration < least || float64(r.Duration) > float64(least)*test.slack {
			t.Errorf("window %d: %v, all round trips together take %v", test.window, r.Duration, trips)
		}
		if n.Dropped > 0 != test.drops || n.Lost != 0 || n.Sent != n.Answered+n.Dropped {
			t.Errorf("window %d: %+v", test.window, n)
		}
	}
}

// TestLoss: whatever gets lost, everything is found, with the bytes that a sweep
// without losses gives, and soon; and the same seed loses the same packets again.
func TestLoss(t *testing.T) {
	f := model(t, "702") // 648 hosts
	whole := Sweep(t, Setup{Model: f, Sim: typical()})
	for _, test := range []struct {
		loss   float64
		within time.Duration
	}{{0.01, 2 * time.Second}, {0.05, 3 * time.Second}, {0.2, 6 * time.Second}} {
		for seed := range uint64(4) {
			s := Setup{Model: f, Sim: typical()}
			s.Sim.Loss, s.Sim.Seed = test.loss, seed
			r := Sweep(t, s)
			n := r.Stats
			t.Logf("loss %v: %v, %d SMPs, %d lost", test.loss, r.Duration, n.Sent, n.Lost)
			if !r.Complete() || len(r.Fabric.Problems()) > 0 || r.Duration > test.within {
				t.Errorf("loss %v, seed %d: %v, %d nodes and %d links are missing, %v, problems %v", test.loss, seed, r.Duration, r.MissingNodes, r.MissingLinks, r.Err, r.Fabric.Problems())
			}
			each := 1 - (1-test.loss)*(1-test.loss)
			if share := float64(n.Lost) / float64(n.Sent); share < 0.7*each || share > 1.3*each {
				t.Errorf("loss %v, seed %d: %d of %d lost", test.loss, seed, n.Lost, n.Sent)
			}
			if again := Sweep(t, s); r.Trace != again.Trace || r.Duration != again.Duration || r.Stats != again.Stats {
				t.Errorf("loss %v, seed %d: %v, %+v and then %v, %+v", test.loss, seed, r.Duration, r.Stats, again.Duration, again.Stats)
			}
			if printed(t, r.Fabric) != printed(t, whole.Fabric) {
				t.Errorf("loss %v, seed %d: the fabric is not that of a sweep without losses", test.loss, seed)
			}
		}
	}
}

// TestSeeds: another seed loses other packets.
func TestSeeds(t *testing.T) {
	s := Setup{Model: model(t, "272"), Sim: typical()}
	s.Sim.Loss = 0.01
	one := Sweep(t, s)
	s.Sim.Seed = 2
	if two := Sweep(t, s); one.Trace == two.Trace {
		t.Error("another seed gives the same trace")
	}
}

// TestRepeats: what goes wrong in all ways at once goes wrong again.
func TestRepeats(t *testing.T) {
	f := tree(t)
	var parts []sim.Part
	for n := range f.Switches() {
		parts = append(parts, sim.Part{Node: n.GUID(), Port: 20, Period: 10 * time.Millisecond, Up: 0.9},
			sim.Part{Node: n.GUID(), Slow: 2})
	}
	s := Setup{Model: f, Sim: typical(), Sweep: discover.Options{Timeout: 5 * time.Millisecond}}
	ph := s.Sim.Physics
	ph.Parts = parts
	ph.Links = sim.Quality{Loss: 0.001, Duplicate: 0.001, Jitter: 30 * time.Microsecond}
	ph.Agents = sim.Quality{Corrupt: 0.001, Duplicate: 0.01}
	r, again := Sweep(t, s), Sweep(t, s)
	if r.Trace != again.Trace || r.Stats != again.Stats {
		t.Errorf("%+v and %+v", r.Stats, again.Stats)
	}
	n := r.Stats
	t.Logf("%v, %+v, %d nodes missing", r.Duration, n, r.MissingNodes)
	if n.Lost == 0 || n.Duplicated == 0 || n.Corrupted == 0 || n.Late == 0 {
		t.Errorf("%+v: not everything went wrong", n)
	}
}

// TestWithoutPhysics: what takes no time takes none, but for the nanosecond
// that the trace puts between packets.
func TestWithoutPhysics(t *testing.T) {
	f := tree(t)
	r := Sweep(t, Setup{Model: f})
	if !r.Complete() || r.Stats.Sent < 3*uint64(f.NumNodes()) || r.Duration > 100*time.Microsecond {
		t.Errorf("%v, %+v", r.Duration, r.Stats)
	}
	if r.Stats.MaxQueue != 1 {
		t.Errorf("a queue of %d", r.Stats.MaxQueue)
	}
}

// printed is a fabric as ibnetdiscover prints it.
func printed(t *testing.T, f *fabric.Fabric) string {
	t.Helper()
	var b strings.Builder
	if err := ibnetdiscover.Write(&b, f, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
