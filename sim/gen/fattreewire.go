package gen

import "fmt"

// end is a port of a planned node that still wants a cable.
type end struct{ node, port int }

// wire plans the tree from the top: blocks of one level less, and the top
// switches over them. Up-port u of each block goes to the same top switch.
func (t *fatTree) wire() {
	if t.Levels == 1 {
		t.leaf(0)
		return
	}
	leaves, full := t.leafCount(), t.blockLeaves(t.Levels-1)
	blocks := ceil(leaves, full)
	ups := make([][]end, blocks)
	for i := range ups {
		ups[i] = t.block(t.Levels-1, i*full, min(full, leaves-i*full))
	}
	cables := min(t.Radix/blocks, len(ups[0])) // from each block to each top switch
	for first := 0; first < len(ups[0]); first += cables {
		top := t.addTier(t.Levels)
		for i, up := range ups {
			for c, e := range up[first:min(first+cables, len(up))] {
				t.cable(e.node, e.port, top, i*cables+c+1)
			}
		}
	}
}

// block plans a block with that many leaves from leaf first on, and gives its
// up-ports. Level 1 is a leaf switch with hosts, and each level above a row of
// switches over blocks of the level below. A block that is not full lacks blocks
// below, never switches of its own level, so that its up-ports are complete.
func (t *fatTree) block(level, first, leaves int) []end {
	if level == 1 {
		return t.leaf(first)
	}
	var row []int
	full := t.blockLeaves(level - 1)
	for i := 0; i*full < leaves; i++ {
		below := t.block(level-1, first+i*full, min(full, leaves-i*full))
		if row == nil {
			row = t.addRow(level, len(below))
		}
		for s, e := range below {
			t.cable(e.node, e.port, row[s], i+1)
		}
	}
	ups := make([]end, 0, len(row)*t.half)
	for _, s := range row {
		for u := range t.half {
			ups = append(ups, end{s, t.half + u + 1})
		}
	}
	return ups
}

// leaf plans a leaf switch with its hosts and gives its up-ports. The first host
// comes before the switch.
func (t *fatTree) leaf(num int) []end {
	sw := -1
	for i := range t.down() {
		host, hca, ok := t.seat(num, i)
		if !ok {
			break
		}
		e := t.host(host, hca)
		if sw < 0 {
			sw = t.addTier(1)
		}
		t.cable(e.node, e.port, sw, i+1)
	}
	var ups []end
	for port := t.down() + 1; port <= t.Radix; port++ {
		ups = append(ups, end{sw, port})
	}
	return ups
}

func (t *fatTree) addRow(level, count int) []int {
	row := make([]int, count)
	for i := range row {
		row[i] = t.addTier(level)
	}
	return row
}

// addTier adds a switch, named by its level: leaf, spine, core, and numbers
// for what is between spine and core in very tall trees.
func (t *fatTree) addTier(level int) int {
	t.counts[level]++
	tier := "leaf"
	switch {
	case level >= 3 && level == t.Levels:
		tier = "core"
	case level == 2:
		tier = "spine"
	case level > 2:
		tier = fmt.Sprintf("tier%d-", level)
	}
	return t.tier(fmt.Sprintf("%s%s%02d", t.prefix, tier, t.counts[level]), t.Radix)
}

// addHCA adds an adapter of a host.
func (t *fatTree) addHCA(host, hca int) end {
	return end{t.adapter(fmt.Sprintf("node%0*d", digits(t.Hosts), host+1), hca), 1}
}
