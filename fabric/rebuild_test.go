package fabric_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// TestRemove: a node that is taken away leaves no link and no gap behind.
func TestRemove(t *testing.T) {
	b := fabric.NewBuilder()
	var nodes []*fabric.Node
	for i := range 4 {
		info := smp.NodeInfo{NodeType: ib.NodeSwitch, NumPorts: 4, NodeGUID: ib.GUID(i + 1)}
		var raw [mad.DataSize]byte
		info.Encode(&raw)
		nodes = append(nodes, b.AddNode(&raw))
	}
	b.Link(b.Port(nodes[0], 1), b.Port(nodes[1], 1))
	b.Link(b.Port(nodes[0], 2), b.Port(nodes[2], 1))
	b.Remove(nodes[1])
	f := b.Build()
	if nodes[0].Port(1).Remote() != nil || nodes[0].Port(2).Remote() != nodes[2].Port(1) {
		t.Error("the wrong link is gone")
	}
	if _, ok := f.NodeByGUID(2); ok || f.NumNodes() != 3 {
		t.Errorf("%d nodes", f.NumNodes())
	}
	i := 0
	for n := range f.Nodes() {
		if n.Index() != i {
			t.Errorf("node %d has index %d", i, n.Index())
		}
		i++
	}
}
