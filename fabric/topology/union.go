package topology

// sets are disjoint sets of numbers, joined as they turn out to be one.
type sets []int32

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// find is the number that stands for the set of i.
func (s sets) find(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join makes one set of two; the lower number stands for it.
func (s sets) join(a, b int32) {
	a, b = s.find(a), s.find(b)
	s[max(a, b)] = min(a, b)
}

// number gives each set a number from 0, in the order of their lowest members.
func (s sets) number() (of []int32, count int) {
	of = make([]int32, len(s))
	for i := range s {
		if root := s.find(int32(i)); root == int32(i) {
			of[i] = int32(count)
			count++
		} else {
			of[i] = of[root]
		}
	}
	return of, count
}
