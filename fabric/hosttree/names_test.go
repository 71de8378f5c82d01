package hosttree_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// stars are switches with the given descriptions, with a host each.
func stars(switches, hosts []string) hosttree.Input {
	b := fabric.NewBuilder()
	add := func(typ ib.NodeType, guid ib.GUID, text string) *fabric.Node {
		info := smp.NodeInfo{NodeType: typ, NumPorts: 4, NodeGUID: guid, PortGUID: guid, SystemImageGUID: guid, VendorID: 0x2c9, DeviceID: 0xd2f0}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], text)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		return n
	}
	for i := range switches {
		sw := add(ib.NodeSwitch, ib.GUID(0x100+i), switches[i])
		b.Link(b.Port(sw, 1), b.Port(add(ib.NodeCA, ib.GUID(0x200+i), hosts[i]), 1))
	}
	f := b.Build()
	return hosttree.Input{Fabric: f, Topology: topology.Classify(f, nil)}
}

func TestNamesOfSwitches(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"MF0;leaf01:MQM8700/U1", "leaf01"},
		{"MF0;big:MCS8500/L01/U2", "big-L01-U2"},
		{"Voltaire 4036 # 4036-8C5C", "Voltaire-4036-4036-8C5C"},
		{"Quantum Mellanox Technologies", "S-0000000000000100"},
		{"", "S-0000000000000100"},
		{"\x1b[31m", "31m"},
		{"---", "S-0000000000000100"},
		{"ALL", "ALL-2"},
		{`sw"]; rm -rf /`, "sw-rm--rf"},
		{"\xff\xfe", "S-0000000000000100"},
		{strings.Repeat("x", 64), strings.Repeat("x", 63)},
	} {
		forest := hosttree.Build([]hosttree.Input{stars([]string{test.text}, []string{"node1 mlx5_0"})}, nil)
		if got := forest.Networks[0].Roots[0].Name; got != test.want {
			t.Errorf("%q is %q, want %q", test.text, got, test.want)
		}
	}
}

// TestSameNames gives two switches one name, but for the case.
func TestSameNames(t *testing.T) {
	forest := hosttree.Build([]hosttree.Input{stars([]string{"MF0;Leaf:MQM8700/U1", "leaf", "leaf-0000000000000100"}, []string{"a", "b", "c"})}, nil)
	check(t, forest)
	var names []string
	for _, root := range forest.Networks[0].Roots {
		names = append(names, root.Name)
	}
	if got := strings.Join(names, " "); got != "Leaf-0000000000000100 leaf-0000000000000100-2 leaf-0000000000000101" {
		t.Error(got)
	}
}

// FuzzNames wants legal names whatever nodes say of themselves.
func FuzzNames(f *testing.F) {
	f.Add("MF0;leaf01:MQM8700/U1", "leaf", "node1 mlx5_0", "node 2")
	f.Add("\x00\xff", "ALL", "a,b[", "\x1b[2J")
	f.Fuzz(func(t *testing.T, a, b, x, y string) {
		forest := hosttree.Build([]hosttree.Input{stars([]string{a, b}, []string{x, y})}, nil)
		seen := map[string]bool{}
		for _, n := range forest.Networks {
			for _, d := range n.Roots {
				if seen[strings.ToLower(d.Name)] || !legalName.MatchString(d.Name) {
					t.Errorf("switch %q", d.Name)
				}
				seen[strings.ToLower(d.Name)] = true
				for _, h := range d.Hosts {
					if !hosttree.IsHostName(h) || strings.ContainsAny(h, " ,[]=#\"\\") {
						t.Errorf("host %q", h)
					}
				}
			}
		}
	})
}

func TestRules(t *testing.T) {
	for _, test := range []struct{ rule, name, want string }{
		{"s/-ib[0-9]*$//", "node7-ib0", "node7"},
		{"s/^dgx-0*/node/", "dgx-007", "node7"},
		{`s/^([a-z]+)-([0-9]+)$/\2-\1/`, "node-12", "12-node"},
		{"s/o/0/", "foo", "f0o"},
		{"s/o/0/g", "foo", "f00"},
		{"s/NODE/n/i", "node1", "n1"},
		{"s/[0-9]+/<&>/", "n12x3", "n<12>x3"},
		{`s/n/\&/`, "n1", "&1"},
		{`s|a/b|c|`, "a/b", "c"},
		{`s/a\/b/c/`, "a/b", "c"},
		{"s/n/$1/", "n1", "$11"},
		{"s/^/x-/", "n1", "x-n1"},
	} {
		rule, err := hosttree.ParseRule(test.rule)
		if err != nil {
			t.Errorf("%s: %v", test.rule, err)
			continue
		}
		if got := rule.Apply(test.name); got != test.want {
			t.Errorf("%s makes %q of %q, want %q", test.rule, got, test.name, test.want)
		}
	}
	for _, bad := range []string{"", "s", "s/a/b", "s/a/b/x", "y/a/b/", "s//b/", "s/(/b/", "sabab", "s/" + strings.Repeat("a", 5000) + "//"} {
		var e *hosttree.RuleError
		if _, err := hosttree.ParseRule(bad); !errors.As(err, &e) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	f.Add("s/a(b)/\\1&$/g", "ab")
	f.Fuzz(func(t *testing.T, text, name string) {
		if rule, err := hosttree.ParseRule(text); err == nil {
			rule.Apply(name[:min(len(name), 100)])
		}
	})
}
