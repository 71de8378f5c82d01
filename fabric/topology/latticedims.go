package topology

import (
	"cmp"
	"slices"
)

// number gives the dimensions their numbers. What was joined so far may be pieces
// of them, torn apart by what is missing. The largest piece is the first dimension.
// A piece that crosses all dimensions is another one; one that crosses all but one
// is part of that one.
func (d *dimensioner) number(s sets, crossing map[[2]int32]int) bool {
	of, count := s.number()
	edges := make([]int, count)
	for c, n := range d.sizes {
		edges[of[c]] += n
	}
	cross := make([]map[int32]int, count)
	for i := range cross {
		cross[i] = map[int32]int{}
	}
	for k, n := range crossing {
		if a, b := of[k[0]], of[k[1]]; a != b {
			cross[a][b] += n
			cross[b][a] += n
		}
	}
	dims := d.assign(edges, cross)
	d.dim = make([]int32, len(d.sizes))
	for c := range d.sizes {
		d.dim[c] = dims[of[c]]
	}
	most := int32(-1)
	for _, dim := range dims {
		most = max(most, dim)
	}
	d.dims = make([]Dimension, most+1)
	return most > 0 && most < maxDims
}

// assign finds the dimension of each piece, -1 for none.
func (d *dimensioner) assign(edges []int, cross []map[int32]int) []int32 {
	order, dims := make([]int32, len(edges)), make([]int32, len(edges))
	for i := range order {
		order[i], dims[i] = int32(i), -1
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(edges[b], edges[a]) })
	count := 0
	for again := true; again; {
		again = false
		for _, g := range order {
			if dims[g] >= 0 {
				continue
			}
			crosses := make([]bool, count)
			for other := range cross[g] {
				if dims[other] >= 0 {
					crosses[dims[other]] = true
				}
			}
			free := -1 // the dimension that it does not cross
			several := false
			for dim, is := range crosses {
				if !is {
					several = several || free >= 0
					free = dim
				}
			}
			switch {
			case several:
				continue
			case free >= 0:
				dims[g] = int32(free)
			case 4*edges[g] < len(d.adj) || count >= maxDims:
				continue // each dimension has a link for every second switch
			default:
				dims[g] = int32(count)
				count++
			}
			again = true
		}
	}
	return dims
}
