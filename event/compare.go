package event

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/diff"
	"github.com/ibscope/ibscope/ib"
)

// comparison is what is different in a fabric since the last sweep.
type comparison struct {
	*Detector
	was, is *fabric.Fabric
	when    span // between the begin of the last sweep and the end of this one

	goneNodes, newNodes map[*fabric.Node]bool
	gone, come          []*fabric.Node // in order
	replaced            []diff.Change
	replacing           map[*fabric.Node]bool // the new ones
	changed             []diff.Change         // of nodes
	lost, found, moved  []diff.Change         // links
	rates, ports        []diff.Change
}

// compare tells what is different in now, and makes it what is known.
func (d *Detector) compare(now *fabric.Fabric, when span) {
	c := &comparison{
		Detector: d, was: d.base, is: now, when: when,
		goneNodes: map[*fabric.Node]bool{}, newNodes: map[*fabric.Node]bool{}, replacing: map[*fabric.Node]bool{},
	}
	d.base = now
	for _, change := range diff.Compare(c.was, now, nil) {
		c.sort(change)
	}
	c.nodesReplaced()
	c.nodesGone()
	c.nodesCome()
	c.linksMoved()
	c.linksLost()
	c.linksFound()
	c.ratesChanged()
	c.nodesChanged()
	c.portsChanged()
}

// sort puts a change to its like.
func (c *comparison) sort(change diff.Change) {
	switch change.Subject {
	case diff.Node:
		switch change.Op {
		case diff.Replaced:
			c.replaced = append(c.replaced, change)
			c.replacing[change.B.Node] = true
		case diff.OnlyA:
			c.gone = append(c.gone, change.A.Node)
			c.goneNodes[change.A.Node] = true
		case diff.OnlyB:
			c.come = append(c.come, change.B.Node)
			c.newNodes[change.B.Node] = true
		default:
			c.changed = append(c.changed, change)
		}
	case diff.Link:
		switch change.Op {
		case diff.OnlyA:
			c.lost = append(c.lost, change)
		case diff.OnlyB:
			c.found = append(c.found, change)
		case diff.Moved:
			c.moved = append(c.moved, change)
		default:
			c.rates = append(c.rates, change)
		}
	case diff.Port:
		c.ports = append(c.ports, change)
	}
}

// nodesReplaced tells of nodes in whose place there is another one.
func (c *comparison) nodesReplaced() {
	for _, change := range c.replaced {
		c.nodeReplaced(change.B.Node, c.node(change.A.Node), 0)
	}
}

// nodeReplaced tells that a node is where old was.
func (c *comparison) nodeReplaced(n *fabric.Node, old End, again uint64) {
	e := Event{Kind: NodeReplaced, Since: c.when.from, Old: short(old) + " " + old.GUID.String(), Again: again}
	c.place(&e, n)
	e.New = short(c.node(n)) + " " + n.GUID().String()
	c.add(e)
	for p := range n.Ports() {
		if r := p.Remote(); r != nil {
			was, is := between(portKey{old.GUID, p.Num()}, portOf(r)), between(portOf(p), portOf(r))
			c.wentDown(was, c.unplugged())
			c.cameUp(was)
			c.wentDown(is, c.unplugged())
			c.cameUp(is)
			c.checkRate(is, p)
		}
	}
	delete(c.nodes, old.GUID)
}

// nodesChanged tells of other descriptions, and of firmware: a device that runs another
// one has been started again.
func (c *comparison) nodesChanged() {
	for _, change := range c.changed {
		if change.Field == diff.Description {
			e := Event{Kind: NodeRenamed, Since: c.when.from, Field: string(change.Field), Old: change.Old, New: change.New}
			c.place(&e, change.B.Node)
			e.Links = nil
			c.add(e)
		}
		if change.Field == diff.Firmware {
			c.firmwareChanged(change)
		}
	}
}

// firmwareChanged tells that a node runs another firmware. Where it is known already that
// it was started again, this follows on that.
func (c *comparison) firmwareChanged(change diff.Change) {
	n := change.B.Node
	e := Event{Kind: NodeRebooted, Since: c.devices[n.GUID()].At, Field: string(change.Field), Old: change.Old, New: change.New}
	if r := c.rebooted[n.GUID()]; r != nil {
		e.Again = r.id
	}
	c.place(&e, n)
	c.add(e)
}

// portsChanged tells of other LIDs, and notes which links are not active.
func (c *comparison) portsChanged() {
	for _, change := range c.ports {
		switch {
		case change.Op != diff.Differs:
		case change.Field == diff.LID:
			c.lidChanged(change.A.Port.LID(), change.B.Port)
		case change.Field == diff.State && change.B.Peer != nil:
			c.noteIdle(change.B.Port)
		}
	}
}

// lidChanged tells of another LID. A port that has lost its LID waits for one: only
// another one than before is worth a word.
func (c *comparison) lidChanged(before ib.LID, p *fabric.Port) {
	k := portOf(p)
	now := p.LID()
	if now == 0 {
		if len(c.lids) > maxGone {
			clear(c.lids) // nodes that have lost it and never came back
		}
		c.lids[k] = before
		return
	}
	if before == 0 {
		before = c.lids[k]
	}
	delete(c.lids, k)
	if before == 0 || before == now {
		return
	}
	e := Event{Kind: LIDChanged, Since: c.when.from, Field: string(diff.LID), Old: before.String(), New: now.String()}
	if p.Node().Type() == ib.NodeSwitch {
		e.At = c.node(p.Node())
	} else {
		e.At, e.To = c.port(p), c.port(p.Remote())
	}
	c.add(e)
}
