package topology

import "slices"

// layers finds the layers of a dimension in which all of a row are joined.
func (d *dimensioner) layers(dim int32) bool {
	s := newSets(len(d.adj))
	for e, ends := range d.edges {
		if at := d.dimOf(int32(e)); at >= 0 && at != dim {
			s.join(ends[0], ends[1])
		}
	}
	layer, count := s.number()
	count = dropSmall(layer, count)
	joined := map[[2]int32]bool{}
	for e, ends := range d.edges {
		a, b := layer[ends[0]], layer[ends[1]]
		if d.dimOf(int32(e)) == dim && a >= 0 && b >= 0 && a != b {
			joined[[2]int32{min(a, b), max(a, b)}] = true
		}
	}
	d.dims[dim] = Dimension{Size: count, Full: true}
	d.at[dim] = layer
	return count > 3 && len(joined) == count*(count-1)/2
}

// dropSmall takes out the layers that are far smaller than the largest: single
// switches that lost their links. The others get numbers from 0.
func dropSmall(layer []int32, count int) int {
	size := make([]int, count)
	for _, l := range layer {
		size[l]++
	}
	largest := slices.Max(size)
	number := make([]int32, count)
	kept := int32(0)
	for l, n := range size {
		number[l] = -1
		if 3*n >= largest {
			number[l] = kept
			kept++
		}
	}
	for v := range layer {
		layer[v] = number[layer[v]]
	}
	return int(kept)
}
