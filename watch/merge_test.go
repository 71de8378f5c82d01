package watch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

// graph is who is connected to whom, and what ports tell, in no order.
func graph(f *fabric.Fabric) map[string]string {
	g := map[string]string{}
	for n := range f.Nodes() {
		var b strings.Builder
		for p := range n.Ports() {
			fmt.Fprintf(&b, " %d %s", p.Num(), p.State())
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, "=%s/%d", r.Node().GUID(), r.Num())
			}
		}
		g[n.GUID().String()] = n.Description() + b.String()
	}
	return g
}

// cut is a client whose sweeps can be cut short.
type cut struct {
	t      *testing.T
	sim    *sim.Fabric
	client *madrpc.Client
}

func newCut(t *testing.T, model *fabric.Fabric) *cut {
	s, err := sim.New(model, &sim.Options{Latency: time.Millisecond, NoTraps: true})
	if err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &cut{t: t, sim: s, client: madrpc.New(port, &madrpc.Options{MaxOutstanding: 8})}
}

func (c *cut) close() {
	_ = c.client.Close()
	_ = c.sim.Close()
}

// sweep sweeps for that long, 0 for to the end: everything, or what may have changed of
// a known fabric.
func (c *cut) sweep(within time.Duration, known *fabric.Fabric) *fabric.Fabric {
	c.t.Helper()
	ctx := c.t.Context()
	if within > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	var f *fabric.Fabric
	var err error
	if known == nil {
		f, err = discover.Walk(ctx, c.client, &discover.Options{MaxOutstanding: 8})
	} else {
		f, err = discover.Refresh(ctx, c.client, known, &discover.RefreshOptions{Options: discover.Options{MaxOutstanding: 8}, Period: 1000})
	}
	if within == 0 && err != nil {
		c.t.Fatal(err)
	}
	return f
}

// TestMergeOfTheSame: where nothing has changed, a sweep that ended early changes
// nothing, whenever it ended.
func TestMergeOfTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCut(t, tree(t, 40))
		defer c.close()
		known := c.sweep(0, nil)
		want := graph(known)
		cutShort := 0
		for ms := range 130 {
			for _, from := range []*fabric.Fabric{nil, known} {
				part := c.sweep(time.Duration(ms+1)*time.Millisecond, from)
				if part.NumNodes() < known.NumNodes() {
					cutShort++
				}
				got := watch.Merge(known, part)
				if diff := cmp.Diff(want, graph(got)); diff != "" {
					t.Fatalf("cut after %d ms with %d nodes: (-want +got)\n%s", ms+1, part.NumNodes(), diff)
				}
				if got != known && got.Start().Node().GUID() != known.Start().Node().GUID() {
					t.Errorf("cut after %d ms: another start", ms+1)
				}
			}
		}
		if cutShort < 20 {
			t.Errorf("only %d sweeps were cut short", cutShort)
		}
	})
}

// TestMergeOfChanges: what a cut sweep has found is in the result, nothing is in it that
// is in neither, and a refresh of it finds what a sweep finds.
func TestMergeOfChanges(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			c := newCut(t, tree(t, 40))
			defer c.close()
			known := c.sweep(0, nil)
			var done []string
			for range 1 + r.IntN(5) {
				done = append(done, c.change(r))
			}
			from := known
			if r.IntN(2) == 0 {
				from = nil
			}
			part := c.sweep(time.Duration(1+r.IntN(100))*time.Millisecond, from)
			got := watch.Merge(known, part)
			before, found, merged, now := graph(known), graph(part), graph(got), c.sweep(0, nil)
			for guid := range merged {
				if before[guid] == "" && found[guid] == "" {
					t.Errorf("seed %d: after %q, node %s comes from nowhere", seed, done, guid)
				}
			}
			for guid := range found {
				if merged[guid] == "" {
					t.Errorf("seed %d: after %q, node %s was found and is lost", seed, done, guid)
				}
			}
			for p := range got.Ports() {
				if q := p.Remote(); q != nil && q.Remote() != p {
					t.Errorf("seed %d: after %q, node %s port %d has a link one way", seed, done, p.Node().GUID(), p.Num())
				}
			}
			refreshed := c.sweep(0, got)
			if diff := cmp.Diff(graph(now), graph(refreshed)); diff != "" {
				t.Errorf("seed %d: after %q, a refresh of it (-sweep +refresh)\n%s\n%v", seed, done, diff, refreshed.Problems())
			}
		})
	}
}

// change makes one change, and tells which.
func (c *cut) change(r *rand.Rand) string {
	var nodes []*fabric.Node
	start := c.sim.Model().Start()
	for n := range c.sim.Model().Nodes() {
		if n != start.Node() && n != start.Remote().Node() {
			nodes = append(nodes, n)
		}
	}
	n := nodes[r.IntN(len(nodes))]
	at := sim.Place{Node: n, Port: 1 + r.IntN(n.NumPorts())}
	switch r.IntN(4) {
	case 0:
		_ = c.sim.KillNode(n)
		return "kill " + n.Description()
	case 1:
		_ = c.sim.ReplaceNode(n, sim.Replacement{GUID: ib.GUID(0xabc000 + 0x100*r.Uint64N(1<<20)), Description: "replaced"})
		return "replace " + n.Description()
	default:
		_ = c.sim.LinkDown(at)
		return fmt.Sprintf("link down %s/%d", n.Description(), at.Port)
	}
}

// TestMergeGone: who is seen to be gone does not stay, even if the sweep ended before it
// came elsewhere.
func TestMergeGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCut(t, tree(t, 40))
		defer c.close()
		known := c.sweep(0, nil)
		near := known.Start().Remote().Node()
		var gone *fabric.Node
		for p := range near.Ports() {
			if r := p.Remote(); r != nil && r.Node().Type() == ib.NodeCA && r != known.Start() {
				gone = r.Node()
			}
		}
		model, _ := c.sim.Model().NodeByGUID(gone.GUID())
		if err := c.sim.KillNode(model); err != nil {
			t.Fatal(err)
		}
		for ms := 1; ; ms++ {
			part := c.sweep(time.Duration(ms)*time.Millisecond, nil)
			if part.NumNodes() == known.NumNodes()-1 {
				t.Fatal("no sweep that was cut short saw it")
			}
			if _, ok := watch.Merge(known, part).NodeByGUID(gone.GUID()); !ok {
				if n := watch.Merge(known, part).NumNodes(); n != known.NumNodes()-1 {
					t.Errorf("%d nodes are left of %d", n, known.NumNodes())
				}
				return
			}
		}
	})
}
