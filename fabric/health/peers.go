package health

// Peers are compared by what most of them have: at least minPeers of them, and two
// thirds of these.
const minPeers = 3

// usual is the number that at least two thirds of a group have, false where there
// is none, or where the group is too small to tell.
func usual(numbers []int) (int, bool) {
	if len(numbers) < minPeers {
		return 0, false
	}
	count := map[int]int{}
	for _, n := range numbers {
		count[n]++
		if 3*count[n] >= 2*len(numbers) {
			return n, true
		}
	}
	return 0, false
}

// group keeps the members of groups, and the groups in the order of their first ones.
type group[K comparable, V any] struct {
	order   []K
	members map[K][]V
}

func (g *group[K, V]) add(key K, v V) {
	if g.members == nil {
		g.members = map[K][]V{}
	}
	if _, ok := g.members[key]; !ok {
		g.order = append(g.order, key)
	}
	g.members[key] = append(g.members[key], v)
}
