package sim

import (
	"sync/atomic"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// forwarding is the linear forwarding table of a switch as far as it was set,
// in blocks of 64 LIDs.
type forwarding struct {
	blocks []atomic.Pointer[[mad.DataSize]byte]
	isAll  bool // blocks that were not set are empty; else they are as the model has them
}

// nothing is the table of a switch after power-on.
var nothing = &forwarding{isAll: true}

// entry is the output port for a LID; false for a block that was not set.
func (f *forwarding) entry(lid ib.LID) (out uint8, ok bool) {
	if i := int(lid) / lidsPerBlock; i < len(f.blocks) {
		if b := f.blocks[i].Load(); b != nil {
			return b[lid%lidsPerBlock], true
		}
	}
	return noRoute, f.isAll
}

// setBlock stores a block. The caller holds Fabric.mu.
func (n *node) setBlock(block, limit int, data *[mad.DataSize]byte) {
	f := n.forwarding.Load()
	if f == nil || len(f.blocks) == 0 {
		f = &forwarding{blocks: make([]atomic.Pointer[[mad.DataSize]byte], limit), isAll: f != nil}
		n.forwarding.Store(f)
	}
	if block < len(f.blocks) {
		copied := *data
		f.blocks[block].Store(&copied)
	}
}

// table is the forwarding table's entry, whatever LinearFDBTop says.
func (r *routes) table(sw *node, dlid ib.LID) uint8 {
	if f := sw.forwarding.Load(); f != nil {
		if out, ok := f.entry(dlid); ok {
			return out
		}
	}
	return r.original(sw.model, dlid)
}

// next is the port by which sw forwards to dlid: 0 for itself, or noRoute.
func (r *routes) next(sw *node, dlid ib.LID) uint8 {
	if top := sw.topLID.Load(); top >= 0 && int(dlid) > int(top) {
		return noRoute
	}
	return r.table(sw, dlid)
}
