package web

import (
	"cmp"
	"math"
	"slices"

	"github.com/ibscope/ibscope/fabric/layout"
)

// How wide a picture may be for its height before its pods are put into rows, the
// shape that is aimed at then, and what is between things.
const (
	mostAspect   = 2.6
	wantedAspect = 1.8
	foldMargin   = 24
	boxGap       = 6
	podGap       = 18
	rowGap       = 64
	tierGap      = 150
)

// fold puts the pods of a layout that is very wide into rows, and what is above them
// too, so that it fits a screen: a fat tree of three tiers is else a long row of pods
// below a long row of cores.
func fold(l *layout.Layout) {
	pods := podsOf(l)
	if len(pods) < 4 || l.Width < mostAspect*l.Height {
		return
	}
	p := folder{l: l, pods: pods, moved: make([]layout.Point, len(l.Boxes))}
	p.sort()
	perRow := p.choose()
	top := p.wrap(p.width(perRow))
	p.place(perRow, top)
	for i := range l.Edges {
		p.follow(&l.Edges[i])
	}
}

// podsOf are the frames of pods, as long as there are no other frames.
func podsOf(l *layout.Layout) []*layout.Frame {
	var pods []*layout.Frame
	for i := range l.Frames {
		f := &l.Frames[i]
		if f.Kind != layout.FramePod || f.Part != l.Frames[0].Part {
			return nil
		}
		pods = append(pods, f)
	}
	return pods
}

// folder moves boxes.
type folder struct {
	l      *layout.Layout
	pods   []*layout.Frame
	inPod  [][]int // boxes by pod
	above  []int   // boxes of none
	moved  []layout.Point
	height float64 // of the highest pod
}

// sort finds out which boxes are in which pod.
func (p *folder) sort() {
	of := map[int]int{}
	for i, f := range p.pods {
		of[f.Number] = i
		p.height = max(p.height, f.H)
	}
	p.inPod = make([][]int, len(p.pods))
	for i := range p.l.Boxes {
		if pod, ok := of[p.l.Boxes[i].Group]; ok {
			p.inPod[pod] = append(p.inPod[pod], i)
		} else {
			p.above = append(p.above, i)
		}
	}
	slices.SortStableFunc(p.above, func(a, b int) int {
		m, n := &p.l.Boxes[a], &p.l.Boxes[b]
		return cmp.Or(cmp.Compare(m.Y, n.Y), cmp.Compare(m.X, n.X))
	})
}

// choose is how many pods in a row bring the picture closest to the wanted shape, and
// fill the last row well.
func (p *folder) choose() int {
	best, least := len(p.pods), math.Inf(1)
	for n := 1; n <= len(p.pods); n++ {
		rows := float64((len(p.pods) + n - 1) / n)
		aspect := p.width(n) / (tierGap + 100 + rows*(p.height+rowGap))
		empty := float64(int(rows)*n-len(p.pods)) / float64(n) // of the last row
		if off := math.Abs(math.Log(aspect/wantedAspect)) + empty/3; off < least {
			best, least = n, off
		}
	}
	return best
}

// width is that of the widest row with so many pods in each.
func (p *folder) width(perRow int) (widest float64) {
	for row := range slices.Chunk(p.pods, perRow) {
		width := 2.0*foldMargin - podGap
		for _, f := range row {
			width += f.W + podGap
		}
		widest = max(widest, width)
	}
	return widest
}

// wrap puts what is above the pods into rows, each in the middle of the width, and
// gives where the pods begin.
func (p *folder) wrap(width float64) float64 {
	p.l.Width = width
	y := float64(foldMargin)
	for row := range slices.Chunk(p.above, p.perRow(width)) {
		used, high := float64(-boxGap), 0.0
		for _, at := range row {
			b := &p.l.Boxes[at]
			used, high = used+b.W+boxGap, max(high, b.H)
		}
		x := (width - used) / 2
		for _, at := range row {
			b := &p.l.Boxes[at]
			p.move(at, x-b.X, y-b.Y)
			x += b.W + boxGap
		}
		y += high + rowGap/2
	}
	return y + tierGap
}

// perRow is how many of the boxes above the pods make rows of equal length.
func (p *folder) perRow(width float64) int {
	total := 0.0
	for _, at := range p.above {
		total += p.l.Boxes[at].W + boxGap
	}
	rows := int(total/(width-2*foldMargin)) + 1
	return max(1, (len(p.above)+rows-1)/rows)
}

// place puts the pods into their rows, each in the middle of the width.
func (p *folder) place(perRow int, y float64) {
	for first := 0; first < len(p.pods); first += perRow {
		row := p.pods[first:min(first+perRow, len(p.pods))]
		used := float64(-podGap)
		for _, f := range row {
			used += f.W + podGap
		}
		x := (p.l.Width - used) / 2
		for i, f := range row {
			dx, dy := x-f.X, y-f.Y
			f.X, f.Y = x, y
			for _, at := range p.inPod[first+i] {
				p.move(at, dx, dy)
			}
			x += f.W + podGap
		}
		y += p.height + rowGap
	}
	p.l.Height = y - rowGap + foldMargin
}

func (p *folder) move(at int, dx, dy float64) {
	b := &p.l.Boxes[at]
	b.X, b.Y = b.X+dx, b.Y+dy
	p.moved[at] = layout.Point{X: dx, Y: dy}
}

// follow moves an edge with its boxes; one between boxes that have been moved apart
// becomes a straight line.
func (p *folder) follow(e *layout.Edge) {
	by := p.moved[e.A]
	if by == p.moved[e.B] {
		for i := range e.Path {
			e.Path[i].X += by.X
			e.Path[i].Y += by.Y
		}
		return
	}
	a, b := &p.l.Boxes[e.A], &p.l.Boxes[e.B]
	e.Curved = false
	e.Path = []layout.Point{{X: a.X + a.W/2, Y: a.Y + a.H}, {X: b.X + b.W/2, Y: b.Y}}
	if a.Y > b.Y {
		e.Path = []layout.Point{{X: a.X + a.W/2, Y: a.Y}, {X: b.X + b.W/2, Y: b.Y + b.H}}
	}
}
