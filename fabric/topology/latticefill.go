package topology

import "slices"

// fill gives switches without a point one that is free and next to most of their
// neighbours, where there is only one such. taken is the points in use, by number.
func (d *dimensioner) fill(taken map[int]bool) {
	for again := true; again; {
		again = false
		for v := range d.adj {
			if d.coords[v] != nil {
				continue
			}
			if at := d.freePoint(int32(v), taken); at != nil {
				d.coords[v] = at
				taken[d.point(at)] = true
				again = true
			}
		}
	}
}

// freePoint is the only free point that is next to most of a switch's neighbours.
func (d *dimensioner) freePoint(v int32, taken map[int]bool) []int {
	votes := map[int]int{}
	points := map[int][]int{}
	for _, a := range d.adj[v] {
		if d.coords[a.to] == nil {
			continue
		}
		for _, at := range d.around(d.coords[a.to]) {
			if p := d.point(at); !taken[p] {
				votes[p]++
				points[p] = at
			}
		}
	}
	best, most, equal := 0, 0, false
	for p, n := range votes {
		switch {
		case n > most:
			best, most, equal = p, n, false
		case n == most:
			equal = true
		}
	}
	if most < 2 || equal {
		return nil
	}
	return points[best]
}

// around lists the points next to one in the linear dimensions.
func (d *dimensioner) around(at []int) (list [][]int) {
	for i, dim := range d.dims {
		for _, step := range [...]int{-1, 1} {
			to := at[i] + step
			switch {
			case dim.Full, !dim.Wrap && (to < 0 || to >= dim.Size), dim.Size == 2 && to != 1-at[i]:
				continue
			case dim.Wrap:
				to = (to + dim.Size) % dim.Size
			}
			next := slices.Clone(at)
			next[i] = to
			list = append(list, next)
		}
	}
	return list
}

// point is the number of a point of the lattice.
func (d *dimensioner) point(at []int) (n int) {
	for i, dim := range d.dims {
		n = n*dim.Size + at[i]
	}
	return n
}
