package sim

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Bounds of the traps.
const (
	minTrapInterval = 100 * time.Millisecond
	maxTrapInterval = 10 * time.Second
	maxTraps        = 1 << 16 // that wait for a TrapRepress
)

// traps are the notices that wait for a TrapRepress. One timer repeats them
// all; it runs only while there are some.
type traps struct {
	sim *Fabric

	hasNew atomic.Bool // flush has something to do

	mu      sync.Mutex
	isEnded bool
	lastTID uint64
	timer   *time.Timer
	byTID   map[uint64]*trap
	waiting map[trapKey]*trap
}

// trapKey tells notices apart: one that is already waiting is not sent twice.
type trapKey struct {
	from   *port
	notice [mad.DataSize]byte
}

type trap struct {
	trapKey
	tid uint64
	due time.Time // zero until it was sent first
}

// add queues a notice of port from, which has a LID. flush sends it.
func (t *traps) add(from *port, notice *smp.Notice) {
	if t.sim.opts.NoTraps || !from.canTrap() {
		return
	}
	notice.IsGeneric = true
	notice.ProducerType = uint32(from.node.model.Type())
	notice.IssuerLID = from.lid()
	key := trapKey{from: from}
	notice.Encode(&key.notice)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isEnded || len(t.waiting) >= maxTraps || t.waiting[key] != nil {
		return
	}
	if t.waiting == nil {
		t.waiting, t.byTID = map[trapKey]*trap{}, map[uint64]*trap{}
	}
	t.lastTID++
	n := &trap{trapKey: key, tid: t.lastTID}
	t.waiting[key], t.byTID[n.tid] = n, n
	t.hasNew.Store(true)
}

// canTrap reports whether the port sends traps and knows to whom.
func (p *port) canTrap() bool {
	raw := p.raw()
	return raw != nil && be.Uint32(raw[offCapMask:])&smp.CapTrap != 0 && be.Uint16(raw[offSMLID:]) != 0 &&
		p.lid() != 0 && !p.node.isDead.Load()
}

// flush sends what add has queued. Nobody may hold Fabric.mu.
func (t *traps) flush() {
	if t.hasNew.Load() && t.hasNew.CompareAndSwap(true, false) {
		t.sendDue()
	}
}

// sendDue sends the traps whose time has come, and sets the timer for the rest.
// No lock is held while they are sent: who gets one may answer at once.
func (t *traps) sendDue() {
	for _, n := range t.takeDue() {
		if !t.sim.sendTrap(n) {
			t.mu.Lock()
			t.drop(n)
			t.mu.Unlock()
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setTimer()
}

// takeDue lists what is due, in the order in which it came about, and sets when
// it will be again.
func (t *traps) takeDue() []*trap {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	var due []*trap
	for _, n := range t.waiting {
		if !n.due.After(now) {
			n.due = now.Add(n.from.trapInterval())
			due = append(due, n)
		}
	}
	slices.SortFunc(due, func(a, b *trap) int { return cmp.Compare(a.tid, b.tid) })
	return due
}

// setTimer lets sendDue run when the next trap is due.
func (t *traps) setTimer() {
	if t.timer != nil {
		t.timer.Stop()
	}
	if len(t.waiting) == 0 || t.isEnded {
		return
	}
	var next time.Time
	for _, n := range t.waiting {
		if next.IsZero() || n.due.Before(next) {
			next = n.due
		}
	}
	wait := max(time.Until(next), 0)
	if t.timer == nil {
		t.timer = time.AfterFunc(wait, t.sendDue)
	} else {
		t.timer.Reset(wait)
	}
}

func (t *traps) drop(n *trap) {
	delete(t.waiting, n.trapKey)
	delete(t.byTID, n.tid)
}

// trapInterval is the time between the traps of a port: SubnetTimeout, within
// sane bounds.
func (p *port) trapInterval() time.Duration {
	raw := p.raw()
	exponent := raw[offReregister] & 0x1f
	d := time.Duration(4096) << min(exponent, 22)
	return min(max(d, minTrapInterval), maxTrapInterval)
}

// repress ends the repetition of the trap that m answers.
func (t *traps) repress(m *mad.Packet) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := t.byTID[m.TID()]; n != nil {
		t.drop(n)
	}
}

// end stops all.
func (t *traps) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isEnded = true
	clear(t.waiting)
	clear(t.byTID)
	if t.timer != nil {
		t.timer.Stop()
	}
}

// sendTrap sends a trap to the subnet manager. It reports false when there is
// no sense in trying again: no program is subnet manager.
func (s *Fabric) sendTrap(n *trap) bool {
	if s.clients.managers.Load() == 0 || !n.from.canTrap() {
		return false
	}
	c := s.packets.Get().(*carrier)
	defer s.packets.Put(c)
	m := &c.packet
	m.Init(mad.ClassSubnLID, mad.MethodTrap, smp.AttrNotice, 0)
	m.SetTID(n.tid)
	*m.SMPData() = n.notice
	raw := n.from.raw()
	t := trip{sim: s, node: n.from.node, in: n.from.num}
	d := delivery{sender: n.from.lid()}
	if t.routeTo(lidAt(raw, offSMLID)) {
		d.from = mad.Addr{LID: d.sender}
		t.forward(m, &d, true)
	}
	return true
}
