package metrics

import (
	"strconv"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/watch"
)

// A view is a state made ready for writing: which nodes and ports there are to show,
// each once, and the labels of each.
type view struct {
	*source
	state *watch.State
	tally *tally // of the events of this fabric

	series [2]int // that are shown and left out, once all others are written

	nodes []nodeView
	ports []portView
}

// source is what a view is made of beside the state.
type source struct {
	name   func(*fabric.Node) string
	about  func(fabric string, node ib.GUID) *Hardware
	first  bool             // it is the first fabric of the page
	suffix string           // of the collectors of that set
	shown  []*fabric.Fabric // the fabrics before this one, in sets that do not name it
}

// nodeView is a node with its labels.
type nodeView struct {
	*fabric.Node
	labels string
}

// portView is a port with its labels.
type portView struct {
	*fabric.Port
	labels string
	total  *total.Port // nil: never read
	peer   *fabric.Port
	link   fabric.Link // zero without a link
}

// labelling makes labels of nodes and ports for a set.
type labelling struct {
	node func(v *view, n *fabric.Node) string
	port func(v *view, p *fabric.Port) string
	want func(p *fabric.Port) bool
}

// newView prepares a state, with the graph of an earlier view where that is the same.
func newView(st *watch.State, src *source, l *labelling, before *view) *view {
	v := &view{source: src, state: st}
	if st.Fabric == nil {
		return v
	}
	if before != nil && before.state.Fabric == st.Fabric {
		v.nodes, v.ports = before.nodes, before.ports
		if before.state.Totals != st.Totals {
			v.ports = append([]portView(nil), v.ports...)
			v.findTotals()
		}
		return v
	}
	v.gather(l)
	v.findTotals()
	return v
}

// gather finds the nodes and ports to show. Each has labels of its own: Prometheus
// takes nothing of a page that has a series twice, and on a fabric where two nodes
// claim one GUID, or that is seen through two ports, there would be such.
func (v *view) gather(l *labelling) {
	seen := map[string]bool{}
	for n := range v.state.Fabric.Nodes() {
		if text := l.node(v, n); !seen[text] && !v.isShown(n) {
			seen[text] = true
			v.nodes = append(v.nodes, nodeView{Node: n, labels: text})
		}
		for p := range n.Ports() {
			if !l.want(p) {
				continue
			}
			if text := l.port(v, p); !seen[text] && !v.isPortShown(p) {
				seen[text] = true
				v.ports = append(v.ports, portView{Port: p, labels: text, peer: p.Remote(), link: linkOf(p)})
			}
		}
	}
}

// isShown reports whether a fabric before this one has a node with that GUID.
func (v *view) isShown(n *fabric.Node) bool {
	for _, f := range v.shown {
		if _, ok := f.NodeByGUID(n.GUID()); ok {
			return true
		}
	}
	return false
}

func (v *view) isPortShown(p *fabric.Port) bool {
	for _, f := range v.shown {
		if _, ok := f.PortByGUID(p.GUID()); ok {
			return true
		}
	}
	return v.isShown(p.Node())
}

func (v *view) findTotals() {
	for i := range v.ports {
		p := &v.ports[i]
		p.total = v.state.Totals.Port(p.Node().GUID(), p.Num())
	}
}

// linkOf is the link of a port, A being the port itself.
func linkOf(p *fabric.Port) fabric.Link {
	if p.Remote() == nil {
		return fabric.Link{}
	}
	return fabric.Link{A: p, B: p.Remote()}
}

// ofFabric are the labels of what concerns the fabric as a whole, with more pairs.
func (v *view) ofFabric(more ...string) string {
	return labels(append([]string{"fabric", v.state.Name}, more...)...)
}

// ownLabels are the labels of the own names: few, and such as never change.
var ownLabels = labelling{
	node: func(v *view, n *fabric.Node) string { return v.ofFabric("guid", n.GUID().String()) },
	port: func(v *view, p *fabric.Port) string {
		return v.ofFabric("guid", p.Node().GUID().String(), "port", strconv.Itoa(p.Num()))
	},
	want: func(p *fabric.Port) bool { return true },
}
