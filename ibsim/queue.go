package ibsim

// maxQueued bounds the packets that wait for their turn, to 4.5 MiB.
const maxQueued = 1 << 14

// queue holds datagrams in the order in which they are to be sent: a ring that
// grows by doubling, up to maxQueued.
type queue struct {
	ring  []datagram // length is 0 or a power of two
	first int
	n     int
}

// keepQueued is the length up to which an empty queue keeps its memory.
const keepQueued = 64

// push returns the place for one more datagram at the end, or nil if the queue
// is full.
func (q *queue) push() *datagram {
	if q.n == len(q.ring) {
		if q.n == maxQueued {
			return nil
		}
		q.grow()
	}
	q.n++
	return &q.ring[(q.first+q.n-1)&(len(q.ring)-1)]
}

// front is the datagram that has waited longest. The queue must not be empty.
func (q *queue) front() *datagram { return &q.ring[q.first] }

// pop removes the front.
func (q *queue) pop() {
	q.first = (q.first + 1) & (len(q.ring) - 1)
	q.n--
	if q.n == 0 && len(q.ring) > keepQueued {
		*q = queue{}
	}
}

func (q *queue) grow() {
	ring := make([]datagram, max(keepQueued, 2*len(q.ring)))
	n := copy(ring, q.ring[q.first:])
	copy(ring[n:], q.ring[:q.first])
	q.ring, q.first = ring, 0
}
