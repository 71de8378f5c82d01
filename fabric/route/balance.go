package route

import (
	"slices"
	"sort"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// Use is how many LIDs a switch forwards by one of its ports.
type Use struct {
	Port int
	LIDs int
}

// Usage is how a switch spreads LIDs over its ports.
type Usage struct {
	// Uses are the ports to other switches, and those whose peer is not known as
	// far as any LID goes there, by number. A port to an adapter or router has
	// the LIDs that it has: there is nothing to balance.
	Uses []Use
	// Linked is the number of ports with a link, those to adapters among them.
	Linked int
}

// UsageOf makes the Usage of a switch from the number of LIDs by output port.
// The switch may be nil: then nothing is known of links.
func UsageOf(sw *fabric.Node, lids map[int]int) Usage {
	var u Usage
	ports := map[int]int{}
	for num, n := range lids {
		if num != 0 {
			ports[num] = n
		}
	}
	if sw != nil {
		u.Linked = links(sw, ports)
	}
	for num, n := range ports {
		u.Uses = append(u.Uses, Use{num, n})
	}
	sort.Slice(u.Uses, func(i, j int) bool {
		a, b := u.Uses[i], u.Uses[j]
		return a.Port < b.Port
	})
	return u
}

// links takes the ports to adapters out of ports, adds those to switches that no
// LID goes to, and counts both.
func links(sw *fabric.Node, ports map[int]int) (linked int) {
	for p := range sw.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		linked++
		if p.Remote().Node().Type() == ib.NodeSwitch {
			ports[p.Num()] += 0
		} else {
			delete(ports, p.Num())
		}
	}
	return linked
}

// IsBalanced reports whether no port has over one LID more than another.
func (u Usage) IsBalanced() bool { return isEven(u.counts()) }

// smallSwitch is how many links a switch may have for SeemsBalanced to be no more
// lenient than IsBalanced: as many as a line board has in a small chassis.
const smallSwitch = 12

// SeemsBalanced is IsBalanced with allowance for switches inside of a chassis,
// which are those with more than 12 links: ports without any LID are passed over,
// and the ports may fall into two halves, give or take a port, each balanced in
// itself. It is what check_lft_balance -e asks.
func (u Usage) SeemsBalanced() bool {
	counts := u.counts()
	if isEven(counts) {
		return true
	}
	if u.Linked <= smallSwitch {
		return false
	}
	if isEven(slices.DeleteFunc(slices.Clone(counts), func(n int) bool { return n == 0 })) {
		return true
	}
	low := 0
	for low < len(counts) && counts[low] <= counts[0]+1 {
		low++
	}
	half := u.Linked / 2
	return low >= half-1 && low <= half+1 && isEven(counts[low:])
}

// counts are the numbers of LIDs, lowest first.
func (u Usage) counts() []int {
	counts := make([]int, len(u.Uses))
	for i := range u.Uses {
		counts[i] = u.Uses[i].LIDs
	}
	slices.Sort(counts)
	return counts
}

// isEven reports whether sorted numbers differ by one at most.
func isEven(counts []int) bool {
	return len(counts) == 0 || counts[len(counts)-1]-counts[0] <= 1
}
