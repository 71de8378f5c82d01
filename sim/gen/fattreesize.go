package gen

// down is the number of ports for hosts of a leaf switch.
func (t *fatTree) down() int {
	if t.Levels == 1 {
		return t.Radix
	}
	return t.Radix - t.Uplinks
}

// perLeaf is the number of adapters of one host on one leaf.
func (t *fatTree) perLeaf() int {
	if t.Rails == 1 {
		return 1 // hosts with several may be on two leaves
	}
	return t.HCAs / t.Rails
}

// capacity is how many hosts fit, or some number above maxHosts.
func (t *fatTree) capacity() int {
	leaves := 1
	if t.Levels > 1 {
		leaves = t.Radix
	}
	for range t.Levels - 2 {
		if leaves > maxHosts {
			break
		}
		leaves *= t.half
	}
	if t.Rails == 1 {
		return leaves * t.down() / t.HCAs
	}
	return leaves / t.Rails * (t.down() / t.perLeaf())
}

// leafCount is how many leaf switches the hosts need.
func (t *fatTree) leafCount() int {
	if t.Rails == 1 {
		return ceil(t.Hosts*t.HCAs, t.down())
	}
	return ceil(t.Hosts, t.down()/t.perLeaf()) * t.Rails
}

// switchCount is about how many switches the tree has.
func (t *fatTree) switchCount() int {
	n, row := 0, 1
	for level := 1; level < t.Levels; level++ {
		n += ceil(t.leafCount(), t.blockLeaves(level)) * row
		if level == 1 {
			row = t.Uplinks
		} else {
			row *= t.half
		}
		if n > maxPorts || row > maxPorts {
			return maxPorts
		}
	}
	return n + row
}

// blockLeaves is how many leaves a full block of that level has.
func (t *fatTree) blockLeaves(level int) int {
	n := 1
	for range level - 1 {
		n *= t.half
		if n > maxHosts {
			break
		}
	}
	return n
}

// seat is the adapter on port i of a leaf, both from 0; false when the port
// stays free.
func (t *fatTree) seat(leaf, i int) (host, hca int, ok bool) {
	if t.Rails == 1 {
		n := leaf*t.down() + i
		return n / t.HCAs, n % t.HCAs, n < t.Hosts*t.HCAs
	}
	group, rail, each := leaf/t.Rails, leaf%t.Rails, t.perLeaf()
	inGroup := t.down() / each
	host = group*inGroup + i/each
	return host, rail + i%each*t.Rails, i/each < inGroup && host < t.Hosts
}

// ceil is n/d, rounded up.
func ceil(n, d int) int { return (n + d - 1) / d }
