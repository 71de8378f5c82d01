package verify

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric"
)

// findReplaced finds the planned nodes that are not there and have another one in
// their place: all of their cables that are plugged in lead to it, at the same
// ports, and the plan does not know it. From then on it counts as the planned one.
func (c *checker) findReplaced() {
	known := map[int32]bool{}
	cables := make([][]*wire, len(c.gone))
	for i := range c.planned {
		w := &c.planned[i]
		for _, s := range w.ends {
			if c.node(s) != nil {
				known[s.node] = true
			} else {
				cables[int(s.node)-len(c.nodes)] = append(cables[int(s.node)-len(c.nodes)], w)
			}
		}
	}
	for i, list := range cables {
		id := int32(len(c.nodes) + i)
		by := c.substitute(id, list)
		if by == nil || known[int32(by.Index())] {
			continue
		}
		known[int32(by.Index())] = true
		c.reportReplaced(c.gone[i], by, list)
		for _, w := range list {
			for k := range w.ends {
				if w.ends[k].node == id {
					w.ends[k].node = int32(by.Index())
				}
			}
		}
	}
}

// substitute is the one node that all cables of an absent node lead to, nil for none.
func (c *checker) substitute(id int32, cables []*wire) (by *fabric.Node) {
	for _, w := range cables {
		own, far := w.ends[0], w.ends[1]
		if own.node != id {
			own, far = far, own
		}
		there := c.peer(far)
		if there == nil {
			continue
		}
		if int(own.port) != there.Num() && own.port > 0 || by != nil && by != there.Node() {
			return nil
		}
		by = there.Node()
	}
	return by
}

func (c *checker) reportReplaced(planned End, by *fabric.Node, cables []*wire) {
	f := Finding{Kind: Replaced, Node: by}
	for _, w := range cables {
		f.Cables = append(f.Cables, w.cable)
	}
	now := c.name(by)
	if guid := by.GUID().String(); !strings.Contains(now, guid) {
		now += " (" + guid + ")"
	}
	f.What = fmt.Sprintf("%s is not there; %s has its cables.", planned.node(), now)
	f.Do = []string{
		"If it was replaced on purpose, put the new GUID into the plan.",
		"If not, put the planned node back: " + c.where(cables[0], by) + ".",
	}
	c.add(f)
}

// where says at which port the cable to a node begins.
func (c *checker) where(w *wire, by *fabric.Node) string {
	for _, s := range w.ends {
		if n := c.node(s); n != nil && n != by {
			return "it belongs at " + c.place(s)
		}
	}
	return "it is not clear where"
}
