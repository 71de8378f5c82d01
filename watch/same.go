package watch

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
)

// same reports whether two fabrics tell the same, in the same order: nodes, attributes,
// links, ways and problems. When they were read does not matter.
func same(a, b *fabric.Fabric) bool {
	if a.NumNodes() != b.NumNodes() || len(a.Problems()) != len(b.Problems()) || !samePlace(a.Start(), b.Start()) {
		return false
	}
	other := make([]*fabric.Node, 0, b.NumNodes())
	for n := range b.Nodes() {
		other = append(other, n)
	}
	for n := range a.Nodes() {
		if !sameNode(n, other[n.Index()]) {
			return false
		}
	}
	for i, p := range a.Problems() {
		q := b.Problems()[i]
		p.Err, q.Err = nil, nil // they tell times
		if p != q {
			return false
		}
	}
	return true
}

func sameNode(a, b *fabric.Node) bool {
	pathA, okA := a.Path()
	pathB, okB := b.Path()
	if *a.InfoBytes() != *b.InfoBytes() || *a.DescriptionBytes() != *b.DescriptionBytes() || pathA != pathB || okA != okB ||
		a.HasDescription() != b.HasDescription() || !sameBytes(a.SwitchInfoBytes(), b.SwitchInfoBytes()) {
		return false
	}
	for num := range a.NumPorts() + 1 {
		if !samePort(a.Port(num), b.Port(num)) {
			return false
		}
	}
	return true
}

func samePort(a, b *fabric.Port) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.GUID() == b.GUID() && sameBytes(a.InfoBytes(), b.InfoBytes()) &&
		sameBytes(a.ExtendedInfoBytes(), b.ExtendedInfoBytes()) && samePlace(a.Remote(), b.Remote())
}

// samePlace: nodes are compared one by one, so their place in the order is enough.
func samePlace(a, b *fabric.Port) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Num() == b.Num() && a.Node().Index() == b.Node().Index()
}

func sameBytes(a, b *[mad.DataSize]byte) bool {
	return a == b || a != nil && b != nil && *a == *b
}
