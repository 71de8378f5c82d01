package sim

import (
	"sync"

	"github.com/ibscope/ibscope/mad"
)

// tables are the blocks of a node's tables that were set, and other attributes
// that nothing but Get reads: P_Keys, GUIDs, SLtoVL, VLArb, multicast, lights.
type tables struct {
	mu     sync.RWMutex
	blocks map[tableKey]*[mad.DataSize]byte
}

// tableKey is the attribute and the modifier in the form that the query of the
// attribute gives it.
type tableKey struct {
	attr     mad.AttrID
	modifier uint32
}

func (n *node) block(attr mad.AttrID, modifier uint32) *[mad.DataSize]byte {
	t := n.tables.Load()
	if t == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.blocks[tableKey{attr, modifier}]
}

// store keeps a copy of a block. The caller holds Fabric.mu.
func (n *node) store(attr mad.AttrID, modifier uint32, data *[mad.DataSize]byte) {
	t := n.tables.Load()
	if t == nil {
		t = &tables{blocks: map[tableKey]*[mad.DataSize]byte{}}
		n.tables.Store(t)
	}
	copied := *data
	t.mu.Lock()
	defer t.mu.Unlock()
	t.blocks[tableKey{attr, modifier}] = &copied
}

// stored answers a block that was set; false if it was not.
func (q *query) stored(attr mad.AttrID, modifier uint32) bool {
	b := q.node.block(attr, modifier)
	if b != nil {
		*q.data = *b
	}
	return b != nil
}
