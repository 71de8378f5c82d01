package cache

// chains are lists of port records, by index, that share something. Taking from
// a list costs the same however long it is, so that a file made to have many
// records alike costs no more than another.
type chains[K comparable] struct {
	head map[K]int32
	next []int32 // by record
}

// newChains makes room for n records.
func newChains[K comparable](n int) *chains[K] {
	return &chains[K]{head: make(map[K]int32), next: make([]int32, n)}
}

// push puts record i at the front of list k.
func (c *chains[K]) push(k K, i int) {
	c.next[i] = -1
	if first, ok := c.head[k]; ok {
		c.next[i] = first
	}
	c.head[k] = int32(i)
}

// pop takes the first record off list k, -1 when there is none.
func (c *chains[K]) pop(k K) int {
	first, ok := c.head[k]
	switch {
	case !ok:
		return -1
	case c.next[first] < 0:
		delete(c.head, k)
	default:
		c.head[k] = c.next[first]
	}
	return int(first)
}
