package verify

import "fmt"

// gatherNodes makes one finding of a node's missing cables, if it is not there and
// has several.
func (c *checker) gatherNodes() {
	total, ends := map[int32]int{}, map[*Cable][2]spot{}
	for i := range c.planned {
		ends[c.planned[i].cable] = c.planned[i].ends
		for _, s := range c.planned[i].ends {
			if c.node(s) == nil {
				total[s.node]++
			}
		}
	}
	missing := map[int32][]int{}
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		if f.Kind != Missing {
			continue
		}
		for _, s := range ends[f.Cables[0]] {
			if c.node(s) == nil {
				missing[s.node] = append(missing[s.node], i)
			}
		}
	}
	drop := map[int]bool{}
	for id := range int32(len(c.gone)) {
		id += int32(len(c.nodes))
		if list := missing[id]; len(list) > 1 && len(list) == total[id] && !drop[list[0]] {
			c.gather(id, list, drop)
		}
	}
	kept := c.report.Findings[:0]
	for i, f := range c.report.Findings {
		if !drop[i] {
			kept = append(kept, f)
		}
	}
	c.report.Findings = kept
}

// gather makes the first of the findings one about the node.
func (c *checker) gather(id int32, list []int, drop map[int]bool) {
	f := &c.report.Findings[list[0]]
	f.Kind = MissingNode
	f.What = fmt.Sprintf("%s is not there, and none of its %d cables.", c.gone[int(id)-len(c.nodes)].node(), len(list))
	f.Do = []string{"Look whether it has power; its ports may also be disabled."}
	for _, i := range list[1:] {
		f.Cables = append(f.Cables, c.report.Findings[i].Cables...)
		drop[i] = true
	}
}
