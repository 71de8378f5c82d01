package gen

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
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
		isPort0 := p.Num() == 0 && p.Node().Type() == ib.NodeSwitch
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
		{Line, 1, 2, 1, 0}, {Line, 5, 10, 9, 0}, {Line, 100, 200, 199, 0},
		{Ring, 1, 2, 2, 1}, {Ring, 2, 4, 4, 0}, {Ring, 6, 12, 12, 0},
		{Star, 1, 2, 1, 0}, {Star, 254, 255, 254, 0},
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

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "known are fattree, line, ring, star",
		"tree":                               `"tree" is not known`,
		"fattree?level=3":                    `parameter "level" is not known; known are levels, radix, hosts, uplinks, speed, width`,
		"fattree?levels=9":                   "levels=9: must be 1…8",
		"fattree?levels=0":                   `levels="0": must be a number from 1`,
		"fattree?levels=x":                   `levels="x": must be a number from 1`,
		"fattree?levels=":                    `levels=""`,
		"fattree?radix=37":                   "radix=37: must be even",
		"fattree?radix=256":                  "radix=256: must be 2…254",
		"fattree?radix=36&hosts=649":         "hosts=649: must be 1…648",
		"fattree?radix=36&uplinks=36":        "uplinks=36: must be 1…35",
		"fattree?speed=warp":                 `speed="warp": must be one of sdr, ddr`,
		"fattree?width=3x":                   `width="3x": must be one of 1x`,
		"fattree?levels=2&levels=3":          "levels=2,3: is given more than once",
		"fattree?levels=8&radix=254&hosts=1": "levels=8: needs",
		"fattree?%zz":                        "cannot be read",
		"ring?switches=5000":                 "switches=5000: must be 1…4096",
		"star?hosts=255":                     "hosts=255: must be 1…254",
		"star?speed=none":                    `speed="none"`,
	} {
		_, err := Parse(text)
		if err == nil || !errors.Is(err, os.ErrInvalid) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, nodes := range map[string]int{
		"fattree?levels=3&radix=64&hosts=1024&speed=ndr": 1104,
		"fattree?radix=4&width=2x&speed=XDR":             14,
		"line":                                           8,
		"ring?switches=3&speed=fdr10":                    6,
		"star?hosts=7":                                   8,
	} {
		f, err := Parse(text)
		if err != nil || f.NumNodes() != nodes {
			t.Errorf("%q: %v", text, err)
			continue
		}
		checkFabric(t, f)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("fattree?levels=3&radix=64&hosts=10&speed=ndr&uplinks=3&width=1x")
	f.Add("ring?switches=3")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
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
