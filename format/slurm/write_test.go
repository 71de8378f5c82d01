package slurm_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/slurm"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

func build(t *testing.T, text string, o *hosttree.Options) []hosttree.Network {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return hosttree.Build([]hosttree.Input{{Fabric: f, Topology: topology.Classify(f, nil)}}, o).Networks
}

func conf1(t *testing.T, networks []hosttree.Network, o *slurm.Options) (string, *conf) {
	t.Helper()
	var b bytes.Buffer
	if err := slurm.WriteConf(&b, networks, o); err != nil {
		t.Fatal(err)
	}
	c, err := readConf(b.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	return b.String(), c
}

const pod = "gpupod?units=4&radix=16&hosts=4&rails=4&storage=8"

// everybody are the hosts that compute, and the storage servers.
var everybody = hosttree.Options{Roles: []topology.Role{topology.RoleHost, topology.RoleStorage}}

func TestWriteConf(t *testing.T) {
	text, c := conf1(t, build(t, pod, &everybody), &slurm.Options{Comment: []string{"a comment\nand \x1b\\"}})
	testenv.Golden(t, "pod.conf", []byte(text))
	hosts := slices.Concat(slices.Collect(maps.Values(c.nodes))...)
	if len(hosts) != 24 {
		t.Errorf("%d hosts, want 16 and 8 storage servers", len(hosts))
	}
	if !strings.HasPrefix(text, `# a comment\x0aand \x1b`+"\n") {
		t.Errorf("%.60q", text)
	}
}

func TestWriteBlocks(t *testing.T) {
	networks := build(t, "fattree?levels=3&radix=8&hosts=100", nil)
	for _, test := range []struct {
		o      slurm.Options
		blocks int
		sizes  []int
		short  int
	}{
		{slurm.Options{}, 25, []int{4, 8, 16, 32, 64}, 0},
		{slurm.Options{BlockLevel: 2}, 7, []int{4, 8, 16}, 0},
		{slurm.Options{BlockLevel: 2, BlockSizes: []int{16, 64}}, 7, []int{16, 64}, 1},
		{slurm.Options{BlockLevel: 9}, 1, []int{100}, 0},
	} {
		test.o.Plugin = slurm.Block
		_, c := conf1(t, networks, &test.o)
		if len(c.nodes) != test.blocks || !slices.Equal(c.sizes, test.sizes) {
			t.Errorf("%+v: %d blocks, sizes %v", test.o, len(c.nodes), c.sizes)
		}
		if short := slurm.ShortBlocks(networks, &test.o); len(short) != test.short {
			t.Errorf("%+v: short blocks %q", test.o, short)
		}
	}
}

// yamlTopology is one of topology.yaml(5).
type yamlTopology struct {
	Topology string
	Default  bool `yaml:"cluster_default"`
	Tree     *struct {
		Switches []struct{ Switch, Children, Nodes string }
	}
	Block *struct {
		Sizes  []int `yaml:"block_sizes"`
		Blocks []struct{ Block, Nodes string }
	}
}

func TestWriteYAML(t *testing.T) {
	networks := build(t, pod, &everybody)
	for _, plugin := range []slurm.Plugin{slurm.Tree, slurm.Block} {
		var b bytes.Buffer
		if err := slurm.WriteYAML(&b, networks, &slurm.Options{Plugin: plugin, Comment: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
		testenv.Golden(t, "pod-"+string(plugin)+".yaml", b.Bytes())
		var list []yamlTopology
		d := yaml.NewDecoder(&b)
		d.KnownFields(true)
		if err := d.Decode(&list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, top := range list {
			names = append(names, top.Topology)
			if top.Default != (i == 0) || (top.Tree == nil) == (top.Block == nil) {
				t.Errorf("%+v", top)
			}
			if got, want := hostsOf(t, &top), networks[i].Hosts; got != want {
				t.Errorf("%s %s: %d hosts, want %d", plugin, top.Topology, got, want)
			}
		}
		if d := cmp.Diff([]string{"compute", "storage"}, names); d != "" {
			t.Error(d)
		}
	}
}

// hostsOf counts the hosts of a topology, and wants each once and known children.
func hostsOf(t *testing.T, top *yamlTopology) int {
	t.Helper()
	seen := map[string]bool{}
	add := func(list string) {
		names, err := readListOrNone(list)
		if err != nil {
			t.Error(err)
		}
		for _, n := range names {
			if seen[n] {
				t.Errorf("%s is twice in %s", n, top.Topology)
			}
			seen[n] = true
		}
	}

	if top.Tree != nil {
		known := map[string]bool{}
		for _, s := range top.Tree.Switches {
			add(s.Nodes)
			children, _ := readListOrNone(s.Children)
			for _, c := range children {
				if !known[c] {
					t.Errorf("%s is below %s and not known", c, s.Switch)
				}
			}
			known[s.Switch] = true
		}
	} else {
		for _, b := range top.Block.Blocks {
			add(b.Nodes)
		}
		if len(top.Block.Sizes) == 0 {
			t.Error("no sizes")
		}
	}

	return len(seen)
}
