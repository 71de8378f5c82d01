package topology_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
)

// point reads the coordinates in the name of a lattice's switch, "sw3-0-1".
func point(name string) []int {
	_, name, _ = strings.Cut(name, ";sw")
	name, _, _ = strings.Cut(name, ":")
	var at []int
	for text := range strings.SplitSeq(name, "-") {
		v, _ := strconv.Atoi(text)
		at = append(at, v)
	}
	return at
}

// away is how many links are between two points of a lattice.
func away(a, b []int, dims []topology.Dimension) (n int) {
	for i, d := range dims {
		step := max(a[i]-b[i], b[i]-a[i])
		switch {
		case d.Full:
			step = min(step, 1)
		case d.Wrap:
			step = min(step, d.Size-step)
		}
		n += step
	}
	return n
}

// dimensions of a truth: "8x4" with r for rings, l for lines, f for all joined.
func dimensions(text string) (dims []topology.Dimension) {
	for part := range strings.SplitSeq(text, " ") {
		size, _ := strconv.Atoi(part[1:])
		dims = append(dims, topology.Dimension{Size: size, Wrap: part[0] == 'r', Full: part[0] == 'f'})
	}
	return dims
}

// TestCoordinates compares distances between switches by the coordinates found
// with those by the names: equal for all pairs, the coordinates are the same but
// for the order and direction of dimensions.
func TestCoordinates(t *testing.T) {
	for _, test := range []struct {
		text, dims string
		kind       topology.Kind
	}{
		{"torus?dims=8x8", "r8 r8", topology.Torus},
		{"torus?dims=16x12", "r16 r12", topology.Torus},
		{"torus?dims=8x8x4", "r8 r8 r4", topology.Torus},
		{"torus?dims=5x6x7", "r5 r6 r7", topology.Torus},
		{"torus?dims=12x3x6", "r12 r3 r6", topology.Torus},
		{"torus?dims=4x4x8&cables=2", "r4 r4 r8", topology.Torus},
		{"torus?dims=10x10&wrap=no", "l10 l10", topology.Mesh},
		{"torus?dims=5x6x7&wrap=no", "l5 l6 l7", topology.Mesh},
		{"hypercube?dims=7", "l2 l2 l2 l2 l2 l2 l2", topology.Hypercube},
		{"hyperx?shape=6x8", "f6 f8", topology.HyperX},
		{"hyperx?shape=4x5x6", "f4 f5 f6", topology.HyperX},
	} {
		f, dims := generate(t, test.text), dimensions(test.dims)
		for seed := range uint64(6) {
			share := 0.0
			if seed > 0 {
				share = 0.02
			}
			g := damage(f, share, seed, nil)
			top := topology.Classify(g, nil)
			if top.Kind != test.kind {
				t.Errorf("%s, seed %d: %s", test.text, seed, shape(top))
				continue
			}
			wrong, unknown, all := compareDistances(g, top, dims)
			// What hangs on by one link may have several places: it has none then.
			if float64(wrong) > 0.01*float64(all) || float64(unknown) > 0.15*float64(all) || seed == 0 && wrong+unknown > 0 {
				t.Errorf("%s, seed %d: of %d distances %d differ, %d are not known; %s", test.text, seed, all, wrong, unknown, shape(top))
			}
		}
	}
}

// compareDistances compares 4000 pairs of switches of the largest part.
func compareDistances(f *fabric.Fabric, top *topology.Topology, truth []topology.Dimension) (wrong, unknown, all int) {
	var list []*fabric.Node
	for n := range f.Switches() {
		if top.Place(n).Part == 1 {
			list = append(list, n)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 4000 {
		m, n := list[r.IntN(len(list))], list[r.IntN(len(list))]
		a, b := top.Place(m).Coords, top.Place(n).Coords
		all++
		if a == nil || b == nil {
			unknown++
			continue
		}
		if away(a, b, top.Parts[0].Dims) != away(point(m.Description()), point(n.Description()), truth) {
			wrong++
		}
	}
	return wrong, unknown, all
}

// tierOfName is the tier of a switch of a generated tree by its name.
func tierOfName(name string) int {
	switch {
	case strings.Contains(name, "leaf"):
		return 1
	case strings.Contains(name, "spine"):
		return 2
	}
	return 3
}

// TestDamagedTrees takes 2 % of the nodes and of the links away.
func TestDamagedTrees(t *testing.T) {
	for _, test := range []struct {
		text   string
		kind   topology.Kind
		groups int
		rails  int
	}{
		{"fattree?levels=2&radix=16", topology.FatTree, 0, 0},
		{"fattree?levels=2&radix=36&oversub=3:1", topology.FatTree, 0, 0},
		{"fattree?levels=3&radix=8", topology.FatTree, 8, 0},
		{"fattree?levels=3&radix=24&hosts=800", topology.FatTree, 6, 0},
		{"gpupod?units=4&hosts=8&radix=32", topology.FatTree, 0, 8},
		{"gpupod?units=8&radix=16&hosts=4&rails=4", topology.FatTree, 4, 4},
		{"dragonfly+?groups=9&leaves=8", topology.DragonflyPlus, 9, 0},
		{"dragonfly+", topology.DragonflyPlus, 4, 0},
	} {
		f := generate(t, test.text)
		for seed := range uint64(6) {
			g := damage(f, 0.02, seed, nil)
			top := topology.Classify(g, nil)
			if top.Kind != test.kind || top.Parts[0].Groups != test.groups || len(top.Rails) != test.rails {
				t.Errorf("%s, seed %d: %d rails, %s", test.text, seed, len(top.Rails), shape(top))
			}
			wrong, all := 0, 0
			for n := range g.Switches() {
				p := top.Place(n)
				if p.Part != 1 {
					continue // lost all its links
				}
				all++
				if p.Tier != tierOfName(n.Description()) {
					wrong++
				}
			}
			if wrong > 0 {
				t.Errorf("%s, seed %d: %d of %d tiers are wrong", test.text, seed, wrong, all)
			}
		}
	}
}

// TestDamagedDragonfly compares the groups with the names g001sw01.
func TestDamagedDragonfly(t *testing.T) {
	for _, text := range []string{"dragonfly", "dragonfly?switches=8", "dragonfly?switches=6&groups=5"} {
		f := generate(t, text)
		for seed := range uint64(6) {
			g := damage(f, 0.02*min(1, float64(seed)), seed, nil)
			top := topology.Classify(g, nil)
			if top.Kind != topology.Dragonfly {
				t.Errorf("%s, seed %d: %s", text, seed, shape(top))
				continue
			}
			group := map[string]int{}
			wrong := 0
			for n := range g.Switches() {
				_, name, _ := strings.Cut(n.Description(), ";")
				name, _, _ = strings.Cut(name, "sw")
				p := top.Place(n)
				if p.Part != 1 {
					continue
				}
				if group[name] == 0 {
					group[name] = p.Group
				}
				if group[name] != p.Group {
					wrong++
				}
			}
			// A switch that has lost the links to its group can be with no other.
			if wrong > 1 || top.Parts[0].Groups != len(group)+wrong {
				t.Errorf("%s, seed %d: %d switches in the wrong group; %d groups, want %d", text, seed, wrong, top.Parts[0].Groups, len(group))
			}
		}
	}
}
