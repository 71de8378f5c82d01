package graphml_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/graphml"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/gen"
)

// document is GraphML as its schema has it.
type document struct {
	XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
	Keys    []struct {
		ID   string `xml:"id,attr"`
		For  string `xml:"for,attr"`
		Name string `xml:"attr.name,attr"`
		Type string `xml:"attr.type,attr"`
	} `xml:"key"`
	Graph struct {
		Default string    `xml:"edgedefault,attr"`
		Nodes   []element `xml:"node"`
		Edges   []element `xml:"edge"`
	} `xml:"graph"`
}

type element struct {
	ID     string `xml:"id,attr"`
	Source string `xml:"source,attr"`
	Target string `xml:"target,attr"`
	Data   []struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	} `xml:"data"`
}

// read writes a fabric and reads it again: attributes by identifier of the element.
func read(t *testing.T, f *fabric.Fabric, o *graphml.Options) (*document, map[string]map[string]string) {
	t.Helper()
	var b bytes.Buffer
	if err := graphml.Write(&b, f, o); err != nil {
		t.Fatal(err)
	}
	d := &document{}
	decoder := xml.NewDecoder(&b)
	if err := decoder.Decode(d); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	types := map[string]string{}
	for _, k := range d.Keys {
		names[k.ID], types[k.ID] = k.For+" "+k.Name, k.Type
	}
	values := map[string]map[string]string{}
	for kind, list := range map[string][]element{"node": d.Graph.Nodes, "edge": d.Graph.Edges} {
		for _, e := range list {
			if values[e.ID] != nil {
				t.Errorf("%s %s is there twice", kind, e.ID)
			}
			values[e.ID] = map[string]string{"source": e.Source, "target": e.Target}
			for _, data := range e.Data {
				of, name, _ := strings.Cut(names[data.Key], " ")
				if of != kind {
					t.Errorf("%s %s has %q, which is not declared", kind, e.ID, data.Key)
				}
				checkType(t, types[data.Key], data.Text)
				values[e.ID][name] = data.Text
			}
		}
	}
	for _, e := range d.Graph.Edges {
		if values[e.Source] == nil || values[e.Target] == nil {
			t.Errorf("edge %s joins %s and %s", e.ID, e.Source, e.Target)
		}
	}
	return d, values
}

func checkType(t *testing.T, kind, text string) {
	t.Helper()
	var err error
	switch kind {
	case "int":
		_, err = strconv.Atoi(text)
	case "double":
		_, err = strconv.ParseFloat(text, 64)
	case "boolean":
		_, err = strconv.ParseBool(text)
	}
	if err != nil {
		t.Errorf("%q is not of type %s", text, kind)
	}
}

func TestRoundTrip(t *testing.T) {
	f, err := gen.Parse("fattree?levels=2&radix=8&hosts=10")
	if err != nil {
		t.Fatal(err)
	}
	top := topology.Classify(f, nil)
	d, values := read(t, f, &graphml.Options{Topology: top})
	if len(d.Graph.Nodes) != f.NumNodes() || d.Graph.Default != "undirected" {
		t.Errorf("%d nodes of %d", len(d.Graph.Nodes), f.NumNodes())
	}
	for n := range f.Nodes() {
		v := values[n.GUID().String()]
		at := top.Place(n)
		if v["label"] != n.Description() || v["type"] != n.Type().String() || v["role"] != string(at.Role) ||
			at.Tier > 0 && v["tier"] != strconv.Itoa(at.Tier) || v["ports"] != strconv.Itoa(n.NumPorts()) {
			t.Errorf("%s: %v", n.Description(), v)
		}
	}
	i := 0
	for l := range f.Links() {
		v := values[fmt.Sprintf("e%d", i)]
		if v["source"] != l.A.Node().GUID().String() || v["target"] != l.B.Node().GUID().String() ||
			v["source_port"] != strconv.Itoa(l.A.Num()) || v["target_port"] != strconv.Itoa(l.B.Num()) ||
			v["speed"] != l.A.Active().Speed.String() || v["state"] != l.A.State().String() {
			t.Errorf("link %d: %v", i, v)
		}
		i++
	}
	if i != len(d.Graph.Edges) {
		t.Errorf("%d edges of %d links", len(d.Graph.Edges), i)
	}
}

// one is a switch of a given description.
func one(text string) *fabric.Fabric {
	b := fabric.NewBuilder()
	info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 2, NodeGUID: 1, PortGUID: 1}
	var raw, desc [mad.DataSize]byte
	info.Encode(&raw)
	copy(desc[:], text)
	b.SetDescription(b.AddNode(&raw), &desc)
	return b.Build()
}

// FuzzDescription writes descriptions that may hold anything.
func FuzzDescription(f *testing.F) {
	for _, text := range []string{`</data><evil a="b">&amp;`, "]]>", "\x00\x1b[2J\xff", "a\nb\tc", "\ufffe\u202e"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, values := read(t, one(text), nil)
		label := values[ib.GUID(1).String()]["label"]
		if len(d.Graph.Nodes) != 1 || label == "" || strings.ContainsAny(label, "\x00\x1b\n") {
			t.Errorf("%q: %q", text, label)
		}
	})
}

func TestCorpus(t *testing.T) {
	for _, file := range []string{"hk-topo5-superpod.txt", "ufm-small.txt"} {
		f, err := format.Load(filepath.Join(testenv.Corpus(t), "topo", file))
		if f == nil {
			t.Fatal(err)
		}
		if d, _ := read(t, f, &graphml.Options{Topology: topology.Classify(f, nil)}); len(d.Graph.Nodes) != f.NumNodes() {
			t.Errorf("%s: %d nodes of %d", file, len(d.Graph.Nodes), f.NumNodes())
		}
	}
}
