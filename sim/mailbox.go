package sim

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// mailbox holds the replies on their way to a port, ordered by the time they
// are due and then by the order they were put. Packets live in slots that are
// used again, so that nothing is allocated per packet.
type mailbox struct {
	mu     sync.Mutex
	came   sync.Cond
	closed bool
	epoch  time.Time     // origin of due
	timer  *time.Timer   // wakes the receiver when the first letter is due
	gap    time.Duration // between one packet and the next; 0 for none
	next   time.Duration // when the next may come
	order  []letter      // a binary heap
	slots  []slot
	free   []int32
	puts   uint64
}

type letter struct {
	due  time.Duration // since epoch; 0 for packets without delay
	seq  uint64
	slot int32
}

type slot struct {
	packet mad.Packet
	from   mad.Addr
	lost   bool // the packet is a request that comes back unanswered
}

func (a letter) before(b letter) bool {
	return a.due < b.due || a.due == b.due && a.seq < b.seq
}

func (b *mailbox) init() {
	b.came.L = &b.mu
	b.epoch = time.Now()
}

func (b *mailbox) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// put adds a copy of p that arrives after delay.
func (b *mailbox) put(p *mad.Packet, from mad.Addr, delay time.Duration, lost bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	var due time.Duration
	if delay > 0 || b.gap > 0 {
		due = time.Since(b.epoch) + delay
	}
	i := b.newSlot()
	b.slots[i].packet, b.slots[i].from, b.slots[i].lost = *p, from, lost
	b.puts++
	b.push(letter{due, b.puts, i})
	b.came.Signal()
}

// take waits for the next letter that is due; false after close.
func (b *mailbox) take(p *mad.Packet) (from mad.Addr, lost, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.closed {
		if len(b.order) > 0 && b.isDue(max(b.order[0].due, b.next)) {
			l := b.pop()
			i := l.slot
			if b.gap > 0 {
				b.next = max(l.due, b.next) + b.gap
			}
			*p = b.slots[i].packet
			b.free = append(b.free, i)
			return b.slots[i].from, b.slots[i].lost, true
		}
		b.came.Wait()
	}
	return mad.Addr{}, false, false
}

// isDue reports whether that time has come, and if not arms the timer for it.
func (b *mailbox) isDue(due time.Duration) bool {
	if due == 0 {
		return true
	}
	wait := due - time.Since(b.epoch)
	if wait <= 0 {
		return true
	}
	if b.timer == nil {
		b.timer = time.AfterFunc(wait, b.wake)
	} else {
		b.timer.Reset(wait)
	}
	return false
}

func (b *mailbox) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.came.Broadcast()
}

func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.order, b.slots, b.free = nil, nil, nil
	if b.timer != nil {
		b.timer.Stop()
	}
	b.came.Broadcast()
}

func (b *mailbox) newSlot() int32 {
	if n := len(b.free); n > 0 {
		i := b.free[n-1]
		b.free = b.free[:n-1]
		return i
	}
	b.slots = append(b.slots, slot{})
	return int32(len(b.slots) - 1)
}

func (b *mailbox) push(l letter) {
	b.order = append(b.order, l)
	h := b.order
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !l.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = l
}

func (b *mailbox) pop() letter {
	h := b.order
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	b.order = h
	if len(h) == 0 {
		return first
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return first
}
