package discover_test

import (
	"testing"
	"testing/synctest"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestRefreshCost: what a refresh of some 10,000 nodes sends when nothing has
// changed. The first tree has 2,700 switch ports without a link, the other none.
func TestRefreshCost(t *testing.T) {
	for _, tree := range []gen.FatTreeOptions{{Levels: 3, Radix: 36, Hosts: 8740}, {Levels: 3, Radix: 32, Hosts: 8192}} {
		model, err := gen.FatTree(tree)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			w := watch(t, model)
			full := w.known.Sweep().SMPs
			for _, c := range []struct {
				level  discover.Level
				period int
				most   float64 // of a full sweep
			}{{discover.Normal, 0, 0.17}, {discover.Normal, 16, 0.21}, {discover.Quick, 0, 0.05}} {
				got := w.refresh(discover.RefreshOptions{Level: c.level, Period: c.period})
				share := float64(got.Sweep().SMPs) / float64(full)
				t.Logf("%d nodes: a sweep takes %d SMPs, level %d with period %d takes %d, %.1f %%",
					got.NumNodes(), full, c.level, c.period, got.Sweep().SMPs, 100*share)
				if share > c.most {
					t.Errorf("%.1f %% of a sweep", 100*share)
				}
			}
		})
	}
}

// BenchmarkRefresh: what a refresh of a fabric of 1,407 nodes, most of it from
// memory, costs on this side; and for comparison a sweep.
func BenchmarkRefresh(b *testing.B) {
	model, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 36, Hosts: 1230})
	if err != nil {
		b.Fatal(err)
	}
	w := watch(b, model)
	b.Run("refresh", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.refresh(discover.RefreshOptions{})
		}
		b.ReportMetric(float64(w.known.Sweep().SMPs), "SMPs/op")
	})
	b.Run("sweep", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.known = w.sweep()
		}
		b.ReportMetric(float64(w.known.Sweep().SMPs), "SMPs/op")
	})
}
