package cytoscape_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/cytoscape"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// document is what Cytoscape reads.
type document struct {
	Elements struct {
		Nodes []struct {
			Data struct {
				ID, Label, Description, Type, Role string
				Tier                               int
			}
		}
		Edges []struct {
			Data struct {
				ID, Source, Target, Speed, State string
				SourcePort                       int `json:"source_port"`
				TargetPort                       int `json:"target_port"`
				Gbps                             float64
			}
		}
	}
}

func read(t *testing.T, f *fabric.Fabric, o *cytoscape.Options) *document {
	t.Helper()
	var b bytes.Buffer
	if err := cytoscape.Write(&b, f, o); err != nil {
		t.Fatal(err)
	}
	d := &document{}
	if err := json.Unmarshal(b.Bytes(), d); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	ids := map[string]bool{}
	for _, n := range d.Elements.Nodes {
		if ids[n.Data.ID] {
			t.Errorf("%s is there twice", n.Data.ID)
		}
		ids[n.Data.ID] = true
	}
	for _, e := range d.Elements.Edges {
		if !ids[e.Data.Source] || !ids[e.Data.Target] || ids[e.Data.ID] {
			t.Errorf("edge %+v", e.Data)
		}
	}
	return d
}

func TestRoundTrip(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=8&hosts=10")
	if err != nil {
		t.Fatal(err)
	}
	top := topology.Classify(f, nil)
	d := read(t, f, &cytoscape.Options{Topology: top, Name: func(n *fabric.Node) (string, bool) { return "first", n.Index() == 0 }})
	i := 0
	for n := range f.Nodes() {
		v := d.Elements.Nodes[i].Data
		want := n.Description()
		if i == 0 {
			want = "first"
		}
		if at := top.Place(n); v.ID != n.GUID().String() || v.Label != want || v.Description != n.Description() || v.Role != string(at.Role) || v.Tier != at.Tier {
			t.Errorf("node %d: %+v", i, v)
		}
		i++
	}
	i = 0
	for l := range f.Links() {
		v := d.Elements.Edges[i].Data
		rate := ib.RateGbps(l.A.Active().Width, l.A.Active().Speed)
		if v.ID != fmt.Sprintf("e%d", i) || v.Source != l.A.Node().GUID().String() || v.TargetPort != l.B.Num() || v.SourcePort != l.A.Num() || v.Gbps != rate || v.State != l.A.State().String() {
			t.Errorf("link %d: %+v", i, v)
		}
		i++
	}
	if i != len(d.Elements.Edges) || f.NumNodes() != len(d.Elements.Nodes) {
		t.Errorf("%d nodes, %d edges", len(d.Elements.Nodes), len(d.Elements.Edges))
	}
}

// TestTwins writes two switches with one GUID.
func TestTwins(t *testing.T) {
	b := fabric.NewBuilder()
	for _, text := range []string{"\"},{\x1b\xff", `\u0000</script>`} {
		info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 2, NodeGUID: 1, PortGUID: 1}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], text)
		b.SetDescription(b.AddNode(&raw), &desc)
	}
	if d := read(t, b.Build(), nil); len(d.Elements.Nodes) != 2 || d.Elements.Nodes[1].Data.Label != `\u0000</script>` {
		t.Errorf("%+v", d)
	}
}

func TestEmpty(t *testing.T) {
	if d := read(t, fabric.NewBuilder().Build(), nil); len(d.Elements.Nodes)+len(d.Elements.Edges) != 0 {
		t.Errorf("%+v", d)
	}
}
