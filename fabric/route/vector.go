package route

// A vector tells, for one destination switch, of each switch how many hops the
// way there has (the low 6 bits), and which kind of way it is.
const (
	hopsMask          = 0x3f
	maxHops           = 62
	onlyDown          = 0x80 // up/down: the way never goes up
	fallback          = 0x40 // up/down: there is no such way, this one breaks the rule
	unreachable       = 0xff
	noPort      uint8 = 255
)

// vector computes, or remembers, the vector of destination switch d.
func (t *Tables) vector(d int32) []uint8 {
	if v := t.vectors[d].Load(); v != nil {
		return *v
	}
	v := make([]uint8, len(t.graph.switches))
	for i := range v {
		v[i] = unreachable
	}
	if t.order == nil {
		v[d] = 0
		t.search(v, []int32{d}, 0, func(int32, edge) bool { return true })
	} else {
		t.upDownVector(v, d)
	}
	t.vectors[d].Store(&v)
	return v
}

// search spreads breadth-first from the switches in queue over edges that are
// taken in the direction against the packets.
func (t *Tables) search(v []uint8, queue []int32, kind uint8, may func(from int32, e edge) bool) {
	for ; len(queue) > 0; queue = queue[1:] {
		near := queue[0]
		hops := v[near] & hopsMask
		if hops >= maxHops {
			return
		}
		for _, e := range t.graph.edgesOf(near) {
			if v[e.peer] == unreachable && may(near, e) {
				v[e.peer] = hops + 1 | kind
				queue = append(queue, e.peer)
			}
		}
	}
}

// upDownVector: switches with a way down take the shortest of these. All others
// go up first, to the peer from where it is shortest. What one switch does fits
// what the next one does: after a step down the next switch has a way down too.
func (t *Tables) upDownVector(v []uint8, d int32) {
	v[d] = onlyDown
	t.search(v, []int32{d}, onlyDown, func(from int32, e edge) bool { return t.order[e.peer] < t.order[from] })
	for _, sw := range t.sorted() {
		if v[sw] != unreachable {
			continue
		}
		best := uint8(maxHops)
		for _, e := range t.graph.edgesOf(sw) {
			if t.order[e.peer] < t.order[sw] && v[e.peer] != unreachable {
				best = min(best, v[e.peer]&hopsMask)
			}
		}
		if best < maxHops {
			v[sw] = best + 1
		}
	}
	t.addFallback(v, d)
}

// addFallback leads the switches that have no way yet to one that has, for
// management of switches: between two tops of a tree every way breaks the rule.
// Adapters have ways to each other without it.
func (t *Tables) addFallback(v []uint8, d int32) {
	level := make([][]int32, maxHops+1)
	missing := false
	for sw, x := range v {
		if x == unreachable {
			missing = true
		} else {
			level[x&hopsMask] = append(level[x&hopsMask], int32(sw))
		}
	}
	if !missing {
		return
	}
	for hops := range maxHops {
		for _, near := range level[hops] {
			for _, e := range t.graph.edgesOf(near) {
				if v[e.peer] == unreachable {
					v[e.peer] = uint8(hops+1) | fallback
					level[hops+1] = append(level[hops+1], e.peer)
				}
			}
		}
	}
}

// isNext reports whether a switch may send to its peer at e for a destination
// with vector v.
func (t *Tables) isNext(sw int32, e edge, v []uint8) bool {
	here, there := v[sw], v[e.peer]
	if there == unreachable || there&hopsMask+1 != here&hopsMask {
		return false
	}
	switch {
	case t.order == nil || here&fallback != 0:
		return true
	case here&onlyDown != 0:
		return there&onlyDown != 0 && t.order[e.peer] > t.order[sw]
	}
	return t.order[e.peer] < t.order[sw]
}
