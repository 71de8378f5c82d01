package saview

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// visit is a node in the order of the walk, with the way to it.
type visit struct {
	of      *entry
	path    ib.DRPath
	reached bool
}

// build makes the fabric from what has been read.
func (r *reader) build(start ib.GUID, startPort int, sweep fabric.Sweep) *fabric.Fabric {
	b := fabric.NewBuilder()
	nodes := make(map[*entry]*fabric.Node, len(r.nodes))
	for _, v := range r.walk(r.byGUID[start], uint8(startPort)) {
		n := b.AddNode(&v.of.info)
		nodes[v.of] = n
		b.SetDescription(n, &v.of.desc)
		if v.reached {
			b.SetPath(n, v.path)
			sweep.MaxHops = max(sweep.MaxHops, v.path.Len())
		}
		if v.of.swInfo != nil {
			b.SetSwitchInfo(n, v.of.swInfo)
		}
		setPorts(b, n, v.of)
	}
	r.connect(b, nodes)
	if e := r.byGUID[start]; e != nil {
		b.SetStart(b.Port(nodes[e], startPort))
	} else if len(r.nodes) > 0 {
		r.problem(fabric.Problem{
			Kind: fabric.BadReply, GUID: start, Port: -1, Detail: "is the local node, and has no NodeRecord",
		})
	}
	for _, p := range r.problems {
		b.AddProblem(p)
	}
	b.SetSweep(sweep)
	return b.Build()
}

func setPorts(b *fabric.Builder, n *fabric.Node, e *entry) {
	for num := range e.ports {
		p := &e.ports[num]
		if p.guid == 0 && !p.hasInfo {
			continue
		}
		made := b.Port(n, num)
		if p.guid != 0 {
			b.SetPortGUID(made, p.guid)
		}
		if p.hasInfo {
			b.SetPortInfo(made, &p.info)
		}
	}
}

// connect makes the links. Those that only one end's record tells of stay so.
func (r *reader) connect(b *fabric.Builder, nodes map[*entry]*fabric.Node) {
	for _, from := range r.ends {
		to := r.links[from]
		p, q := b.Port(nodes[from.of], int(from.num)), b.Port(nodes[to.of], int(to.num))
		if r.links[to] == from {
			b.Link(p, q)
			continue
		}
		b.LinkOneWay(p, q)
		r.problem(fabric.Problem{
			Kind: fabric.LinkConflict, GUID: from.of.node.NodeGUID, Port: int(from.num),
			Detail: fmt.Sprintf("is connected to node %s port %d by its own LinkRecord only", to.of.node.NodeGUID, to.num),
		})
	}
}

// walk orders the nodes: breadth first from the start, through switches only, as
// requests go; then the others.
func (r *reader) walk(start *entry, startPort uint8) []visit {
	order := make([]visit, 0, len(r.nodes))
	met := make(map[*entry]bool, len(r.nodes))
	meet := func(e *entry, path ib.DRPath, reached bool) {
		if !met[e] {
			met[e] = true
			order = append(order, visit{e, path, reached})
		}
	}
	if start != nil {
		meet(start, ib.DRPath{}, true)
	}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for num := range at.of.ports {
			if !at.of.isSwitch() && (i > 0 || num != int(startPort)) {
				continue
			}
			far, linked := r.links[port{at.of, uint8(num)}]
			if longer, ok := at.path.Append(uint8(num)); linked && ok {
				meet(far.of, longer, true)
			}
		}
	}
	rest := slices.SortedFunc(slices.Values(r.nodes), func(a, b *entry) int {
		return cmp.Compare(a.node.NodeGUID, b.node.NodeGUID)
	})
	for _, e := range rest {
		meet(e, ib.DRPath{}, false)
	}
	return order
}
