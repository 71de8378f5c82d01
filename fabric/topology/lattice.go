package topology

// lattice reports whether the switches are the points of a lattice, and gives
// them coordinates.
//
// In a lattice each link belongs to one dimension. The opposite links of a square
// are in one dimension, and so are all links of a triangle. This puts the links
// between two neighbouring layers into one class. Classes of two dimensions cross
// in squares; those of one dimension meet without a square, which joins them to
// the dimension. The layers of a dimension are then what the links of the others
// hold together, where all of a row are joined; lines and rings have a direction,
// and places are counted along it. Links and switches that are missing break some
// squares, but far from all.
func (p *part) lattice() bool {
	if p.row() {
		return true
	}
	d := dimensioner{part: p}
	if !d.classes() || !d.join() {
		return false
	}
	d.findLinear()
	d.lift()
	for dim := range d.dims {
		if !d.linear[dim] && !d.layers(int32(dim)) {
			return false
		}
	}
	if !d.check() {
		return false
	}
	d.pairUp()
	d.name()
	return true
}

// row handles lattices of one dimension: a line, a ring, or all joined.
func (p *part) row() bool {
	n, m := len(p.adj), len(p.edges)
	ends, most := 0, 0
	for v := range p.adj {
		most = max(most, len(p.adj[v]))
		if len(p.adj[v]) == 1 {
			ends++
		}
	}
	switch {
	case most <= 2 && m >= n-1:
		p.setRow(Dimension{Size: n, Wrap: m == n && n > 2})
		p.Kind = Mesh
		if m == n {
			p.Kind = Torus
		}
	case n > 3 && float64(m) >= goodFit*float64(n*(n-1)/2):
		p.setRow(Dimension{Size: n, Full: true})
		p.Kind = HyperX
	default:
		return false
	}
	return true
}

// setRow numbers the switches along a line or ring from an end of it.
func (p *part) setRow(d Dimension) {
	p.fits = func(*part, [2]int32) bool { return true }
	p.setFit(p.misfits())
	p.Dims = []Dimension{d}
	start := int32(0)
	for v := range p.adj {
		if len(p.adj[v]) == 1 {
			start = int32(v)
			break
		}
	}
	p.coords = make([][]int, len(p.adj))
	if d.Full {
		for v := range p.coords {
			p.coords[v] = []int{v}
		}
		return
	}
	for v, at := start, 0; v >= 0; at++ {
		p.coords[v] = []int{at}
		next := int32(-1)
		for _, a := range p.adj[v] {
			if p.coords[a.to] == nil {
				next = a.to
				break
			}
		}
		v = next
	}
}
