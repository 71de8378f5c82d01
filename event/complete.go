package event

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// complete is a fabric as a sweep found it, with what it could not read taken from what
// was known before: nodes that may be there although they did not answer, ports that
// were not read, links of which nobody told.
//
// A node is gone if all that is known around it says so: the ports to which it was
// linked are down, or have other links. As long as one of them is up, or was not read,
// the node stays, and so do the nodes behind it.
func complete(base, now *fabric.Fabric) *fabric.Fabric {
	if now.IsComplete() {
		return now
	}
	c := completion{base: base, now: now, builder: fabric.NewBuilder(), made: map[ib.GUID]*fabric.Node{}}
	c.findDoubtful()
	for n := range now.Nodes() {
		before, _ := base.NodeByGUID(n.GUID())
		c.copyNode(n, before)
	}
	for n := range base.Nodes() {
		if c.doubtful[n] {
			c.copyNode(n, nil)
		}
	}
	c.copyLinks()
	for _, p := range now.Problems() {
		c.builder.AddProblem(p)
	}
	c.builder.SetSweep(now.Sweep())
	return c.builder.Build()
}

// completion is a complete at work.
type completion struct {
	base, now *fabric.Fabric
	doubtful  map[*fabric.Node]bool // nodes of base that were not met, and may be there
	builder   *fabric.Builder
	made      map[ib.GUID]*fabric.Node // the first node with a GUID
}

// verdict is what the port at one end of a link of base says of it now.
type verdict uint8

const (
	unknown   verdict = iota // it was not read, or is up and nobody knows what is behind
	gone                     // its node was not met
	down                     // it is down
	linked                   // the link is there
	elsewhere                // it has another link
)

// ask asks the port that p of base is now.
func (c *completion) ask(p *fabric.Port) verdict {
	n, ok := c.now.NodeByGUID(p.Node().GUID())
	if !ok {
		return gone
	}
	q := n.Port(p.Num())
	switch {
	case q == nil:
		return unknown
	case q.Remote() != nil:
		if r := q.Remote(); r.Num() == p.Remote().Num() && r.Node().GUID() == p.Remote().Node().GUID() {
			return linked
		}
		return elsewhere
	case q.InfoBytes() == nil || q.PhysState() == ib.PhysLinkUp:
		return unknown
	}
	return down
}

// findDoubtful finds the nodes of base that may be there although they were not met:
// those from which links lead to a port of which nothing is known, without a node that
// was met in between.
func (c *completion) findDoubtful() {
	c.doubtful = map[*fabric.Node]bool{}
	var queue []*fabric.Node
	add := func(n *fabric.Node) {
		if !c.doubtful[n] {
			c.doubtful[n] = true
			queue = append(queue, n)
		}
	}
	for l := range c.base.Links() {
		a, b := c.ask(l.A), c.ask(fromB(l))
		if a == gone && b == unknown {
			add(l.A.Node())
		}
		if b == gone && a == unknown {
			add(l.B.Node())
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for p := range n.Ports() {
			if r := p.Remote(); r != nil && c.ask(r) == gone {
				add(r.Node())
			}
		}
	}
}

// fromB is the port at the far end of a link, or the near one where only that knows of
// the link.
func fromB(l fabric.Link) *fabric.Port {
	if l.B.Remote() == nil {
		return l.A
	}
	return l.B
}

// copyNode adds a node. Before is what was known of it, nil for nothing.
func (c *completion) copyNode(n, before *fabric.Node) {
	raw := n.RawInfo()
	m := c.builder.AddNode(&raw)
	if _, twice := c.made[n.GUID()]; twice {
		before = nil
	} else {
		c.made[n.GUID()] = m
	}
	for _, from := range [...]*fabric.Node{n, before} {
		if from != nil && from.HasDescription() {
			desc := from.RawDescription()
			c.builder.SetDescription(m, &desc)
			break
		}
	}
	if info := n.SwitchInfoBytes(); info != nil {
		c.builder.SetSwitchInfo(m, info)
	}
	for _, from := range [...]*fabric.Node{n, before} {
		if from == nil {
			continue
		}
		if f, known := from.Firmware(); known {
			c.builder.SetFirmware(m, f)
			break
		}
	}
	for num := range n.NumPorts() + 1 {
		var was *fabric.Port
		if before != nil {
			was = before.Port(num)
		}
		c.copyPort(m, num, n.Port(num), was)
	}
}

// copyPort adds a port, with the PortInfo that was read, or else the one before.
func (c *completion) copyPort(m *fabric.Node, num int, p, was *fabric.Port) {
	if p == nil && was == nil {
		return
	}
	from := p
	if from == nil || from.InfoBytes() == nil && was != nil {
		from = was
	}
	q := c.builder.Port(m, num)
	if q == nil {
		return
	}
	c.builder.SetPortGUID(q, from.GUID())
	set := func(to func(*fabric.Port, *[mad.DataSize]byte), data *[mad.DataSize]byte) {
		if data != nil {
			to(q, data)
		}
	}
	set(c.builder.SetPortInfo, from.InfoBytes())
	set(c.builder.SetExtendedPortInfo, from.ExtendedInfoBytes())
}

// copyLinks adds the links that were found, and those of before that may be there.
func (c *completion) copyLinks() {
	for l := range c.now.Links() {
		p, q := c.port(l.A), c.port(l.B)
		if p != nil && q != nil && p.Remote() == nil && q.Remote() == nil {
			c.builder.Link(p, q)
		}
	}
	for l := range c.base.Links() {
		p, q := c.port(l.A), c.port(l.B)
		if p == nil || q == nil || p.Remote() != nil || q.Remote() != nil {
			continue
		}
		if a, b := c.ask(l.A), c.ask(fromB(l)); (a == unknown || a == gone) && (b == unknown || b == gone) {
			c.builder.Link(p, q)
		}
	}
}

// port is a port in the completed fabric; nil for one that is not there.
func (c *completion) port(p *fabric.Port) *fabric.Port {
	n := c.made[p.Node().GUID()]
	if n == nil {
		return nil
	}
	return n.Port(p.Num())
}
