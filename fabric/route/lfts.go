package route

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// LFTs are forwarding tables that switches have: entry i is the output port for
// LID i. They are a Table for Check and its like.
type LFTs map[*fabric.Node][]uint8

// Next gives NoPort for LIDs beyond a table, and for switches without one.
func (t LFTs) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if table := t[sw]; int(lid) < len(table) {
		return table[lid]
	}
	return NoPort
}

// Behind lists the ports of channel adapters that a switch reaches by one of its
// ports, by LID. A port with several LIDs is listed if any of them goes there.
func Behind(f *fabric.Fabric, t Table, sw *fabric.Node, num uint8) (list []*fabric.Port) {
	var last *fabric.Port
	for lid := ib.LID(1); lid <= ib.MaxUnicastLID; lid++ {
		p, ok := f.PortByLID(lid)
		if !ok || p == last || p.Node().Type() != ib.NodeCA || t.Next(sw, lid) != num {
			continue
		}
		list, last = append(list, p), p
	}
	return list
}
