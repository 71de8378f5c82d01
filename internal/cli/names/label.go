package names

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
)

// Label is what a node is called: its name in the map, else its description, "" for
// neither. It is not escaped.
func Label(m ibnetdiscover.Namer, n *fabric.Node) string {
	if of := Of(m); of != nil {
		if name, ok := of(n); ok {
			return name
		}
	}
	return n.Description()
}
