package dot

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/format/internal/elements"
)

// nodeAttributes are those of a node beside its label, as ", role=\"leaf\"".
func nodeAttributes(n *fabric.Node, o *Options) string {
	if o.Topology == nil {
		return ""
	}
	return attributes(elements.Node(n, &elements.Options{Name: o.Name, Topology: o.Topology}))
}

func edgeAttributes(l fabric.Link, o *Options) string {
	if o.Topology == nil {
		return ""
	}
	return attributes(elements.Edge(l))
}

// attributes writes them with names that mean nothing to Graphviz: "group", for one,
// would.
func attributes(list []elements.Attribute) string {
	var b strings.Builder
	for _, a := range list {
		if a.Name != "label" {
			fmt.Fprintf(&b, ", ib_%s=%s", a.Name, quote(fmt.Sprint(a.Value)))
		}
	}
	return b.String()
}

// ranks puts the switches of each tier into one row.
func ranks(w *bufio.Writer, f *fabric.Fabric, t *topology.Topology) {
	tiers := 0
	for i := range t.Places {
		tiers = max(tiers, t.Places[i].Tier)
	}
	for tier := 1; tier <= tiers; tier++ {
		fmt.Fprintf(w, "  { rank=same;")
		for n := range f.Switches() {
			if t.Place(n).Tier == tier {
				fmt.Fprintf(w, " %s;", id(f, n))
			}
		}
		fmt.Fprintf(w, " }\n")
	}
}
