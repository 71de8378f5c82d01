package gen

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

func counts(f *fabric.Fabric) (hosts, switches int) {
	for n := range f.Nodes() {
		if n.Type() == ib.NodeSwitch {
			switches++
		} else {
			hosts++
		}
	}
	return hosts, switches
}

func TestFatTreeCounts(t *testing.T) {
	for _, c := range []struct {
		o                      FatTreeOptions
		hosts, switches, links int
	}{
		{FatTreeOptions{Levels: 1, Radix: 36}, 36, 1, 36},
		{FatTreeOptions{Levels: 2, Radix: 4}, 8, 6, 16},
		{FatTreeOptions{Levels: 2, Radix: 36}, 648, 54, 1296},
		{FatTreeOptions{Levels: 3, Radix: 4}, 16, 20, 48},
		{FatTreeOptions{Levels: 4, Radix: 4}, 32, 56, 128},
		{FatTreeOptions{Levels: 3, Radix: 36}, 11664, 1620, 3 * 11664},
		{FatTreeOptions{Levels: 2, Radix: 36, Hosts: 36}, 36, 3, 72},      // 2 leaves, all cables to one spine
		{FatTreeOptions{Levels: 2, Radix: 36, Hosts: 37}, 37, 5, 37 + 54}, // 3 leaves, 12 cables each to a spine, so 2 spines
		{FatTreeOptions{Levels: 3, Radix: 64, Hosts: 1024}, 1024, 32 + 32 + 16, 3 * 1024},
		{FatTreeOptions{Levels: 2, Radix: 40, Uplinks: 10, Hosts: 60}, 60, 2 + 1, 60 + 20},
		{FatTreeOptions{Levels: 3, Radix: 8, Hosts: 1}, 1, 1 + 4 + 2, 1 + 4 + 16},
	} {
		f, err := FatTree(c.o)
		if err != nil {
			t.Errorf("%+v: %v", c.o, err)
			continue
		}
		links := 0
		for range f.Links() {
			links++
		}
		hosts, switches := counts(f)
		if hosts != c.hosts || switches != c.switches || links != c.links {
			t.Errorf("%+v: %d hosts, %d switches, %d links, want %d, %d, %d",
				c.o, hosts, switches, links, c.hosts, c.switches, c.links)
		}
		checkFabric(t, f)
	}
}

func TestFatTreeLargest(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f, err := FatTree(FatTreeOptions{Levels: 3, Radix: 64, Speed: ib.SpeedNDR})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	used := after.HeapAlloc - before.HeapAlloc
	t.Logf("%d MB live, %d MB allocated", used>>20, (after.TotalAlloc-before.TotalAlloc)>>20)
	if used > 250<<20 {
		t.Errorf("the fabric takes %d MB, want less than 250", used>>20)
	}
	if hosts, switches := counts(f); hosts != 65536 || switches != 5120 {
		t.Errorf("%d hosts, %d switches", hosts, switches)
	}
	tiers := map[string]int{}
	for n := range f.Switches() {
		for _, tier := range []string{"leaf", "spine", "core"} {
			if strings.HasPrefix(n.Description(), "MF0;"+tier) {
				tiers[tier]++
			}
		}
	}
	if got := fmt.Sprint(tiers); got != "map[core:1024 leaf:2048 spine:2048]" {
		t.Error(got)
	}
	withLID := 0
	for n := range f.Nodes() {
		if p := n.Port(firstPort(n)); p.LID() != 0 {
			withLID++
		}
	}
	if withLID != int(ib.MaxUnicastLID) {
		t.Errorf("%d nodes have a LID, want all %d", withLID, ib.MaxUnicastLID)
	}
	runtime.KeepAlive(f)
}

func firstPort(n *fabric.Node) int {
	if n.Type() == ib.NodeSwitch {
		return 0
	}
	return 1
}

// checkFabric checks what every made fabric must hold.
func checkFabric(t *testing.T, f *fabric.Fabric) {
	t.Helper()
	for _, p := range f.Problems() {
		t.Errorf("problem: %v", p)
	}
	for p := range f.Ports() {
		info, ok := p.Info()
		if !ok || info.LinkWidthSupported == 0 || info.MTUCap == 0 || info.VLCap == 0 {
			t.Fatalf("node %s port %d: incomplete PortInfo %+v", p.Node().GUID(), p.Num(), info)
		}
		isPort0 := p.Num() == 0 && p.Node().Type() == ib.NodeSwitch || info.CapMask&smp.CapSMDisabled != 0 // a GSI device has no cable
		if up := p.Remote() != nil || isPort0; up != (info.PhysState == ib.PhysLinkUp) || up != (info.State != ib.PortDown) {
			t.Fatalf("node %s port %d: %v, %v with link %v", p.Node().GUID(), p.Num(), info.State, info.PhysState, up)
		}
		if r := p.Remote(); r != nil && (r.Remote() != p || r.State() != p.State()) {
			t.Fatalf("node %s port %d: the two ends disagree", p.Node().GUID(), p.Num())
		}
	}
	for l := range f.Links() {
		if l.IsDegraded() || l.OneWay() {
			t.Fatalf("link at node %s port %d is degraded or one-way", l.A.Node().GUID(), l.A.Num())
		}
	}
	for n := range f.Nodes() {
		path, ok := n.Path()
		if reached, found := f.NodeByPath(path); ok && (!found || reached != n) {
			t.Fatalf("path %s of node %s leads elsewhere", path, n.GUID())
		}
	}
}

func TestSpeeds(t *testing.T) {
	for _, g := range generations {
		f, err := FatTree(FatTreeOptions{Levels: 2, Radix: 4, Speed: g.speed})
		if err != nil {
			t.Fatal(err)
		}
		for l := range f.Links() {
			if got := l.A.Active(); got != (fabric.LinkRate{Width: ib.Width4x, Speed: g.speed}) {
				t.Fatalf("%s: the link runs at %s", g.speed, got)
			}
			if best := l.Best(); best.Speed != g.speed {
				t.Fatalf("%s: best is %s", g.speed, best)
			}
		}
	}
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		make            func(int) (*fabric.Fabric, error)
		n, nodes, links int
		self            int
	}{
		{Line, 1, 2, 1, 0},
		{Line, 5, 10, 9, 0},
		{Line, 100, 200, 199, 0},
		{Ring, 1, 2, 2, 1},
		{Ring, 2, 4, 4, 0},
		{Ring, 6, 12, 12, 0},
		{Star, 1, 2, 1, 0},
		{Star, 254, 255, 254, 0},
	} {
		f, err := c.make(c.n)
		if err != nil {
			t.Fatal(err)
		}
		links, self := 0, 0
		for l := range f.Links() {
			links++
			if l.IsSelfLink() {
				self++
			}
		}
		if f.NumNodes() != c.nodes || links != c.links || self != c.self {
			t.Errorf("n=%d: %d nodes, %d links, %d to itself; want %d, %d, %d", c.n, f.NumNodes(), links, self, c.nodes, c.links, c.self)
		}
		checkFabric(t, f)
	}
}

// large finds parameters that give fabrics too large for a fuzz run.
var large = regexp.MustCompile(`[0-9]{3}|[2-9][0-9]|1[3-9]`)

func FuzzParse(f *testing.F) {
	f.Add("fattree?levels=3&radix=8&hosts=10&speed=ndr&uplinks=3&width=1x&oversub=3:1&vfs=2")
	for _, g := range Generators() {
		var b strings.Builder
		b.WriteString(g.Name + "?")
		for _, p := range g.Params {
			f.Add(b.String() + p.Name + "=2")
			b.WriteString(p.Name + "=4&")
		}
		f.Add(b.String())
		f.Add(g.Example)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if large.MatchString(text) || strings.Count(text, "x") > 4 {
			t.Skip()
		}
		got, err := Parse(text)
		if err != nil && (strings.ContainsAny(err.Error(), "\n\r\x1b") || !errors.Is(err, os.ErrInvalid)) {
			t.Fatalf("%q: %q", text, err)
		}
		if (got == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", text, got, err)
		}
	})
}

func BenchmarkFatTree65536(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FatTree(FatTreeOptions{Levels: 3, Radix: 64}); err != nil {
			b.Fatal(err)
		}
	}
}
