package fabricdiff_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/format/fabricdiff"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// plan makes a fabric of a switch and hosts at its ports; "" is no host. The
// hosts' GUIDs follow from their first letters.
func plan(state ib.PortState, hosts ...string) *fabric.Fabric {
	b := fabric.NewBuilder()
	leaf := node(b, 0x1000, ib.NodeSwitch, 8, "leaf \x1b[31m\"1\"")
	for i, name := range hosts {
		if name == "" {
			continue
		}
		n := node(b, ib.GUID(name[0]), ib.NodeCA, 1, name)
		p, q := b.Port(leaf, i+1), b.Port(n, 1)
		for _, end := range [...]*fabric.Port{p, q} {
			var raw [mad.DataSize]byte
			info := smp.PortInfo{LID: ib.LID(10 + i), State: state, PhysState: ib.PhysLinkUp, LinkWidthActive: ib.Width4x, LinkSpeedActive: 4}
			info.Encode(&raw)
			b.SetPortInfo(end, &raw)
		}
		b.Link(p, q)
	}
	b.SetSweep(fabric.Sweep{Source: "sim:plan"})
	return b.Build()
}

func node(b *fabric.Builder, g ib.GUID, typ ib.NodeType, ports uint8, description string) *fabric.Node {
	var raw, desc [mad.DataSize]byte
	info := smp.NodeInfo{NodeType: typ, NumPorts: ports, NodeGUID: g, PortGUID: g, LocalPort: 1}
	info.Encode(&raw)
	copy(desc[:], description)
	n := b.AddNode(&raw)
	b.SetDescription(n, &desc)
	return n
}

// report has each kind of difference.
func report() *fabricdiff.Report {
	a := plan(ib.PortInitialize, "alpha", "beta", "gamma", "delta", "epsilon")
	b := plan(ib.PortActive, "alpha", "bravo", "", "zeta", "", "gamma")
	return &fabricdiff.Report{
		A: fabricdiff.Side{Name: "before", Fabric: a}, B: fabricdiff.Side{Name: "after", Fabric: b},
		Changes: diff.Compare(a, b, nil),
		Name: func(n *fabric.Node) (string, bool) {
			return "the first", n.Description() == "alpha"
		},
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := fabricdiff.Write(&out, report()); err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "text.golden", out.Bytes())
	for _, r := range out.String() {
		if r != '\n' && !strconv.IsPrint(r) {
			t.Errorf("%U in the output", r)
		}
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := fabricdiff.WriteJSON(&out, report()); err != nil {
		t.Fatal(err)
	}
	testenv.Golden(t, "json.golden", out.Bytes())
	if !json.Valid(out.Bytes()) {
		t.Error("it is not JSON")
	}
}

func TestSame(t *testing.T) {
	f := plan(ib.PortActive, "alpha")
	r := &fabricdiff.Report{A: fabricdiff.Side{Name: "a", Fabric: f}, B: fabricdiff.Side{Name: "b", Fabric: f}, Changes: diff.Compare(f, f, nil)}
	var text, doc bytes.Buffer
	if err := fabricdiff.Write(&text, r); err != nil || text.String() != "no differences: 2 nodes, 1 links\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
	var v struct {
		Same    bool
		Changes []any
	}
	if err := fabricdiff.WriteJSON(&doc, r); err != nil || json.Unmarshal(doc.Bytes(), &v) != nil || !v.Same || v.Changes == nil {
		t.Errorf("%s, %v", doc.String(), err)
	}
}
