package discover_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// unmanaged is a simulated fabric that no manager looks after.
func unmanaged(t *testing.T, model *fabric.Fabric, o *sim.Options) *watched {
	t.Helper()
	s, err := sim.New(model, o)
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.AttachAt("h1", 0)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{t: t, sim: s, client: madrpc.New(port, nil)}
	t.Cleanup(func() {
		_ = w.client.Close()
		s.Close()
	})
	return w
}

// TestRefreshOfRandomFabrics: parallel links, self links and adapters with several
// ports are refreshed as they are swept, when all flags are kept.
func TestRefreshOfRandomFabrics(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 9))
			p := random(seed)
			p.b.SetStart(p.nodes["h1"].Port(1))
			w := unmanaged(t, p.b.Build(), &sim.Options{NoTraps: true})
			w.known = w.sweep()
			var done []string
			for range 6 {
				done = append(done, w.change(r, false))
				got, want := w.refresh(discover.RefreshOptions{Period: 1000}), w.sweep()
				if diff := cmp.Diff(everything(want), everything(got)); diff != "" {
					t.Fatalf("seed %d: after %q (-sweep +refresh)\n%s", seed, done, diff)
				}
			}
		})
	}
}

// TestRefreshAfterLoss: what was lost is a problem of one refresh, and read by the
// next one.
func TestRefreshAfterLoss(t *testing.T) {
	for seed := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			w := unmanaged(t, tree(4, 3).b.Build(), &sim.Options{NoTraps: true, Seed: seed})
			whole := w.sweep()
			h5, ok := whole.NodeByGUID(0x1000 + 16*4)
			if !ok {
				t.Fatal("no h5")
			}
			var model *fabric.Node
			for n := range w.sim.Model().Nodes() {
				if n.GUID() == h5.GUID() {
					model = n
				}
			}
			if err := w.sim.Disturb(model, 0, sim.Disturbance{Loss: 1}); err != nil {
				t.Fatal(err)
			}
			w.known = w.sweep()
			if w.known.IsComplete() {
				t.Fatal("nothing is lost")
			}
			if err := w.sim.Disturb(model, 0, sim.Disturbance{}); err != nil {
				t.Fatal(err)
			}
			got := w.refresh(discover.RefreshOptions{Period: 1000})
			if diff := cmp.Diff(everything(whole), everything(got)); diff != "" {
				t.Errorf("(-sweep +refresh)\n%s", diff)
			}
		})
	}
}

// TestRefreshOfTwins: nodes with one GUID are told apart as in a sweep.
func TestRefreshOfTwins(t *testing.T) {
	p := newPlan()
	p.node("h1", 0x100, 1)
	p.node("h2", 0x200, 1)
	p.node("h3", 0x200, 1)
	p.node("S1", 0x1000, 8)
	p.node("S2", 0x2000, 8)
	p.link("h1/1", "S1/1")
	p.link("h2/1", "S1/2")
	p.link("h3/1", "S2/2")
	p.link("S1/3", "S2/3")
	w := unmanaged(t, p.b.Build(), nil)
	w.known = w.sweep()
	if w.known.NumNodes() != 5 {
		t.Fatalf("%d nodes", w.known.NumNodes())
	}
	for _, level := range []discover.Level{discover.Normal, discover.Quick} {
		got := w.refresh(discover.RefreshOptions{Level: level})
		if diff := cmp.Diff(everything(w.sweep()), everything(got)); diff != "" {
			t.Errorf("level %d (-sweep +refresh)\n%s", level, diff)
		}
	}
}

// TestRefreshFromElsewhere: what is known may have been seen from another start.
func TestRefreshFromElsewhere(t *testing.T) {
	p := tree(4, 3)
	w := unmanaged(t, p.b.Build(), nil)
	w.known = w.sweep()
	port, err := w.sim.AttachAt("h8", 0)
	if err != nil {
		t.Fatal(err)
	}
	w.client = madrpc.New(port, nil)
	defer w.client.Close()
	got, want := w.refresh(discover.RefreshOptions{}), w.sweep()
	if diff := cmp.Diff(everything(want), everything(got)); diff != "" {
		t.Errorf("(-sweep +refresh)\n%s", diff)
	}
	if got.Start().Node().Description() != "h8" || got.Sweep().SMPs > want.Sweep().SMPs/2 {
		t.Errorf("from %s, %d SMPs", got.Start().Node().Description(), got.Sweep().SMPs)
	}
}
