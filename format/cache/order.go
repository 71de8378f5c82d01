package cache

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// buckets is the size of libibnetdisc's hash table of ports.
const buckets = 137

// bucketOf is the place of a port GUID in that table.
func bucketOf(g ib.GUID) int {
	return int((uint32(g)*101 ^ uint32(g>>32)*103) % buckets)
}

// portsInFileOrder lists all ports in the order of the file: that of the hash
// table, in which the port that came last is first in its bucket.
func portsInFileOrder(f *fabric.Fabric) []*fabric.Port {
	var table [buckets][]*fabric.Port
	count := 0
	for _, p := range portsByArrival(f) {
		b := bucketOf(p.GUID())
		table[b] = append(table[b], p)
		count++
	}
	all := make([]*fabric.Port, 0, count)
	for _, bucket := range table {
		slices.Reverse(bucket)
		all = append(all, bucket...)
	}
	return all
}

// portsByArrival lists all ports in the order in which a sweep got their
// PortInfo: as the fabric's source told it, or else by following the sweep.
// Ports that have no place in it come last.
func portsByArrival(f *fabric.Fabric) []*fabric.Port {
	var told, untold []*fabric.Port
	for p := range f.Ports() {
		if p.InfoOrder() != 0 {
			told = append(told, p)
		} else {
			untold = append(untold, p)
		}
	}
	if len(told) == 0 {
		return replay(f, hasExtended)
	}
	slices.SortStableFunc(told, func(p, q *fabric.Port) int { return p.InfoOrder() - q.InfoOrder() })
	return append(told, untold...)
}
