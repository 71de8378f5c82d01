package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
)

// maxRow is how many cells are in a line before the row goes on below it.
const (
	maxRow      = 24
	maxRowDense = 140
	mostPods    = 12 // of collapsed pods, if there are not too many

	collapsedGap = 20
)

// tiers lays out a part in rows: its pods side by side, and above them what is in
// no pod.
func (p *planner) tiers(t *topology.Part, cells []int32) *block {
	if t.Groups < 2 || t.Kind != topology.FatTree {
		return p.rows(cells, true)
	}
	split := p.split(cells, t.Groups)
	var pods []*block
	for g, list := range split[1:] {
		switch {
		case len(list) == 0:
		case p.cells[list[0]].kind == WholeGroup:
			pods = append(pods, p.single(list[0]))
		default:
			pods = append(pods, framed(p.rows(list, false), FramePod, g+1, t.Number))
		}
	}
	below := row(pods, 2*p.size.gap, true)
	if p.l.Collapse == Pods {
		below = p.lines(pods, collapsedGap, max(mostPods, int(math.Sqrt(float64(3*len(pods))))))
	}
	p.mark(below)
	if len(split[0]) == 0 {
		return below
	}
	above := p.rows(split[0], true)
	return column([]*block{above, below}, rise(max(above.w, below.w)))
}

// rows puts cells into rows by their tier, the lowest at the bottom. The order in
// the upper ones follows from that of the lower ones.
func (p *planner) rows(cells []int32, rails bool) *block {
	byTier := map[int][]int32{}
	top := 0
	for _, c := range cells {
		tier := p.cells[c].place.Tier
		byTier[tier] = append(byTier[tier], c)
		top = max(top, tier)
	}
	most := maxRow
	if p.l.Dense {
		most = maxRowDense
	}
	var rows []*block
	widest := 0.0
	for tier := 0; tier <= top; tier++ {
		list := byTier[tier]
		if len(list) == 0 {
			continue
		}
		if len(rows) > 0 {
			p.follow(list)
		}
		b := p.line(list, most, rails && tier == 1)
		p.mark(b)
		widest = max(widest, b.w)
		rows = append(rows, b)
	}
	slices.Reverse(rows)
	return column(rows, rise(widest))
}

// rise is the room for the links between two rows of that width.
func rise(width float64) float64 { return min(max(width*0.18, 64), 900) }

// line is one row, in several lines if it is long. Leaves of one rail are framed.
func (p *planner) line(list []int32, most int, rails bool) *block {
	blocks := p.singles(list)
	if rails && len(p.t.Rails) > 1 {
		blocks = p.railed(list)
	}
	return p.lines(blocks, p.size.gap, most)
}

// lines puts blocks into a few lines of the same length.
func (p *planner) lines(blocks []*block, gap float64, most int) *block {
	if len(blocks) <= most {
		return row(blocks, gap, false)
	}
	lines := (len(blocks) + most - 1) / most
	each := (len(blocks) + lines - 1) / lines
	var parts []*block
	for part := range slices.Chunk(blocks, each) {
		parts = append(parts, row(part, gap, false))
	}
	return column(parts, 3*gap)
}

// railed makes one block of the cells of each rail.
func (p *planner) railed(list []int32) []*block {
	var blocks []*block
	for len(list) > 0 {
		rail, n := p.cells[list[0]].place.Rail, 1
		for n < len(list) && p.cells[list[n]].place.Rail == rail {
			n++
		}
		b := p.lines(p.singles(list[:n]), p.size.gap, maxRow)
		if rail > 0 {
			b = framed(b, FrameRail, rail, p.cells[list[0]].place.Part)
		}
		blocks = append(blocks, b)
		list = list[n:]
	}
	return blocks
}

// mark remembers how far to the right the cells of a block are.
func (p *planner) mark(b *block) {
	for _, c := range b.cells {
		p.cells[c.cell].at = (c.x + p.cells[c.cell].w/2) / max(b.w, 1)
	}
}

// follow orders cells by where the cells below them are that they are linked to.
func (p *planner) follow(list []int32) {
	mean := make(map[int32]float64, len(list))
	for _, c := range list {
		sum, n := 0.0, 0
		for _, node := range p.cells[c].nodes {
			for port := range node.Ports() {
				far := port.Remote()
				if far == nil || far.Node().Type() != ib.NodeSwitch {
					continue
				}
				if o := &p.cells[p.of[far.Node().Index()]]; o.place.Tier < p.cells[c].place.Tier {
					sum += o.at
					n++
				}
			}
		}
		if n > 0 {
			// Rounded, so that the same links in another order give the same.
			mean[c] = float64(int(sum/float64(n)*1e4+0.5)) / 1e4
		}
	}
	slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(mean[a], mean[b]) })
}
