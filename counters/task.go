package counters

import (
	"errors"
	"os"
	"slices"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// task reads ports, one after the other, those of one node before the next. It
// has one request in flight.
type task struct {
	request madrpc.Request
	place   int // in Collector.busy

	node      *node
	num       int // port that is being read, or AllPorts
	nth       int // among those of the node
	began     bool
	sample    Sample
	todo      []mad.AttrID // to be asked for
	space     [8]mad.AttrID
	again     []mad.AttrID
	asking    mad.AttrID
	extra     bool // Options.Also has been asked
	redirects int
}

// maxRedirects bounds how often one request is redirected.
const maxRedirects = 4

// advance has the task send its next request; false if it has nothing to do.
func (c *Collector) advance(t *task, now time.Time) bool {
	for {
		switch {
		case t.node == nil:
			if !c.nextNode(t) {
				return false
			}
		case !t.began:
			if !c.nextPort(t, now) {
				c.release(t)
			}
		case c.asks(t, now):
			return true
		default:
			c.endSample(t)
		}
	}
}

// nextNode gives the task a node that nobody has begun, else one to help with.
func (c *Collector) nextNode(t *task) bool {
	if c.fresh < len(c.nodes) {
		n := c.nodes[c.fresh]
		c.fresh++
		c.helped = append(c.helped, n)
		c.assign(t, n)
		return true
	}
	n := c.toHelp()
	if n != nil {
		c.assign(t, n)
	}
	return n != nil
}

func (c *Collector) assign(t *task, n *node) {
	t.node, t.began = n, false
	if !n.begun {
		n.begun = true
		c.pass.Nodes++
	}
	n.tasks++
}

// release takes the task off its node; the last one ends it.
func (c *Collector) release(t *task) {
	n := t.node
	t.node = nil
	if n.tasks--; n.tasks == 0 && n.isFinished(c.opts.Ports) && c.opts.Done != nil {
		c.opts.Done(n.model)
	}
}

// nextPort begins the next port of the node.
func (c *Collector) nextPort(t *task, now time.Time) bool {
	n := t.node
	if n.sums && n.caps.Known {
		n.sums = false
		if n.caps.AllPortSelect() {
			t.beginPort(c, int(pma.AllPorts), -1, now)
			return true
		}
	}
	num, nth, ok := n.take(c.opts.Ports)
	if !ok {
		return false
	}
	t.beginPort(c, num, nth, now)
	return true
}

func (t *task) beginPort(c *Collector, num, nth int, now time.Time) {
	t.num, t.nth, t.began, t.extra, t.redirects = num, nth, true, false, 0
	n := t.node
	if !n.isSwitch() || n.toldOf == 0 {
		n.turnTo(agentLID(n.model, num))
	}
	t.sample.begin(n.model, num, n.caps, now)
	t.todo = nil
	if n.caps.Known || n.asked {
		t.plan(c)
	} else {
		t.todo = append(t.space[:0], pma.AttrClassPortInfo)
	}
}

// plan lists what is to be asked about the port.
func (t *task) plan(c *Collector) {
	n := t.node
	t.todo = n.attributes(c.opts.Want, t.space[:0])
	if t.num == int(pma.AllPorts) {
		return
	}
	n.open = true
	for _, attr := range c.opts.Attributes {
		if !n.caps.Lacks.Has(attr) {
			t.todo = append(t.todo, attr)
		}
	}
}

// asks has the task send the next request about its port; false if it is done.
func (c *Collector) asks(t *task, now time.Time) bool {
	for {
		if len(t.todo) == 0 && !t.extra && c.opts.Also != nil && t.sample.Has != 0 {
			t.extra = true
			t.todo = append(t.space[:0], c.opts.Also(&t.sample)...)
		}
		if len(t.todo) == 0 {
			return false
		}
		attr := t.todo[0]
		t.todo = t.todo[1:]
		if t.mayLack(c, attr) && t.node.caps.Lacks.Has(attr) {
			continue
		}
		why := t.node.skips(attr)
		if why == nil {
			c.ask(t, attr)
			return true
		}
		if attr == pma.AttrClassPortInfo { // without a LID
			t.node.asked = true
			t.plan(c)
			continue
		}
		c.note(t, attr, why)
		if !errors.Is(why, ErrNoAnswer) {
			t.todo, t.extra = nil, true
		}
	}
}

func (c *Collector) ask(t *task, attr mad.AttrID) {
	t.asking = attr
	r := &t.request
	n := t.node
	if r.Target = n.other; n.other == (mad.Target{}) {
		r.Target = mad.Target{LID: n.toldOf}
		if c.opts.ServiceLevel != nil {
			r.Target.SL = c.opts.ServiceLevel(n.toldOf)
		}
	}
	r.Packet.Init(mad.ClassPerf, mad.MethodGet, attr, 0)
	num := t.num
	if attr == pma.AttrClassPortInfo && n.isSwitch() {
		num = 0
	}
	r.Packet.Data()[1] = uint8(num)
	c.pass.Requests++
	c.queue.Start(r)
}

// finish takes in what has come of the task's request.
func (c *Collector) finish(t *task, now time.Time) {
	n, r := t.node, &t.request
	t.sample.After = now
	if r.Err != nil && t.redirected() {
		return
	}
	c.pass.Resent += max(r.Tries-1, 0)
	if r.Err != nil && errors.Is(r.Err, os.ErrDeadlineExceeded) {
		c.pass.TimedOut++
		if t.mayLack(c, t.asking) {
			n.caps.Lacks.add(t.asking)
			return
		}
		n.missed(t.asking)
	} else {
		n.answered(t.asking)
	}
	switch {
	case r.Err == nil:
	case t.isOptional(c) && isUnsupported(r.Err):
		n.caps.Lacks.add(t.asking)
		return
	default:
		c.note(t, t.asking, r.Err)
	}
	switch {
	case t.asking == pma.AttrClassPortInfo:
		c.finishAgent(t)
	case r.Err == nil:
		t.sample.take(t.asking, r.Packet.Data())
	}
}

// redirected has the request sent again if its reply names another agent.
func (t *task) redirected() bool {
	to, ok := madrpc.Redirected(&t.request)
	if !ok || t.redirects == maxRedirects {
		return false
	}
	t.redirects++
	t.node.other = to
	t.todo = append(append(t.again[:0], t.asking), t.todo...)
	return true
}

// isOptional reports whether what the task has asked for need not be there.
func (t *task) isOptional(c *Collector) bool {
	if t.extra {
		return t.mayLack(c, t.asking)
	}
	return t.asking < maxAttr && slices.Contains(c.opts.Attributes, t.asking)
}

// mayLack reports whether an attribute is one that Options.Also has told, and need not
// be there.
func (t *task) mayLack(c *Collector, attr mad.AttrID) bool {
	return t.extra && attr < maxAttr && slices.Contains(c.opts.Optional, attr)
}

func isUnsupported(err error) bool { return errors.Is(err, mad.StatusUnsupportedAttr) }

// finishAgent takes in a ClassPortInfo, or goes on without.
func (c *Collector) finishAgent(t *task) {
	n := t.node
	n.asked = true
	if t.request.Err == nil {
		var info pma.ClassPortInfo
		if info.UnmarshalBinary(t.request.Packet.Data()) == nil {
			n.caps = Agent{Known: true, CapMask: info.CapMask, CapMask2: info.CapMask2, Lacks: n.caps.Lacks}
		}
	}
	t.sample.Agent = n.caps
	if n.sums && n.caps.AllPortSelect() { // before the port that was begun
		n.next, n.nth, t.began = n.first(), 0, false
		return
	}
	n.sums = false
	t.plan(c)
}

// note keeps a problem of the port.
func (c *Collector) note(t *task, attr mad.AttrID, why error) {
	p := Problem{Node: t.node.model, Port: t.num, Attr: attr, Err: why}
	if errors.Is(why, ErrSilent) || errors.Is(why, ErrNoLID) {
		p.Attr = 0
	}
	if attr == pma.AttrClassPortInfo && t.node.isSwitch() {
		p.Port = 0
	}
	if t.sample.Err == nil && attr != pma.AttrClassPortInfo {
		t.sample.Err = &p
	}
	if t.num == int(pma.AllPorts) && !p.Asked() {
		return // the ports will say so
	}
	c.pass.Problems = append(c.pass.Problems, p)
}

// endSample hands over what was read of the port.
func (c *Collector) endSample(t *task) {
	if !t.began {
		return
	}
	t.began = false
	s := &t.sample
	s.Agent.Lacks = t.node.caps.Lacks
	if t.num == int(pma.AllPorts) {
		if s.Err == nil && !c.opts.Sum(s) {
			c.skipPorts(t.node)
		}
		return
	}
	c.pass.Ports++
	if s.Err != nil {
		c.pass.Unread++
	}
	if c.opts.Each != nil {
		c.opts.Each(s)
		return
	}
	s.copyTo(&c.pass.Samples[t.node.place+t.nth])
}

// skipPorts leaves out what has not been begun of a node.
func (c *Collector) skipPorts(n *node) { n.next = n.last() + 1 }

// giveUp notes the ports of the task's node that have not been begun, and
// releases it.
func (c *Collector) giveUp(t *task, why error) {
	for {
		num, nth, ok := t.node.take(c.opts.Ports)
		if !ok {
			break
		}
		t.num, t.nth, t.began = num, nth, true
		t.sample.begin(t.node.model, num, t.node.caps, c.pass.Started)
		c.note(t, 0, why)
		c.endSample(t)
	}
	c.release(t)
}
