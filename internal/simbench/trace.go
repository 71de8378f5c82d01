package simbench

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"math/bits"
	"sync"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
)

// trace hashes what passes a transport, and when: what is sent and what is
// received for itself, for which of two things at one time is first is not
// settled. Transaction IDs do not count: clients choose them at random.
type trace struct {
	madrpc.Transport
	began time.Time

	hashes         bool
	mu             sync.Mutex
	tids           map[uint64]uint64 // a number of its own for each
	sent, received hash.Hash64
}

func newTrace(t madrpc.Transport, hashes bool) *trace {
	return &trace{Transport: t, hashes: hashes, began: time.Now(), sent: fnv.New64a(), received: fnv.New64a(), tids: map[uint64]uint64{}}
}

func (t *trace) Send(m *mad.Packet, to mad.Addr, timeout time.Duration) error {
	t.note(t.sent, m)
	defer rest()
	return t.Transport.Send(m, to, timeout)
}

// Recv gives a packet to the client when all that happens at that time has happened.
func (t *trace) Recv(m *mad.Packet) (mad.Addr, error) {
	from, err := t.Transport.Recv(m)
	synctest.Wait()
	if err == nil {
		t.note(t.received, m)
	}
	return from, err
}

// rest takes the shortest time there is. In a bubble it ends when all other
// goroutines have nothing left to do: so that what happens at one time happens in
// one order, not in that in which goroutines run. At each time the client's sender
// comes first, for it does not wait for others there; then the receiver, see Recv; and
// who waits for replies moves when one of these two lets it.
func rest() { time.Sleep(time.Nanosecond) }

func (t *trace) note(h hash.Hash64, m *mad.Packet) {
	if !t.hashes {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	known, ok := t.tids[m.TID()]
	if !ok {
		known = uint64(len(t.tids))
		t.tids[m.TID()] = known
	}
	p := *m
	p.SetTID(known)
	var now [8]byte
	binary.BigEndian.PutUint64(now[:], uint64(time.Since(t.began)))
	_, _ = h.Write(now[:])
	_, _ = h.Write(p[:])
}

func (t *trace) sum() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent.Sum64() ^ bits.RotateLeft64(t.received.Sum64(), 1)
}
