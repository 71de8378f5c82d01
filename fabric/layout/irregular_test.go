package layout_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// wild is nodes of all types with links between any ports: loops, adapters back to
// back, nodes without a link, several with one GUID.
func wild(r *rand.Rand) *fabric.Fabric {
	b := fabric.NewBuilder()
	var ports []*fabric.Port
	for i := range 1 + r.IntN(60) {
		typ := []ib.NodeType{ib.NodeSwitch, ib.NodeSwitch, ib.NodeCA, ib.NodeCA, ib.NodeRouter, 9}[r.IntN(6)]
		info := smp.NodeInfo{NodeType: typ, NumPorts: uint8(1 + r.IntN(8)), NodeGUID: ib.GUID(1 + r.IntN(200))}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], fmt.Sprintf("n%d", i/2))
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		for p := range n.NumPorts() {
			ports = append(ports, b.Port(n, p+1))
		}
	}
	for range r.IntN(2 * len(ports)) {
		b.Link(ports[r.IntN(len(ports))], ports[r.IntN(len(ports))])
	}
	return b.Build()
}

// TestIrregular lays out what has no shape: everything still has a place of its own.
func TestIrregular(t *testing.T) {
	for seed := range uint64(300) {
		f := wild(rand.New(rand.NewPCG(seed, 1)))
		top := topology.Classify(f, nil)
		for _, collapse := range []layout.Collapse{layout.None, layout.Hosts, layout.Pods} {
			l := layout.Compute(f, top, &layout.Options{Collapse: collapse})
			checkNodes(t, f, l)
			checkOverlaps(t, l)
			checkEdges(t, f, l)
			if t.Failed() {
				t.Fatalf("seed %d, collapse %d, %s", seed, collapse, top.Kind)
			}
		}
	}
}
