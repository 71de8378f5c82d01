package summary

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

func generate(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	f, err := gen.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTopologyGolden(t *testing.T) {
	var all bytes.Buffer
	for _, text := range []string{
		"gpupod?units=2&hosts=8&radix=16&storage=16", "fattree?levels=3&radix=8", "fattree?levels=2&oversub=3:1", "dragonfly+",
		"dragonfly", "torus?dims=8x8x4", "hypercube?dims=4", "ring?switches=5", "line?switches=3", "star",
		"xdrplanes?hosts=16&radix=8", "director?chassis=2&model=is5600&hosts=700", "subnets",
	} {
		f := generate(t, text)
		all.WriteString("=== " + text + "\n" + write(t, f, &Options{Topology: topology.Classify(f, nil), Limit: 4}) + "\n")
	}
	testenv.Golden(t, "topology.golden", all.Bytes())
	for line := range strings.Lines(all.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestHostileTopology looks for what a terminal could act on.
func TestHostileTopology(t *testing.T) {
	f := plant(14, 2, 3)
	top := topology.Classify(f, nil)
	top.Problems = []topology.Problem{{Detail: "\x1b[31m"}}
	top.Rails = []topology.Rail{{Devices: []string{"\x1b]0;x\a mlx5_0"}}, {}}
	if text := write(t, f, &Options{Topology: top}); strings.ContainsAny(text, "\x1b\a") {
		t.Errorf("an escape came through: %q", text)
	}
	var out bytes.Buffer
	if err := WriteJSON(&out, f, &Options{Topology: top}); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) || bytes.ContainsAny(out.Bytes(), "\x1b\a") {
		t.Errorf("bad JSON: %q", out.String())
	}
}

func TestWriteJSON(t *testing.T) {
	f := generate(t, "gpupod?units=2&hosts=8&radix=16&storage=16")
	var out bytes.Buffer
	top := topology.Classify(f, nil)
	name := func(n *fabric.Node) (string, bool) { return "my " + n.Description(), true }
	if err := WriteJSON(&out, f, &Options{Topology: top, Name: name}); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema   string
		Version  int
		Complete bool
		Counts   struct{ Nodes, CAs, Switches, Links int }
		Models   []struct{ Nodes int }
		Rates    []struct {
			To   int     `json:"to_hosts"`
			Rate float64 `json:"rate_gbps"`
		}
		Topology struct {
			Kind   string
			Parts  []topology.Part
			Rails  []topology.Rail
			Hosts  []topology.Host
			Places []struct {
				GUID, Role, Type, Description, Name string
				Host                                int
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if doc.Schema != Schema || doc.Version != Version || !doc.Complete || doc.Counts.Nodes != f.NumNodes() || doc.Topology.Kind != "fat-tree" {
		t.Errorf("%+v", doc)
	}
	if len(doc.Topology.Parts) != 2 || len(doc.Topology.Rails) != 9 || len(doc.Topology.Hosts) != 32 || len(doc.Topology.Places) != f.NumNodes() {
		t.Errorf("%d parts, %d rails, %d hosts, %d places", len(doc.Topology.Parts), len(doc.Topology.Rails), len(doc.Topology.Hosts), len(doc.Topology.Places))
	}
	nodes := 0
	for _, m := range doc.Models {
		nodes += m.Nodes
	}
	if nodes != f.NumNodes() || len(doc.Rates) != 1 || doc.Rates[0].Rate != 400 {
		t.Errorf("%d nodes in models, rates %+v", nodes, doc.Rates)
	}
	for i, p := range doc.Topology.Places {
		if p.GUID != top.Places[i].GUID.String() || p.Name != "my "+p.Description || p.Host != top.Places[i].Host {
			t.Fatalf("place %d: %+v", i, p)
		}
	}
	out.Reset()
	if err := WriteJSON(&out, fabric.NewBuilder().Build(), nil); err != nil || !json.Valid(out.Bytes()) || bytes.Contains(out.Bytes(), []byte("topology")) {
		t.Errorf("an empty fabric: %v, %s", err, out.String())
	}
}
