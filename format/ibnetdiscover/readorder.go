package ibnetdiscover

import (
	"slices"

	"github.com/ibscope/ibscope/ib"
)

// order is the canonical order of the nodes.
//
// A topology prints each type newest first, so it tells the order within a type
// but not between types. That is taken from a breadth-first walk from the start
// node: it says of which type the next node is, the file says which one. A
// ports report tells the whole order. Peers without a record come last.
func (g *graph) order() []int32 {
	order := make([]int32, 0, g.numNodes())
	if g.reported {
		order = append(order, g.oldestFirst()...)
	} else {
		order = g.mergeTypes(order)
	}
	for i := len(g.records); i < g.numNodes(); i++ {
		order = append(order, int32(i))
	}
	return order
}

// oldestFirst is the order of the file reversed, but for the nodes of a chassis
// of -g: ibnetdiscover prints these in the order in which it met them.
func (g *graph) oldestFirst() []int32 {
	order := make([]int32, 0, len(g.records))
	for end := len(g.records); end > 0; {
		start := end - 1
		for section := g.records[start].section; section != 0 && start > 0 && g.records[start-1].section == section; {
			start--
		}
		for i := start; i < end; i++ {
			order = append(order, int32(i))
		}
		end = start
	}
	return order
}

func (g *graph) mergeTypes(order []int32) []int32 {
	var rest [4][]int32 // by type
	for _, i := range g.oldestFirst() {
		t := g.records[i].typ
		rest[t] = append(rest[t], i)
	}
	for _, n := range g.walk() {
		t := g.records[n].typ
		order = append(order, rest[t][0])
		rest[t] = rest[t][1:]
	}
	for _, t := range []ib.NodeType{ib.NodeSwitch, ib.NodeCA, ib.NodeRouter} {
		order = append(order, rest[t]...)
	}
	return order
}

// walk visits the records that the start node leads to, breadth first.
func (g *graph) walk() []int32 {
	start := g.startRecord()
	if start < 0 {
		return nil
	}
	seen := make([]bool, len(g.records))
	seen[start] = true
	queue := []int32{start}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		ports := g.byPort[g.base[n] : g.base[n]+int32(g.numPorts[n])+1]
		for _, l := range ports {
			if l == 0 {
				continue
			}
			if t := g.target[l-1]; t >= 0 && int(t) < len(g.records) && !seen[t] {
				seen[t] = true
				queue = append(queue, t)
			}
		}
	}
	return queue
}

// startRecord is the record of the node that the sweep started from, -1 when
// that is not known.
func (g *graph) startRecord() int32 {
	if !g.hasStart {
		return -1
	}
	return int32(slices.IndexFunc(g.records, func(r record) bool { return g.recordGUID(&r) == g.startNode }))
}

// recordGUID is the GUID that the text gives a node, 0 for none.
func (g *graph) recordGUID(r *record) ib.GUID {
	if p := &g.peers[r.id]; p.hasGUID {
		return p.guid
	}
	if r.hasGUID {
		return r.guid
	}
	return 0
}
