package hosttree_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

func input(t testing.TB, text string) hosttree.Input {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return hosttree.Input{Fabric: f, Topology: topology.Classify(f, nil)}
}

// shape is a network in one line: the number of children of each domain, hosts of
// leaves in brackets, the same ones counted.
func shape(list []*hosttree.Domain) string {
	var parts []string
	count := map[string]int{}
	for _, d := range list {
		text := fmt.Sprintf("[%d]", len(d.Hosts))
		if len(d.Children) > 0 {
			text = "(" + shape(d.Children) + ")"
		}
		if count[text]++; count[text] == 1 {
			parts = append(parts, text)
		}
	}
	for i, p := range parts {
		if n := count[p]; n > 1 {
			parts[i] = fmt.Sprintf("%d*%s", n, p)
		}
	}
	return strings.Join(parts, " ")
}

func shapes(forest *hosttree.Forest) string {
	var all []string
	for _, n := range forest.Networks {
		all = append(all, n.Name+" "+shape(n.Roots))
	}
	return strings.Join(all, "; ")
}

// check wants each host once in a network, unique legal names, and nothing empty.
func check(t *testing.T, forest *hosttree.Forest) {
	t.Helper()
	names := map[string]bool{}
	for _, n := range forest.Networks {
		hosts := map[string]bool{}
		var walk func(d *hosttree.Domain)
		walk = func(d *hosttree.Domain) {
			if key := strings.ToLower(d.Name); names[key] || !legalName.MatchString(d.Name) {
				t.Errorf("name %q", d.Name)
			} else {
				names[key] = true
			}
			if (len(d.Hosts) == 0) == (len(d.Children) == 0) || (d.Level == 1) != (len(d.Children) == 0) {
				t.Errorf("%s: level %d, %d hosts, %d children", d.Name, d.Level, len(d.Hosts), len(d.Children))
			}
			for _, h := range d.Hosts {
				if hosts[h] {
					t.Errorf("%s is twice in %s", h, n.Name)
				}
				hosts[h] = true
			}
			for _, c := range d.Children {
				walk(c)
			}
		}
		for _, root := range n.Roots {
			walk(root)
		}
		if len(hosts) != n.Hosts {
			t.Errorf("%s: %d hosts in the tree, %d counted", n.Name, len(hosts), n.Hosts)
		}
	}
}

var legalName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)

func TestBuild(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"star?hosts=4", "compute [4]"},
		{"fattree?levels=2&radix=8", "compute (8*[4])"},
		{"fattree?levels=3&radix=8", "compute (8*(4*[4]))"},
		{"fattree?levels=4&radix=6", "compute (6*(3*(3*[3])))"},
		{"fattree?levels=2&radix=16&rails=2&hcas=4", "compute (8*[4])"},                           // two rails of 8 leaves
		{"fattree?levels=2&speed=ndr&split=yes&radix=16&sharp=yes", "compute (16*[8])"},           // aggregation nodes nowhere
		{"gpupod?units=2&hosts=8&radix=16&storage=16", "compute (2*[8]); storage (2*[8])"},        // both networks have all
		{"gpupod?units=8&radix=16&hosts=4&rails=4&storage=8", "compute (8*[4]); storage (4*[8])"}, // pods are rails
		{"xdrplanes?hosts=16&radix=8", "compute (4*[4])"},                                         // one plane for all
		{"subnets?subnets=3&routers=2", "compute 3*(2*[2] [4])"},
		{"dragonfly", "compute (9*(4*[2]))"},
		{"dragonfly+", "compute (4*(4*[4]))"},
		{"torus?dims=5x5", "compute (25*[1])"},
		{"director?hosts=54", "compute (3*[18])"},
	} {
		forest := hosttree.Build([]hosttree.Input{input(t, test.text)}, nil)
		check(t, forest)
		if got := shapes(forest); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}

// TestRail sorts hosts by another rail, which has other leaves.
func TestRail(t *testing.T) {
	in := input(t, "gpupod?units=2&hosts=8&radix=16")
	for rail, want := range map[int]string{0: "su01-leaf-r1", 3: "su01-leaf-r3"} {
		forest := hosttree.Build([]hosttree.Input{in}, &hosttree.Options{Rail: rail})
		check(t, forest)
		if got := forest.Networks[0].Roots[0].Children[0].Name; got != want {
			t.Errorf("rail %d: the first leaf is %s, want %s", rail, got, want)
		}
	}
}

// TestCorpus arranges the hosts of real fabrics. The counts of hosts come from
// the files: grep '^Ca' FILE | sed 's/.*# "\([^ "]*\).*/\1/' | sort -u, without those
// whose names tell another role and those without a name.
func TestCorpus(t *testing.T) {
	for _, test := range []struct {
		file          string
		hosts, leaves int
		levels        int
	}{
		{"ufm-selene-storage.txt", 462, 24, 3},
		{"topograph-example.out", 119, 8, 2},
		{"hk-topo5-superpod.txt", 140, 7, 2},
		{"cyberang3l-k4n3.topo", 128, 32, 3},
		{"loginoff-topo.txt", 144, 7, 2},
	} {
		f, err := format.Load(filepath.Join(testenv.Corpus(t), "topo", test.file))
		if f == nil {
			t.Fatal(err)
		}
		forest := hosttree.Build([]hosttree.Input{{Fabric: f, Topology: topology.Classify(f, nil)}}, nil)
		check(t, forest)
		if len(forest.Networks) != 1 {
			t.Errorf("%s: %s", test.file, shapes(forest))
			continue
		}
		n := forest.Networks[0]
		if leaves := countLeaves(n.Roots); n.Hosts != test.hosts || n.Levels != test.levels || len(n.Roots) != 1 || leaves != test.leaves {
			t.Errorf("%s: %d hosts, %d leaves, %d levels, %d roots", test.file, n.Hosts, leaves, n.Levels, len(n.Roots))
		}
	}
}

func countLeaves(list []*hosttree.Domain) (n int) {
	for _, d := range list {
		if len(d.Children) == 0 {
			n++
		}
		n += countLeaves(d.Children)
	}
	return n
}

// TestSeveralFabrics gives two fabrics whose hosts have the same names.
func TestSeveralFabrics(t *testing.T) {
	inputs := []hosttree.Input{input(t, "fattree?levels=2&radix=8"), input(t, "star?hosts=4")}
	forest := hosttree.Build(inputs, &hosttree.Options{Networks: []string{"ib", "slow"}})
	check(t, forest)
	if got, want := shapes(forest), "ib (8*[4]); slow [4]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(forest.Left) != 0 {
		t.Errorf("left: %+v", forest.Left)
	}
}

func TestWhichHosts(t *testing.T) {
	in := input(t, "gpupod?units=2&hosts=8&radix=16&storage=16")
	var names []string
	for _, h := range in.Topology.Hosts {
		names = append(names, h.Name)
	}
	rule, err := hosttree.ParseRule("s/0*([0-9]+)$/-$1x\\1/")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		o      hosttree.Options
		hosts  int
		reason map[hosttree.Reason]int
	}{
		{"roles", hosttree.Options{Roles: []topology.Role{topology.RoleStorage}}, 16, map[hosttree.Reason]int{hosttree.OtherRole: 16}},
		{"only", hosttree.Options{Only: map[string]bool{names[0]: true, "nobody": true}}, 1, map[hosttree.Reason]int{hosttree.NotWanted: 31, hosttree.NotFound: 1}},
		{"exclude", hosttree.Options{Exclude: regexp.MustCompile("1$")}, 14, map[hosttree.Reason]int{hosttree.NotWanted: 4, hosttree.OtherRole: 14}},
		{"bad name", hosttree.Options{Rules: []hosttree.Rule{rule}}, 0, map[hosttree.Reason]int{hosttree.BadName: 32}},
		{"one name", hosttree.Options{Name: func(*fabric.Node) (string, bool) { return "node1 mlx5_0", true }}, 1, map[hosttree.Reason]int{}},
	} {
		forest := hosttree.Build([]hosttree.Input{in}, &test.o)
		hosts, reasons := 0, map[hosttree.Reason]int{}
		for _, n := range forest.Networks {
			hosts = max(hosts, n.Hosts)
		}
		for _, l := range forest.Left {
			reasons[l.Reason]++
		}
		if hosts != test.hosts || !cmp.Equal(reasons, test.reason) {
			t.Errorf("%s: %d hosts, left %v; want %d, %v", test.name, hosts, reasons, test.hosts, test.reason)
		}
	}
}
