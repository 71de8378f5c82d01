package fleet

import (
	"hash/fnv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// shareOf is the share of a node. An adapter has that of the switch that it is on: who
// reads the counters at both ends of a link can tell a flap from a host that was started
// again.
func shareOf(n *fabric.Node, shares int) int {
	guid := n.GUID()
	if n.Type() != ib.NodeSwitch {
		for p := range n.Ports() {
			if r := p.Remote(); r != nil && r.Node().Type() == ib.NodeSwitch {
				guid = r.Node().GUID()
				break
			}
		}
	}
	return int(mix(uint64(guid)) % uint64(shares))
}

// mix spreads a number: the finalizer of splitmix64.
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// assign says who should have which share: the member with the highest number for it,
// unless that has its part of all already. Members have the same number of shares, give
// or take one; most of them stay where they are when a member comes or goes.
func assign(shares int, members []string) []string {
	owner := make([]string, shares)
	if len(members) == 0 {
		return owner
	}
	hashes := make([]uint64, len(members))
	for i, name := range members {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // it never fails
		hashes[i] = h.Sum64()
	}
	room := make([]int, len(members))
	for i := range shares {
		room[i%len(members)]++
	}
	for share := range owner {
		best, most := -1, uint64(0)
		for i := range members {
			if n := mix(hashes[i] ^ mix(uint64(share)+1)); room[i] > 0 && (best < 0 || n > most) {
				best, most = i, n
			}
		}
		owner[share] = members[best]
		room[best]--
	}
	return owner
}
