package ibnetdiscover

import (
	"iter"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Nodes yields the nodes in the order in which Write prints them, for programs
// that stand for one that reads a topology file. It ends when yield says so.
func Nodes(f *fabric.Fabric, grouped bool) iter.Seq[*fabric.Node] {
	return func(yield func(*fabric.Node) bool) {
		var list []*fabric.Node
		if grouped {
			for _, c := range f.Chassis() {
				list = slices.Concat(list, c.Spines, c.Lines, slices.Collect(nodesOf(c, ib.NodeSwitch, ib.NodeCA, ib.NodeRouter)))
			}
		}
		nodes := slices.Collect(f.Nodes())
		for _, t := range []ib.NodeType{ib.NodeSwitch, ib.NodeCA, ib.NodeRouter} {
			for _, n := range slices.Backward(nodes) {
				if n.Type() == t && !(grouped && n.Chassis() != nil) {
					list = append(list, n)
				}
			}
		}
		for _, n := range list {
			if n != nil && !yield(n) {
				return
			}
		}
	}
}
