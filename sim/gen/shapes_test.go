package gen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// shape counts a fabric: switches, adapters of machines, aggregation nodes,
// routers, links.
type shape struct{ switches, hosts, aggregation, routers, links int }

func shapeOf(f *fabric.Fabric) shape {
	var s shape
	for n := range f.Nodes() {
		switch {
		case n.Type() == ib.NodeSwitch:
			s.switches++
		case n.Type() == ib.NodeRouter:
			s.routers++
		case n.Description() == "Mellanox Technologies Aggregation Node":
			s.aggregation++
		default:
			s.hosts++
		}
	}
	for range f.Links() {
		s.links++
	}
	return s
}

func parse(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestShapes(t *testing.T) {
	const half = 20
	for text, want := range map[string]shape{
		"fattree?levels=3&radix=64&hosts=1024&speed=ndr": {32 + 32 + 16, 1024, 0, 0, 3 * 1024},
		"fattree?radix=4&width=2x&speed=XDR":             {6, 8, 0, 0, 16},
		"fattree?radix=40&oversub=3:1&hosts=120":         {4 + 1, 120, 0, 0, 120 + 4*10},
		"fattree?radix=40&hosts=40&hcas=2":               {4 + 2, 80, 0, 0, 80 + 80},
		"fattree?radix=40&hosts=40&rails=2":              {4 + 2, 80, 0, 0, 80 + 80},
		"fattree?radix=40&hosts=21&rails=4&hcas=8":       {12 + 2*half/6 + 1, 168, 0, 0, 168 + 12*half},
		"fattree?radix=8&sharp=yes":                      {12, 32, 12, 0, 32 + 32 + 12},
		"fattree?split=yes&hosts=160&sharp=yes":          {4 + 2, 160, 6, 0, 160 + 160 + 6},
		"gpupod":                                         {8 + 4, 256, 12, 0, 256 + 256 + 12},
		"gpupod?units=4":                                 {32 + 16, 1024, 48, 0, 1024 + 1024 + 48},
		"gpupod?units=16":                                {128 + 128 + 64, 4096, 320, 0, 3*4096 + 320},
		"gpupod?units=4&sharp=no&hosts=31":               {32 + 16, 992, 0, 0, 992 + 1024},
		"gpupod?units=2&storage=10&sharp=no&radix=32":    {16 + 8 + 3 + 2, 256 + 32 + 10, 0, 0, 2*256 + 42 + 3*16},
		"dragonfly": {9 * 4, 72, 0, 0, 72 + 9*4*3/2 + 9*8/2},
		"dragonfly?switches=6&groups=4&global=2&hosts=3": {24, 72, 0, 0, 72 + 4*6*5/2 + 4*3/2*4},
		"dragonfly+": {32, 64, 0, 0, 64 + 4*16 + 6*5},
		"dragonfly+?groups=3&leaves=2&spines=3&sharp=yes": {15, 18, 15, 0, 18 + 3*6 + 3*3 + 15},
		"torus":                               {16, 16, 0, 0, 16 + 2*16},
		"torus?dims=4x5x6&hosts=2":            {120, 240, 0, 0, 240 + 3*120},
		"torus?dims=4x5x6&wrap=no":            {120, 120, 0, 0, 120 + 3*30 + 4*24 + 5*20},
		"torus?dims=2x3x1&cables=2":           {6, 6, 0, 0, 6 + 2*(2*3+2*3)},
		"hypercube":                           {8, 8, 0, 0, 8 + 3*8/2},
		"hypercube?dims=7&hosts=3&cables=2":   {128, 384, 0, 0, 384 + 2*7*128/2},
		"hyperx":                              {16, 16, 0, 0, 16 + 16*6/2},
		"hyperx?shape=3x4x5&hosts=4&cables=3": {60, 240, 0, 0, 240 + 3*60*(2+3+4)/2},
		"director":                            {36 + 18, 648, 0, 0, 648 + 36*18},
		"director?model=cs7500":               {36 + 18, 648, 0, 0, 648 + 36*18},
		"director?model=mcs8500":              {40 + 20, 800, 0, 0, 800 + 40*20},
		"director?model=isr9288":              {24 + 12, 288, 0, 0, 288 + 24*12},
		"director?model=isr2012&lines=2&spines=1&hosts=12": {4 + 3, 12, 0, 0, 12 + 4*3},
		"director?chassis=3&lines=2&spines=2":              {12, 3 * 34, 0, 0, 102 + 12 + 2},
		"subnets":                                          {2 * (3 + 2), 16, 0, 1, 2*9 + 2*12},
		"subnets?subnets=3&routers=2&levels=1&hosts=4":     {3, 12, 0, 2, 18},
		"xdrplanes?hosts=8&radix=4&levels=2":               {4 * 6, 8, 24, 0, 4*16 + 6*4 + 24},
		"xdrplanes?hosts=8&radix=8&planes=2&sharp=no":      {2 * 3, 8, 0, 0, 2*16 + 3},
		"line":                        {4, 4, 0, 0, 7},
		"ring?switches=3&speed=fdr10": {3, 3, 0, 0, 6},
		"star?hosts=7":                {1, 7, 0, 0, 7},
	} {
		f := parse(t, text)
		if got := shapeOf(f); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
		checkFabric(t, f)
		checkNumbers(t, text, f)
	}
}

// checkNumbers checks that GUIDs and LIDs are there once.
func checkNumbers(t *testing.T, text string, f *fabric.Fabric) {
	t.Helper()
	guids, lids := map[ib.GUID]*fabric.Node{}, map[ib.LID]*fabric.Node{}
	for n := range f.Nodes() {
		if guids[n.GUID()] != nil {
			t.Errorf("%s: GUID %s twice", text, n.GUID())
		}
		guids[n.GUID()] = n
	}
	for p := range f.Ports() {
		if other := guids[p.GUID()]; other != nil && other != p.Node() {
			t.Errorf("%s: port GUID %s is that of another node", text, p.GUID())
		}
		guids[p.GUID()] = p.Node()
		if p.LID() == 0 || lids[p.LID()] != nil && lids[p.LID()] != p.Node() {
			t.Errorf("%s: LID %d of %q is none or not its own", text, p.LID(), p.Node().Description())
		}
		lids[p.LID()] = p.Node()
	}
}

// degrees lists how many links the switches have whose description has a part:
// the number of links by the number of switches.
func degrees(f *fabric.Fabric, part string) map[int]int {
	list := map[int]int{}
	for n := range f.Switches() {
		links := 0
		for p := range n.Ports() {
			if p.Remote() != nil {
				links++
			}
		}
		if strings.Contains(n.Description(), part) {
			list[links]++
		}
	}
	return list
}

func TestDegrees(t *testing.T) {
	for _, c := range []struct{ text, part, want string }{
		{"fattree?radix=40&oversub=3", "leaf", "map[40:40]"},
		{"gpupod?units=16&sharp=no", "leaf", "map[64:128]"},
		{"gpupod?units=16&sharp=no", "spine", "map[64:128]"},
		{"gpupod?units=16&sharp=no", "core", "map[64:64]"},
		{"gpupod?units=4", "spine", "map[65:16]"},
		{"dragonfly?switches=8", "g", fmt.Sprintf("map[%d:%d]", 4+7+4, 33*8)},
		{"dragonfly+?groups=5", "leaf", "map[8:20]"},
		{"dragonfly+?groups=5", "spine", "map[8:20]"},
		{"torus?dims=3x4x5", "sw", "map[7:60]"},
		{"torus?dims=4x4&wrap=no", "sw", "map[3:4 4:8 5:4]"},
		{"hypercube?dims=6&hosts=2", "sw", "map[8:64]"},
		{"hyperx?shape=3x4&hosts=2", "sw", "map[7:12]"},
		{"director", "/L", "map[36:36]"},
		{"director", "/S", "map[36:18]"},
		{"xdrplanes?radix=4&hosts=8", "leaf", "map[7:16]"},
	} {
		if got := fmt.Sprint(degrees(parse(t, c.text), c.part)); got != c.want {
			t.Errorf("%s: %s have %s links, want %s", c.text, c.part, got, c.want)
		}
	}
}

// crossing counts the links between two halves of a fabric.
func crossing(f *fabric.Fabric, inFirst func(*fabric.Node) bool) int {
	count := 0
	for l := range f.Links() {
		if inFirst(l.A.Node()) != inFirst(l.B.Node()) {
			count++
		}
	}
	return count
}

func TestBisection(t *testing.T) {
	name := func(format string, from, to int) func(*fabric.Node) bool {
		return func(n *fabric.Node) bool {
			for i := from; i <= to; i++ {
				if strings.Contains(n.Description(), fmt.Sprintf(format, i)) {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		text  string
		first func(*fabric.Node) bool
		want  int
	}{
		// Half of the hosts with their leaves have as many cables up as hosts.
		{"fattree?radix=8&hosts=32", anyOf(name("leaf%02d", 1, 4), name("node%04d", 1, 16)), 16},
		{"torus?dims=8x4", anyOf(name("sw%d-", 0, 3), name("node%04d", 1, 16)), 2 * 4},
		{"hypercube?dims=5", anyOf(name("sw%d-", 0, 0), name("node%04d", 1, 16)), 16},
		{"hyperx?shape=4x6", anyOf(name("sw%d-", 0, 1), name("node%04d", 1, 12)), 6 * 4},
		{"dragonfly+?groups=4&global=6", anyOf(name("g%03d", 1, 2), name("node%04d", 1, 32)), 2 * 2 * 8},
	} {
		if got := crossing(parse(t, c.text), c.first); got != c.want {
			t.Errorf("%s: %d links between the halves, want %d", c.text, got, c.want)
		}
	}
}

func anyOf(list ...func(*fabric.Node) bool) func(*fabric.Node) bool {
	return func(n *fabric.Node) bool {
		for _, f := range list {
			if f(n) {
				return true
			}
		}
		return false
	}
}

// The adapters of a host on one rail are on the leaf of that rail.
func TestRails(t *testing.T) {
	f := parse(t, "fattree?radix=40&rails=4&hcas=8&hosts=25")
	for n := range f.CAs() {
		var host, hca, leaf int
		if _, err := fmt.Sscanf(n.Description(), "node%d mlx5_%d", &host, &hca); err != nil {
			t.Fatal(err)
		}
		at := n.Port(1).Remote().Node().Description()
		if _, err := fmt.Sscanf(at, "MF0;leaf%d:", &leaf); err != nil {
			t.Fatal(err)
		}
		if want := (host-1)/10*4 + hca%4 + 1; leaf != want {
			t.Errorf("%s is at %s, want leaf %d", n.Description(), at, want)
		}
	}
}

func TestSplitAndSHARP(t *testing.T) {
	for text, ports := range map[string]int{
		"fattree?split=yes&sharp=yes&hosts=4": 81, "fattree?split=yes&sharp=yes&speed=ndr&hosts=4": 129,
		"fattree?sharp=yes&hosts=4": 41, "fattree?sharp=yes&speed=edr&radix=36&hosts=4": 37, "gpupod?hosts=2": 65,
	} {
		f := parse(t, text)
		width := ib.Width4x
		if strings.Contains(text, "split") {
			width = ib.Width2x
		}
		for n := range f.Switches() {
			an := n.Port(ports).Remote()
			if n.NumPorts() != ports || an == nil || an.Node().Info().DeviceID != 0xcf09 ||
				an.Node().Info().SystemImageGUID != n.Info().SystemImageGUID || an.Node().Chassis() != n.Chassis() {
				t.Errorf("%s: %q has %d ports, want %d, the last with an aggregation node", text, n.Description(), n.NumPorts(), ports)
			}
			if got := n.Port(1).Active().Width; got != width {
				t.Errorf("%s: %q runs at %s", text, n.Description(), got)
			}
		}
	}
}

func TestVFs(t *testing.T) {
	f := parse(t, "fattree?radix=4&vfs=16&sharp=yes")
	for n := range f.CAs() {
		info, _ := n.Port(1).Info()
		isAN := n.Info().DeviceID == 0xcf09
		if has := info.CapMask2&smp.Cap2Virtualization != 0; has == isAN || !isAN && info.GUIDCap != 17 {
			t.Errorf("%s: virtualization %t, GUIDCap %d", n.Description(), has, info.GUIDCap)
		}
	}
}
