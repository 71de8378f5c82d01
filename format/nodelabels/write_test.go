package nodelabels_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/nodelabels"
	"github.com/ibscope/ibscope/sim/gen"
)

func build(t *testing.T, text string) ([]hosttree.Input, *hosttree.Forest) {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	inputs := []hosttree.Input{{Fabric: f, Topology: topology.Classify(f, nil)}}
	return inputs, hosttree.Build(inputs, nil)
}

func TestLabels(t *testing.T) {
	_, forest := build(t, "fattree?levels=3&radix=4")
	const key = "network.topology.nvidia.com/"
	nodes := nodelabels.Labels(forest, nodelabels.NVIDIA)
	if len(nodes) != 16 {
		t.Fatalf("%d nodes", len(nodes))
	}
	want := nodelabels.Node{Name: "node0003", Labels: map[string]string{key + "leaf": "leaf02", key + "spine": "spine01", key + "core": "core01"}}
	if d := cmp.Diff(want, nodes[2]); d != "" {
		t.Error(d)
	}
	const tier = "fabric.topograph.run/tier-"
	want.Labels = map[string]string{tier + "0": "leaf02", tier + "1": "spine01", tier + "2": "core01"}
	if d := cmp.Diff(want, nodelabels.Labels(forest, nodelabels.Topograph)[2]); d != "" {
		t.Error(d)
	}
}

// legal is what Kubernetes takes for the value of a label.
var legal = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$`)

func TestWrite(t *testing.T) {
	for _, text := range []string{"gpupod?units=2&hosts=8&radix=16&storage=16", "fattree?levels=4&radix=4", "torus?dims=4x4", "dragonfly"} {
		inputs, forest := build(t, text)
		var b bytes.Buffer
		if err := nodelabels.NewDocument(inputs, forest, nodelabels.NVIDIA).Write(&b); err != nil {
			t.Fatal(err)
		}
		var d nodelabels.Document
		if err := json.Unmarshal(b.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		if d.Schema != "ibscope.nodelabels" || d.Version != 1 || !d.Complete || len(d.Nodes) != forest.Networks[0].Hosts || len(d.Left) != len(forest.Left) {
			t.Errorf("%s: %+v", text, d)
		}
		seen := map[string]bool{}
		for _, n := range d.Nodes {
			if seen[n.Name] {
				t.Errorf("%s is twice in %s", n.Name, text)
			}
			seen[n.Name] = true
			for key, value := range n.Labels {
				if !legal.MatchString(value) {
					t.Errorf("%s: %s=%q", n.Name, key, value)
				}
			}
		}
	}
}
