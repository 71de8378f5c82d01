package route

import (
	"sync"
	"sync/atomic"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// NoPort is the entry of a forwarding table for LIDs that cannot be reached.
const NoPort = noPort

// BlockSize is the number of LIDs in a block of a forwarding table.
const BlockSize = 64

// Tables are the forwarding tables of all switches of a fabric, computed when
// they are asked. They are safe for concurrent use. Links that change need new
// Tables.
type Tables struct {
	engine  Engine
	graph   *graph
	level   []int32 // by switch: hops to the nearest one with adapters
	widths  []int32 // by level: links that lead up
	order   []int32 // by switch: links lead up to the lower one; nil for shortest ways
	vectors []atomic.Pointer[[]uint8]

	sortOnce sync.Once
	inOrder  []int32
}

// Engine is the engine that the tables are of.
func (t *Tables) Engine() Engine { return t.engine }

// TopLID is the highest LID that has an entry, 0 for none.
func (t *Tables) TopLID() ib.LID { return ib.LID(max(len(t.graph.dests), 1) - 1) }

// Next is the port by which a switch forwards to a LID: 0 for the switch itself,
// NoPort for LIDs that it cannot reach and for nodes that are no switches of the
// fabric.
func (t *Tables) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if from := t.find(sw); from >= 0 {
		var c candidates
		return t.next(from, lid, &c)
	}
	return NoPort
}

// Block fills in the entries of the LIDs from 64·block on.
func (t *Tables) Block(sw *fabric.Node, block int, entries *[BlockSize]uint8) {
	from := t.find(sw)
	var c candidates
	for i := range entries {
		entries[i] = NoPort
		if lid := BlockSize*block + i; from >= 0 && block >= 0 && lid < len(t.graph.dests) {
			entries[i] = t.next(from, ib.LID(lid), &c)
		}
	}
}

// LFT is the whole table of a switch, up to TopLID.
func (t *Tables) LFT(sw *fabric.Node) []uint8 {
	table := make([]uint8, 0, len(t.graph.dests)+BlockSize)
	var entries [BlockSize]uint8
	for block := range (len(t.graph.dests) + BlockSize - 1) / BlockSize {
		t.Block(sw, block, &entries)
		table = append(table, entries[:]...)
	}
	return table[:len(t.graph.dests)]
}

func (t *Tables) find(sw *fabric.Node) int32 {
	if i := sw.Index(); i < len(t.graph.ordinal) {
		if o := t.graph.ordinal[i]; o >= 0 && t.graph.switches[o] == sw {
			return o
		}
	}
	return -1
}

// sorted lists the switches from the top down.
func (t *Tables) sorted() []int32 {
	t.sortOnce.Do(func() {
		t.inOrder = make([]int32, len(t.order))
		for sw, i := range t.order {
			t.inOrder[i] = int32(sw)
		}
	})
	return t.inOrder
}
