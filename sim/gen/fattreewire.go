package gen

import "fmt"

// end is a port of a planned node that still wants a cable.
type end struct{ node, port int }

// wire plans the tree from the top: blocks of one level less, and the top
// switches over them. Up-port u of each block goes to the same top switch.
func (t *fatTree) wire() {
	full := t.blockHosts(t.Levels - 1)
	blocks := (t.Hosts + full - 1) / full
	ups := make([][]end, blocks)
	for i := range ups {
		ups[i] = t.block(t.Levels-1, min(full, t.Hosts-t.planned))
	}
	cables := min(t.Radix/blocks, len(ups[0])) // from each block to each top switch
	for first := 0; first < len(ups[0]); first += cables {
		top := t.addSwitch(t.Levels)
		for i, up := range ups {
			for c, e := range up[first:min(first+cables, len(up))] {
				t.cable(e.node, e.port, top, i*cables+c+1)
			}
		}
	}
}

// blockHosts is how many hosts a full block of that level has.
func (t *fatTree) blockHosts(level int) int {
	n := 1
	if level >= 1 {
		n = t.Radix - t.Uplinks
	}
	for range level - 1 {
		n *= t.half
	}
	return n
}

// block plans a block with that many hosts and gives its up-ports. Level 0 is a
// host, level 1 a leaf switch with hosts, and each level above a row of switches
// over blocks of the level below. A block that is not full lacks blocks below,
// never switches of its own level, so that its up-ports are complete.
func (t *fatTree) block(level, hosts int) []end {
	if level == 0 {
		t.planned++
		return []end{{t.host(fmt.Sprintf("node%0*d", t.digits(), t.planned)), 1}}
	}
	down, up, rows := t.half, t.half, 1
	if level == 1 {
		down, up = t.Radix-t.Uplinks, t.Uplinks
	}
	var row []int
	full := t.blockHosts(level - 1)
	for i := 0; i < down && hosts > 0; i++ {
		n := min(full, hosts)
		below := t.block(level-1, n)
		hosts -= n
		if row == nil {
			rows = len(below)
			row = t.addRow(level, rows)
		}
		for s, e := range below {
			t.cable(e.node, e.port, row[s], i+1)
		}
	}
	ups := make([]end, 0, rows*up)
	for _, s := range row {
		for u := range up {
			ups = append(ups, end{s, down + u + 1})
		}
	}
	return ups
}

func (t *fatTree) addRow(level, count int) []int {
	row := make([]int, count)
	for i := range row {
		row[i] = t.addSwitch(level)
	}
	return row
}

// addSwitch adds a switch, named by its level: leaf, spine, core, and numbers
// for what is between spine and core in very tall trees.
func (t *fatTree) addSwitch(level int) int {
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
	return t.newSwitch(fmt.Sprintf("%s%02d", tier, t.counts[level]), t.Radix)
}

// digits is how long host numbers are: all alike, 4 at least.
func (t *fatTree) digits() int { return max(4, len(fmt.Sprint(t.Hosts))) }
