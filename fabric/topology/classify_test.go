package topology_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric/topology"
)

// shape is what of a topology a table can hold.
func shape(top *topology.Topology) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d hosts", len(top.Hosts))
	if top.Planes > 0 {
		fmt.Fprintf(&b, ", %d planes", top.Planes)
	}
	if len(top.Rails) > 0 {
		fmt.Fprintf(&b, ", %d rails", len(top.Rails))
	}
	for _, p := range top.Parts {
		fmt.Fprintf(&b, "; %s", p.Kind)
		for i, d := range p.Dims {
			fmt.Fprintf(&b, "%s%d", map[bool]string{true: " ", false: "x"}[i == 0], d.Size)
		}
		for _, tier := range p.Tiers {
			fmt.Fprintf(&b, " %d", tier.Switches)
		}
		if p.Groups > 0 {
			fmt.Fprintf(&b, " in %d", p.Groups)
		}
		if p.Same != "" {
			fmt.Fprintf(&b, " (%s)", p.Same)
		}
	}
	return b.String()
}

// TestShapes compares what is found in generated fabrics with what they were
// made of: hosts, planes, rails; and of each part the kind, the sizes of
// dimensions, the switches of each tier, the pods or groups.
func TestShapes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"star?hosts=4", "4 hosts; single-switch 1"},
		{"fattree?levels=1&radix=8", "8 hosts; single-switch 1"},
		{"fattree?levels=2&radix=8", "32 hosts; fat-tree 8 4"},
		{"fattree?levels=3&radix=8", "128 hosts; fat-tree 32 32 16 in 8"},
		{"fattree?levels=4&radix=6", "162 hosts; fat-tree 54 54 54 27 in 6"},
		{"fattree?levels=3&radix=16&hosts=100", "100 hosts; fat-tree 13 16 8 in 2"},
		{"fattree?levels=2&oversub=3:1", "1200 hosts; fat-tree 40 10"},
		{"fattree?levels=2&radix=16&rails=2&hcas=4", "32 hosts, 2 rails; fat-tree 16 8"},
		{"fattree?levels=2&speed=ndr&split=yes&radix=16&sharp=yes", "128 hosts; fat-tree 16 8"},
		{"gpupod?units=2&hosts=8&radix=16", "16 hosts, 8 rails; fat-tree 16 8"},
		{"gpupod?units=2&hosts=8&radix=16&storage=16", "32 hosts, 9 rails; fat-tree 16 8; fat-tree 4 2"},
		{"gpupod?units=8&radix=16&hosts=4&rails=4", "32 hosts, 4 rails; fat-tree 32 32 16 in 4"},
		{"xdrplanes?hosts=16&radix=8", "16 hosts, 4 planes; fat-tree 4 2; fat-tree 4 2; fat-tree 4 2; fat-tree 4 2"},
		{"xdrplanes?hosts=4&radix=8&planes=2&levels=1&gsi=yes", "4 hosts, 2 planes; single-switch 1; single-switch 1"},
		{"subnets?subnets=3&routers=2", "24 hosts; fat-tree 3 2; fat-tree 3 2; fat-tree 3 2"},
		{"director", "648 hosts; fat-tree 36 18"},
		{"director?model=isr9288", "288 hosts; fat-tree 24 12"},
		{"director?chassis=2&model=cs7500", "1292 hosts; fat-tree 72 36"},
		{"dragonfly+", "64 hosts; dragonfly-plus 16 16 in 4"},
		{"dragonfly+?groups=2&leaves=3&spines=2&hosts=4", "24 hosts; dragonfly-plus 6 4 in 2"},
		{"dragonfly+?groups=9&leaves=8&spines=8&speed=ndr&sharp=yes", "576 hosts; dragonfly-plus 72 72 in 9"},
		{"dragonfly", "72 hosts; dragonfly 36 in 9"},
		{"dragonfly?switches=8", "1056 hosts; dragonfly 264 in 33"},
		{"dragonfly?switches=6&groups=5", "90 hosts; dragonfly 30 in 5"},
		{"dragonfly?switches=6&groups=4", "72 hosts; hyperx 6x4 24"}, // each switch has a link to its like in all groups
		{"line?switches=2", "2 hosts; mesh 2 2"},
		{"line?switches=9", "9 hosts; mesh 9 9"},
		{"ring?switches=3", "3 hosts; torus 3 3"},
		{"ring?switches=17", "17 hosts; torus 17 17"},
		{"torus?dims=5x5", "25 hosts; torus 5x5 25"},
		{"torus?dims=3x3", "9 hosts; torus 3x3 9 (hyperx 3x3)"},
		{"torus?dims=4x4", "16 hosts; hypercube 2x2x2x2 16 (torus 4x4)"},
		{"torus?dims=8x4", "32 hosts; torus 8x4 32"},
		{"torus?dims=2x8", "16 hosts; torus 8x2 16"},
		{"torus?dims=8x8x4", "256 hosts; torus 8x8x4 256"},
		{"torus?dims=4x5x6&hosts=3&cables=2", "360 hosts; torus 6x5x4 120"},
		{"torus?dims=6x4&wrap=no", "24 hosts; mesh 6x4 24"},
		{"torus?dims=8x2x2&wrap=no", "32 hosts; mesh 8x2x2 32"},
		{"torus?dims=5x4x3&wrap=no", "60 hosts; mesh 5x4x3 60"},
		{"hypercube?dims=2", "4 hosts; torus 4 4"},
		{"hypercube?dims=3", "8 hosts; hypercube 2x2x2 8"},
		{"hypercube?dims=9&hosts=2", "1024 hosts; hypercube 2x2x2x2x2x2x2x2x2 512"},
		{"hyperx?shape=5", "5 hosts; hyperx 5 5"},
		{"hyperx?shape=4x4", "16 hosts; hyperx 4x4 16"},
		{"hyperx?shape=4x6x3&hosts=2", "144 hosts; hyperx 6x4x3 72"},
		{"hyperx?shape=2x8", "16 hosts; hyperx 8x2 16"},
	} {
		if got := shape(topology.Classify(generate(t, test.text), nil)); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestCollapse(t *testing.T) {
	o := &topology.Options{CollapseChassis: true}
	for _, test := range []struct{ text, want string }{
		{"director", "648 hosts; single-switch 1"},
		{"director?chassis=4&model=isr2012", "1144 hosts; mesh 4 4"},
		{"director?chassis=3&model=mcs8500", "2394 hosts; mesh 3 3"},
		// The chips of an XDR switch are in one box too, but in different planes.
		{"xdrplanes?hosts=16&radix=8", "16 hosts, 4 planes; fat-tree 4 2; fat-tree 4 2; fat-tree 4 2; fat-tree 4 2"},
		{"fattree?levels=2&radix=8", "32 hosts; fat-tree 8 4"},
	} {
		f := generate(t, test.text)
		top := topology.Classify(f, o)
		if got := shape(top); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.text, got, test.want)
		}
		for n := range f.Switches() {
			if p := top.Place(n); p.Tier == 0 || p.Part == 0 {
				t.Errorf("%s: chip %s has no place: %+v", test.text, n.Description(), p)
			}
		}
	}
}

// TestRolesOfTree compares the roles with the names that the generator gave.
func TestRolesOfTree(t *testing.T) {
	f := generate(t, "gpupod?units=8&radix=16&hosts=4&rails=4&storage=8")
	top := topology.Classify(f, nil)
	for n := range f.Nodes() {
		p, name := top.Place(n), n.Description()
		var want topology.Role
		switch {
		case strings.Contains(name, "Aggregation"):
			want = topology.RoleAggregation
		case strings.Contains(name, "leaf"):
			want = topology.RoleLeaf
		case strings.Contains(name, "spine"):
			want = topology.RoleSpine
		case strings.Contains(name, "core"):
			want = topology.RoleCore
		case strings.HasPrefix(name, "storage"):
			want = topology.RoleStorage
		default:
			want = topology.RoleHost
		}
		if p.Role != want {
			t.Errorf("%s is %s by %+v, want %s", name, p.Role, p.Reason, want)
		}
		if p.GUID != n.GUID() {
			t.Fatalf("place of %s is that of %s", n.GUID(), p.GUID)
		}
		if want := strings.Contains(name, "core") || strings.Contains(name, "storage-spine"); p.Root != want {
			t.Errorf("%s is a root: %v", name, p.Root)
		}
	}
}

// TestRailsOfPod compares rails with the names of leaves: su01-leaf-r3.
func TestRailsOfPod(t *testing.T) {
	f := generate(t, "gpupod?units=8&radix=16&hosts=4&rails=4&storage=8")
	top := topology.Classify(f, nil)
	if len(top.Rails) != 5 {
		t.Fatalf("%d rails", len(top.Rails))
	}
	for n := range f.Switches() {
		var unit, rail int
		name := n.Description()
		if strings.Contains(name, "storage-leaf") {
			continue // the servers do not reach the last of these
		}
		if _, err := fmt.Sscanf(name, "MF0;su%d-leaf-r%d:", &unit, &rail); err != nil {
			rail = 0
		}
		if got := top.Place(n).Rail; got != rail {
			t.Errorf("%s is on rail %d", name, got)
		}
		// The spines of a rail and its leaves hang together below the cores.
		if _, err := fmt.Sscanf(name, "MF0;spine-r%d-", &rail); (err == nil || rail > 0) && top.Place(n).Group != rail {
			t.Errorf("%s is in pod %d", name, top.Place(n).Group)
		}
	}
	for i, r := range top.Rails {
		if want := []string{fmt.Sprintf("mlx5_%d", i)}; !cmp.Equal(r.Devices, want) || r.Number != i+1 {
			t.Errorf("rail %d has adapters %q", r.Number, r.Devices)
		}
	}
	for _, h := range top.Hosts {
		for k, hca := range h.HCAs {
			if len(h.HCAs) == 5 && (len(hca.Ports) != 1 || hca.Ports[0].Rail != k+1) {
				t.Errorf("adapter %s of %s: %+v", hca.Device, h.Name, hca.Ports)
			}
		}
	}
}

// TestSameBytes compares the JSON of two classifications.
func TestSameBytes(t *testing.T) {
	for _, text := range []string{"gpupod?units=2&hosts=8&radix=16&storage=16", "torus?dims=8x4x4", "xdrplanes?hosts=16&radix=8"} {
		f := damage(generate(t, text), 0.02, 7, nil)
		var first []byte
		for range 3 {
			out, err := json.Marshal(topology.Classify(f, nil))
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out
			}
			if !bytes.Equal(first, out) {
				t.Fatalf("%s: the bytes differ", text)
			}
		}
	}
}
