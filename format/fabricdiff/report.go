package fabricdiff

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
)

// Report is a comparison to write.
type Report struct {
	A, B    Side
	Changes []diff.Change

	// Name gives a node a name of its own, as a node name map does; false for
	// none. Nil for no names.
	Name func(*fabric.Node) (string, bool)
}

// Side is one of the two fabrics.
type Side struct {
	Name   string // as "before", "the nodes"; it follows "only in" and "in"
	Fabric *fabric.Fabric
}

// name is the name that the map has for a node, else "".
func (r *Report) name(n *fabric.Node) string {
	if r.Name == nil {
		return ""
	}
	if name, ok := r.Name(n); ok {
		return name
	}
	return ""
}
