package topology

import (
	"fmt"
	"slices"
	"strings"
)

// Shares of what must be there and fit for a lattice.
const (
	leastPoints = 0.75 // of all points of the lattice
	leastPlaced = 0.85 // of the switches, with a point of their own
)

// check makes coordinates and compares all links with them.
func (d *dimensioner) check() bool {
	points := 1
	for _, dim := range d.dims {
		if points *= dim.Size; points < 1 || points > 2*len(d.adj) {
			return false
		}
	}
	d.coords = make([][]int, len(d.adj))
	taken := map[int]bool{}
	for v := range d.adj {
		at := make([]int, len(d.dims))
		for dim := range d.dims {
			at[dim] = int(d.at[dim][v])
		}
		if slices.Contains(at, -1) || taken[d.point(at)] {
			continue
		}
		taken[d.point(at)] = true
		d.coords[v] = at
	}
	d.fill(taken)
	// pairUp and name change the coordinates: keep what was found with these.
	odd := map[[2]int32]bool{}
	for _, e := range d.edges {
		if !d.isStep(e) {
			odd[e] = true
		}
	}
	d.fits = func(_ *part, e [2]int32) bool { return !odd[e] }
	d.setFit(d.misfits())
	return d.Fit >= goodFit && float64(len(taken)) >= leastPlaced*float64(len(d.adj)) &&
		float64(len(taken)) >= leastPoints*float64(points)
}

// isStep reports whether an edge goes to a neighbour in one dimension.
func (d *dimensioner) isStep(e [2]int32) bool {
	a, b := d.coords[e[0]], d.coords[e[1]]
	if a == nil || b == nil {
		return true // nothing speaks against it
	}
	steps := 0
	for i, dim := range d.dims {
		far := max(a[i]-b[i], b[i]-a[i])
		if far == 0 {
			continue
		}
		steps++
		if far > 1 && !dim.Full && !(dim.Wrap && far == dim.Size-1) {
			return false
		}
	}
	return steps == 1
}

// count is how many dimensions have a property.
func (d *dimensioner) count(is func(Dimension) bool) (n int) {
	for _, dim := range d.dims {
		if is(dim) {
			n++
		}
	}
	return n
}

func isPair(d Dimension) bool { return d.Size == 2 }
func isRing(d Dimension) bool { return d.Wrap && d.Size > 3 }
func isFull(d Dimension) bool { return d.Full }
func isLine(d Dimension) bool { return d.Size > 2 && !d.Wrap && !d.Full }

// pairUp makes a ring of four of two dimensions of two, which is the same graph,
// where a torus is likely: beside longer rings, and for two dimensions alone.
func (d *dimensioner) pairUp() {
	twos := d.count(isPair)
	all := len(d.dims)
	if !(twos == all && all == 2) && !(d.count(isRing) > 0 && d.count(isFull) == 0 && twos < all) {
		return
	}
	for twos >= 2 && d.alike() {
		d.foldPair()
		twos -= 2
	}
}

// alike reports whether the first two dimensions of two have as many cables as
// rings have: a torus has twice as many in a dimension of two.
func (d *dimensioner) alike() bool {
	var twos, rings, twoLinks, ringLinks int
	for e, ends := range d.edges {
		dim := d.dimOf(int32(e))
		if dim < 0 {
			continue
		}
		if d.dims[dim].Size == 2 {
			twos++
			twoLinks += d.linksOf(ends)
		} else {
			rings++
			ringLinks += d.linksOf(ends)
		}
	}
	return rings == 0 || 2*twoLinks*rings < 3*ringLinks*twos
}

// foldPair makes one ring of four of the first two dimensions of two.
func (d *dimensioner) foldPair() {
	first := slices.IndexFunc(d.dims, isPair)
	second := first + 1 + slices.IndexFunc(d.dims[first+1:], isPair)
	for v, at := range d.coords {
		if at == nil {
			continue
		}
		at[first] = [4]int{0, 1, 3, 2}[2*at[first]+at[second]]
		d.coords[v] = slices.Delete(at, second, second+1)
	}
	for c, dim := range d.dim {
		if dim == int32(second) {
			d.dim[c] = int32(first)
		} else if dim > int32(second) {
			d.dim[c]--
		}
	}
	d.dims[first] = Dimension{Size: 4, Wrap: true}
	d.dims = slices.Delete(d.dims, second, second+1)
}

// name says which kind of lattice it is. The largest dimension comes first.
func (d *dimensioner) name() {
	d.sortDims()
	d.Dims = d.dims
	full := d.count(isFull)
	wraps := d.count(func(x Dimension) bool { return x.Wrap })
	twos, all := d.count(isPair), len(d.dims)
	switch {
	case twos == all:
		d.Kind = Hypercube
		if all%2 == 0 {
			d.Same = "torus " + sizes(slices.Repeat([]int{4}, all/2))
		}
	case full > 0 && d.count(isRing) == 0 && d.count(isLine) == 0:
		d.Kind = HyperX
	case wraps > 0:
		d.Kind = Torus
		if d.count(isRing) == 0 {
			d.Same = "hyperx " + d.sizesText() // a ring of three is three that are all joined
		}
	default:
		d.Kind = Mesh
	}
}

// sortDims sorts the dimensions by falling size.
func (d *dimensioner) sortDims() {
	order := make([]int, len(d.dims))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return d.dims[b].Size - d.dims[a].Size })
	dims := make([]Dimension, len(order))
	for i, from := range order {
		dims[i] = d.dims[from]
	}
	for v, at := range d.coords {
		if at == nil {
			continue
		}
		sorted := make([]int, len(order))
		for i, from := range order {
			sorted[i] = at[from]
		}
		d.coords[v] = sorted
	}
	d.dims = dims
}

func (d *dimensioner) sizesText() string {
	var list []int
	for _, dim := range d.dims {
		list = append(list, dim.Size)
	}
	return sizes(list)
}

// sizes is "4x4x2".
func sizes(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", "x")
}
