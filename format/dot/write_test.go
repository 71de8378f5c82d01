package dot

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// twins are two switches with one GUID and hostile descriptions, connected by
// two cables.
func twins() *fabric.Fabric {
	b := fabric.NewBuilder()
	var nodes []*fabric.Node
	for _, description := range []string{`\N"]; evil [label="`, "tab\there \x1b\\"} {
		info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 2, NodeGUID: 0x1234, PortGUID: 0x1234}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], description)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		nodes = append(nodes, n)
	}
	for port := 1; port <= 2; port++ {
		b.Link(b.Port(nodes[0], port), b.Port(nodes[1], port))
	}
	return b.Build()
}

func TestWrite(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, twins(), nil); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		`  "0x0000000000001234" [label="\\N\"]; evil [label=\"", shape=box];` + "\n",
		`  "0x0000000000001234/1" [label="tab\\x09here \\x1b\\", shape=box];` + "\n",
		`  "0x0000000000001234" -- "0x0000000000001234/1" [taillabel="2", headlabel="2", label=""];` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestGraphvizReadsIt(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("needs dot of Graphviz")
	}
	var b bytes.Buffer
	if err := Write(&b, twins(), &Options{Name: func(n *fabric.Node) (string, bool) { return "<b>&amp;", n.Index() == 0 }}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(dot, "-Tplain")
	cmd.Stdin = &b
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "\nnode ") != 2 || strings.Count(string(out), "\nedge ") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}
