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

// wanted is who should have a share: of all members the one with the highest number for
// it. When a member comes or goes only its own shares change hands.
func wanted(share int, members []string) string {
	best, most := "", uint64(0)
	for _, name := range members {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // it never fails
		n := mix(h.Sum64() ^ mix(uint64(share)+1))
		if best == "" || n > most || n == most && name < best {
			best, most = name, n
		}
	}
	return best
}
