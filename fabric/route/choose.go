package route

import "github.com/ibscope/ibscope/ib"

// candidates are the ports by which a switch may send to another one. Blocks
// keep them from one LID to the next, which mostly is at the same switch.
type candidates struct {
	to    int32 // destination switch + 1, 0 for none yet
	ports [256]uint8
	count int
}

func (t *Tables) next(from int32, lid ib.LID, c *candidates) uint8 {
	if int(lid) >= len(t.graph.dests) || t.graph.dests[lid].sw < 0 {
		return NoPort
	}
	d := t.nearest(from, lid)
	if d.sw == from {
		return d.port
	}
	if c.to != d.sw+1 {
		t.gather(from, d.sw, c)
	}
	if c.count == 0 {
		return NoPort
	}
	return c.ports[t.digit(from, d)%c.count]
}

// nearest is where a LID lives, of several places the nearest to a switch.
func (t *Tables) nearest(from int32, lid ib.LID) dest {
	best := t.graph.dests[lid]
	for _, d := range t.graph.more[lid] {
		if best.sw != from && (d.sw == from || t.vector(d.sw)[from]&hopsMask < t.vector(best.sw)[from]&hopsMask) {
			d.rank = best.rank
			best = d
		}
	}
	return best
}

func (t *Tables) gather(from, to int32, c *candidates) {
	c.to, c.count = to+1, 0
	v := t.vector(to)
	if v[from] == unreachable {
		return
	}
	for _, e := range t.graph.edgesOf(from) {
		if t.isNext(from, e, v) {
			c.ports[c.count] = e.port
			c.count++
		}
	}
}

// digit spreads destinations over ports that lead there alike. A switch next to
// the adapters takes the destinations in turn. Of these only every w-th arrives
// at a switch one level higher, which therefore takes them in turn by what is
// left after a division by w; and so on up a fat tree. The LIDs of one port go by
// as many different ports as there are.
func (t *Tables) digit(from int32, d dest) int {
	rank := d.rank
	for i := range max(t.level[from], 0) {
		rank /= t.widths[i]
	}
	return int(rank) + int(d.offset)
}
