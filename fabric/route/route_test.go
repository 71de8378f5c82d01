package route_test

import (
	"errors"
	"os"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

func make1(t testing.TB, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shapes are fabrics with the engine that suits them.
var shapes = map[string]route.Engine{
	"fattree?levels=2&radix=8":           route.FatTree,
	"fattree?levels=2&radix=8&sharp=yes": route.FatTree,
	"fattree?levels=3&radix=6":           route.FatTree,
	"fattree?levels=3&radix=8&hosts=70":  route.FatTree,
	"ring":                               route.MinHop,
	"star":                               route.MinHop,
	"torus?dims=4x4x3&hosts=1":           route.MinHop,
	"dragonfly":                          route.MinHop,
	"hyperx":                             route.MinHop,
}

func TestSuggest(t *testing.T) {
	for text, want := range shapes {
		if got := route.Suggest(make1(t, text), nil); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Every switch reaches every LID, without loops, by each engine; up/down and the
// fat tree leave no credit loop. The ring shows that shortest ways do.
func TestReachable(t *testing.T) {
	loops := 0
	for text := range shapes {
		f := make1(t, text)
		for _, e := range []route.Engine{route.MinHop, route.UpDown, route.FatTree} {
			tables, err := route.New(f, e, nil)
			if err != nil {
				if e != route.FatTree || shapes[text] == route.FatTree || !errors.Is(err, os.ErrInvalid) {
					t.Errorf("%s %s: %v", text, e, err)
				}
				continue
			}
			for _, fault := range route.Check(f, tables, 5) {
				t.Errorf("%s %s: %s", text, e, fault)
			}
			circle := route.CreditLoop(f, tables, nil)
			if circle != nil && e != route.MinHop {
				t.Errorf("%s %s: a credit loop of %d links", text, e, len(circle))
			}
			if circle != nil {
				loops++
			}
		}
	}
	if loops == 0 {
		t.Error("shortest ways have no credit loop in any shape")
	}
}

// The up links of each switch of a fat tree carry equal shares of what really
// passes it.
func TestBalance(t *testing.T) {
	f := make1(t, "fattree?levels=3&radix=8")
	tables, err := route.New(f, route.FatTree, nil)
	if err != nil {
		t.Fatal(err)
	}
	load := map[*fabric.Port]int{}
	for from := range f.CAs() {
		for to := range f.CAs() {
			dst := to.Port(1)
			for at := from.Port(1).Remote(); at.Node() != to; {
				out := at.Node().Port(int(tables.Next(at.Node(), dst.LID())))
				load[out]++
				at = out.Remote()
			}
		}
	}
	for sw := range f.Switches() {
		least, most := 1<<30, 0
		for p := range sw.Ports() {
			if r := p.Remote(); r != nil && r.Node().Type() == ib.NodeSwitch {
				least, most = min(least, load[p]), max(most, load[p])
			}
		}
		if least == 0 || most > 2*least {
			t.Errorf("switch %s: from %d to %d ways over its links", sw.Description(), least, most)
		}
	}
}

// The LIDs of a port with LMC take different ways.
func TestLMC(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8")
	lid := func(n *fabric.Node, num int) (ib.LID, uint8) { return n.Port(num).LID() * 4, 2 }
	for _, e := range []route.Engine{route.MinHop, route.UpDown, route.FatTree} {
		tables, err := route.New(f, e, &route.Options{LID: lid})
		if err != nil {
			t.Fatal(err)
		}
		for ca := range f.CAs() {
			for sw := range f.Switches() {
				last := ca.Port(1).Remote().Node()
				if sw == last || sw.Port(1).Remote().Node().Type() != ib.NodeCA {
					continue
				}
				used := map[uint8]bool{}
				for i := range ib.LID(4) {
					used[tables.Next(sw, 4*ca.Port(1).LID()+i)] = true
				}
				if len(used) != 4 || used[route.NoPort] {
					t.Fatalf("%s: switch %s uses %v for %s", e, sw.Description(), used, ca.Description())
				}
			}
		}
	}
}

// Blocks, whole tables and single entries agree, also beyond all of them.
func TestBlocks(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8")
	tables, err := route.New(f, route.UpDown, nil)
	if err != nil {
		t.Fatal(err)
	}
	for sw := range f.Switches() {
		table := tables.LFT(sw)
		if len(table) != int(tables.TopLID())+1 {
			t.Fatalf("%d entries, top LID %d", len(table), tables.TopLID())
		}
		for lid, port := range table {
			if got := tables.Next(sw, ib.LID(lid)); got != port {
				t.Errorf("LID %d: %d and %d", lid, got, port)
			}
		}
		for _, block := range []int{-1, 767, 1 << 40} {
			var b [route.BlockSize]uint8
			if tables.Block(sw, block, &b); b[0] != route.NoPort || b[63] != route.NoPort {
				t.Errorf("block %d: % x", block, b)
			}
		}
	}
	for ca := range f.CAs() {
		if got := tables.Next(ca, 1); got != route.NoPort {
			t.Errorf("an adapter forwards by %d", got)
		}
	}
}

// broken sends everything out of port 1.
type broken struct{}

func (broken) Next(*fabric.Node, ib.LID) uint8 { return 1 }

func TestCheckFinds(t *testing.T) {
	found := map[string]bool{}
	for _, text := range []string{"ring", "star", "fattree?levels=2&radix=4"} {
		for _, fault := range route.Check(make1(t, text), broken{}, 1000) {
			found[fault.What] = true
		}
	}
	if !found["wrong destination"] {
		t.Errorf("found only %v", found)
	}
}

// Links that are taken away are not used; what they cut off has no route.
func TestUsable(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8")
	var cut *fabric.Port
	for ca := range f.CAs() {
		cut = ca.Port(1)
		break
	}
	tables, err := route.New(f, route.MinHop, &route.Options{Peer: func(n *fabric.Node, num int) (*fabric.Node, int, bool) {
		p := n.Port(num)
		if p == nil || p.Remote() == nil || p == cut || p.Remote() == cut {
			return nil, 0, false
		}
		return p.Remote().Node(), p.Remote().Num(), true
	}})
	if err != nil {
		t.Fatal(err)
	}
	for sw := range f.Switches() {
		if got := tables.Next(sw, cut.LID()); got != route.NoPort {
			t.Errorf("switch %s sends to the lost adapter by port %d", sw.Description(), got)
		}
	}
}

// BenchmarkTable is the forwarding table of one switch of a large fabric, its
// first one and others.
func BenchmarkTable(b *testing.B) {
	f := make1(b, "fattree?levels=3&radix=64&hosts=40000")
	var switches []*fabric.Node
	for n := range f.Switches() {
		switches = append(switches, n)
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			tables, err := route.New(f, route.FatTree, nil)
			if err != nil {
				b.Fatal(err)
			}
			tables.LFT(switches[0])
		}
	})
	tables, err := route.New(f, route.FatTree, nil)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			tables.LFT(switches[i%len(switches)])
			i++
		}
	})
	b.ReportMetric(float64(len(switches)), "switches")
}
