package counters

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// maxMisses is how many requests in a row may go without a reply before no more
// are sent: to a node, and of one attribute.
const maxMisses = 2

// node is what a collector knows of one node.
type node struct {
	model *fabric.Node
	place int // of its first sample
	caps  Agent

	// The rest is about one pass.

	next   int // port to begin next
	nth    int // how many have been begun
	begun  bool
	open   bool // more tasks may come and help
	sums   bool // the sums are to be read first
	tasks  int
	toldOf ib.LID // the agent that misses and asked are about
	misses int    // requests in a row without a reply
	asked  bool   // what the agent can do
	failed [maxAttr]uint8
	other  mad.Target // where the agent redirects to
}

// maxAttr is beyond the identifiers of all attributes.
const maxAttr = 0x40

// reset makes the node ready for a pass.
func (n *node) reset(sums bool) {
	*n = node{model: n.model, place: n.place, caps: n.caps, next: n.first(), sums: sums}
}

// first is the number of the first port.
func (n *node) first() int {
	if info, ok := n.model.SwitchInfo(); ok && info.EnhancedPort0 && n.model.Type() == ib.NodeSwitch {
		return 0
	}
	return 1
}

// isSwitch: a switch has one agent for all its ports.
func (n *node) isSwitch() bool { return n.model.Type() == ib.NodeSwitch }

// last is the number of the last port. AllPorts is the number of none.
func (n *node) last() int { return min(n.model.NumPorts(), int(pma.AllPorts)-1) }

// take gives the next port to read.
func (n *node) take(choose func(*fabric.Port) bool) (num, nth int, ok bool) {
	for ; n.next <= n.last(); n.next++ {
		p := n.model.Port(n.next)
		if p == nil || choose != nil && !choose(p) {
			continue
		}
		n.next++
		n.nth++
		return n.next - 1, n.nth - 1, true
	}
	return 0, 0, false
}

// isFinished reports whether no port is left to begin.
func (n *node) isFinished(choose func(*fabric.Port) bool) bool {
	for ; n.next <= n.last(); n.next++ {
		if p := n.model.Port(n.next); p != nil && (choose == nil || choose(p)) {
			return false
		}
	}
	return true
}

// agentLID is where the agent is that answers for a port, or for all of a node.
func agentLID(n *fabric.Node, num int) ib.LID {
	if p := n.Port(num); p != nil {
		return p.LID()
	}
	for p := range n.Ports() {
		if lid := p.LID(); lid != 0 {
			return lid
		}
	}
	return 0
}

// turnTo begins anew with the agent at another LID of an adapter: that another
// port does not answer means nothing for this one.
func (n *node) turnTo(lid ib.LID) {
	if n.toldOf == lid {
		return
	}
	n.toldOf, n.misses, n.asked, n.other = lid, 0, false, mad.Target{}
	clear(n.failed[:])
}

// answered and missed keep count of replies.
func (n *node) answered(attr mad.AttrID) {
	n.misses = 0
	if attr < maxAttr {
		n.failed[attr] = 0
	}
}

func (n *node) missed(attr mad.AttrID) {
	n.misses++
	if attr < maxAttr && n.failed[attr] < maxMisses {
		n.failed[attr]++
	}
}

// skips is why an attribute is not asked for, nil if it is.
func (n *node) skips(attr mad.AttrID) error {
	switch {
	case n.toldOf == 0:
		return ErrNoLID
	case n.misses >= maxMisses:
		return ErrSilent
	case attr < maxAttr && n.failed[attr] >= maxMisses:
		return ErrNoAnswer
	}
	return nil
}

// attributes are those that hold the wanted counters.
func (n *node) attributes(want Set, list []mad.AttrID) []mad.AttrID {
	has := n.caps.extended()
	if want&has != 0 {
		list = append(list, pma.AttrPortCountersExtended)
	}
	if want&n.caps.basic()&^has != 0 {
		list = append(list, pma.AttrPortCounters)
	}
	return list
}
