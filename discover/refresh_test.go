package discover_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
)

// everything is all that a sweep has found, as text.
func everything(f *fabric.Fabric) string {
	var b strings.Builder
	for n := range f.Nodes() {
		path, _ := n.Path()
		fmt.Fprintf(&b, "%s %s [%s] %x %x\n", n.GUID(), n.Description(), path, *n.InfoBytes(), *n.DescriptionBytes())
		if sw := n.SwitchInfoBytes(); sw != nil {
			fmt.Fprintf(&b, " %x\n", *sw)
		}
		for p := range n.Ports() {
			fmt.Fprintf(&b, " %d %s order %d", p.Num(), p.GUID(), p.InfoOrder())
			if r := p.Remote(); r != nil {
				fmt.Fprintf(&b, " = %s/%d", r.Node().GUID(), r.Num())
			}
			if info := p.InfoBytes(); info != nil {
				fmt.Fprintf(&b, " %s %s %s %x", p.State(), p.PhysState(), p.Active(), *info)
			}
			if ext := p.ExtendedInfoBytes(); ext != nil {
				fmt.Fprintf(&b, " ext %x", *ext)
			}
			b.WriteByte('\n')
		}
	}
	for _, p := range f.Problems() {
		fmt.Fprintf(&b, "%s: %v\n", p.Kind, p)
	}
	return b.String()
}

// watched is a simulated fabric with a subnet manager that sweeps when told, and
// a client that sweeps it again and again.
type watched struct {
	t       testing.TB
	sim     *sim.Fabric
	manager *sm.Manager
	client  *madrpc.Client
	known   *fabric.Fabric
	round   int
}

func watch(t testing.TB, model *fabric.Fabric) *watched {
	t.Helper()
	s, err := sim.New(model, &sim.Options{NoTraps: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{t: t, sim: s}
	if w.manager, err = sm.Start(s, nil); err != nil {
		t.Fatal(err)
	}
	port, err := s.Attach(nil)
	if err != nil {
		t.Fatal(err)
	}
	w.client = madrpc.New(port, nil)
	t.Cleanup(func() {
		_ = w.client.Close()
		_ = w.manager.Close()
		s.Close()
	})
	w.known = w.sweep()
	return w
}

func (w *watched) sweep() *fabric.Fabric {
	w.t.Helper()
	f, err := discover.Walk(w.t.Context(), w.client, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// refresh refreshes, with Round counted up.
func (w *watched) refresh(o discover.RefreshOptions) *fabric.Fabric {
	w.t.Helper()
	o.Round = w.round
	w.round++
	f, err := discover.Refresh(w.t.Context(), w.client, w.known, &o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.known = f
	return f
}

func smallTree(t testing.TB) *fabric.Fabric {
	t.Helper()
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 8, Hosts: 40})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// change makes one random change and tells which. Quiet ones concern no link.
func (w *watched) change(r *rand.Rand, quiet bool) string {
	model := w.sim.Model()
	var nodes []*fabric.Node
	for n := range model.Nodes() {
		if n != model.Start().Node() {
			nodes = append(nodes, n)
		}
	}
	n := nodes[r.IntN(len(nodes))]
	at := sim.Place{Node: n, Port: 1 + r.IntN(n.NumPorts())}
	text := fmt.Sprintf("%s/%d", n.Description(), at.Port)
	if quiet {
		if r.IntN(2) == 0 {
			_ = w.sim.SetNodeDescription(n, fmt.Sprintf("renamed %d", r.IntN(1000)))
			return "rename " + text
		}
		return "lid " + text + w.newLID(n, ib.LID(1000+r.IntN(1000)))
	}
	switch r.IntN(8) {
	case 0:
		_ = w.sim.LinkDown(at)
		return "link down " + text
	case 1:
		_ = w.sim.LinkUp(at)
		return "link up " + text
	case 2:
		_ = w.sim.KillNode(n)
		return "kill " + text
	case 3:
		_ = w.sim.ReviveNode(n)
		return "revive " + text
	case 4:
		_ = w.sim.ReplaceNode(n, sim.Replacement{GUID: ib.GUID(0xabc000 + 0x100*r.Uint64N(1<<20)), Description: "replaced"})
		return "replace " + text
	case 5:
		_ = w.sim.LimitLink(at, fabric.LinkRate{Width: ib.Width1x})
		_ = w.sim.LinkDown(at)
		_ = w.sim.LinkUp(at)
		return "narrow " + text
	case 6:
		_ = w.sim.Unlink(at)
		return "unlink " + text
	default:
		other := nodes[r.IntN(len(nodes))]
		return "swap " + text + " " + other.Description() + w.swap(at, sim.Place{Node: other, Port: 1 + r.IntN(other.NumPorts())})
	}
}

// swap exchanges the far ends of two cables.
func (w *watched) swap(a, b sim.Place) string {
	farA, okA := w.sim.Cable(a)
	farB, okB := w.sim.Cable(b)
	if !okA || !okB || farA == b || a == b {
		return ": no cables"
	}
	_ = w.sim.Unlink(a)
	_ = w.sim.Unlink(b)
	_ = w.sim.Link(a, farB)
	_ = w.sim.Link(b, farA)
	return ""
}

func (w *watched) newLID(n *fabric.Node, lid ib.LID) string {
	at := sim.Place{Node: n, Port: 1}
	if n.Type() == ib.NodeSwitch {
		at.Port = 0
	}
	v := w.sim.PortInfo(at)
	v.LID = lid
	return setPortInfo(w.sim, at, v)
}

// nodesOf are the nodes of a fabric.
func nodesOf(f *fabric.Fabric) map[ib.GUID]bool {
	m := map[ib.GUID]bool{}
	for n := range f.Nodes() {
		m[n.GUID()] = true
	}
	return m
}

// TestRefreshSeesWhatASweepSees: as long as switches have not been told to forget
// that their ports changed, a refresh finds what a sweep finds, byte for byte.
func TestRefreshSeesWhatASweepSees(t *testing.T) {
	for _, level := range []discover.Level{discover.Normal, discover.Quick} {
		for seed := range uint64(25) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 7))
				w := watch(t, smallTree(t))
				for range 5 {
					w.manager.Sweep()
					w.known = w.sweep()
					var done []string
					for range 1 + r.IntN(4) {
						done = append(done, w.change(r, false))
					}
					got, want := w.refresh(discover.RefreshOptions{Level: level, Period: 1000}), w.sweep()
					if diff := cmp.Diff(everything(want), everything(got)); diff != "" {
						t.Fatalf("level %d, seed %d: after %q (-sweep +refresh)\n%s", level, seed, done, cmp.Diff(picture(want), picture(got)))
					}
				}
			})
		}
	}
}

// TestRefreshWithoutFlags: where the subnet manager has cleared the flags, Normal
// still sees at once which nodes there are, and everything within a period.
func TestRefreshWithoutFlags(t *testing.T) {
	const period = 4
	for _, level := range []discover.Level{discover.Normal, discover.Quick} {
		for seed := range uint64(25) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 8))
				w := watch(t, smallTree(t))
				o := discover.RefreshOptions{Level: level, Period: period}
				var done []string
				for range 4 {
					for range r.IntN(4) {
						done = append(done, w.change(r, r.IntN(3) == 0))
					}
					w.manager.Sweep()
					got := w.refresh(o)
					if want := w.sweep(); level == discover.Normal && !cmp.Equal(nodesOf(got), nodesOf(want)) {
						t.Fatalf("seed %d: after %q: other nodes\n%s", seed, done, cmp.Diff(picture(want), picture(got)))
					}
				}
				for range period {
					w.refresh(o)
				}
				if diff := cmp.Diff(everything(w.sweep()), everything(w.known)); diff != "" {
					t.Fatalf("level %d, seed %d: after %q, and a period (-sweep +refresh)\n%s", level, seed, done, diff)
				}
			})
		}
	}
}

// TestRefreshOfEverything: a period of 1 is a sweep, with as many requests.
func TestRefreshOfEverything(t *testing.T) {
	w := watch(t, smallTree(t))
	full := w.sweep()
	for _, known := range []*fabric.Fabric{full, fabric.NewBuilder().Build()} {
		w.known = known
		got := w.refresh(discover.RefreshOptions{Period: 1})
		if diff := cmp.Diff(everything(full), everything(got)); diff != "" {
			t.Errorf("(-sweep +refresh)\n%s", diff)
		}
		if n := full.Sweep().SMPs; got.Sweep().SMPs < n-n/8 || got.Sweep().SMPs > n+n/8 { // some links are probed from both ends
			t.Errorf("%d SMPs, a sweep sends %d", got.Sweep().SMPs, full.Sweep().SMPs)
		}
	}
}
