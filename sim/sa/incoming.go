package sa

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// Bounds of the requests that come in several segments.
const (
	maxRequest     = 1 << 16 // bytes; a MultiPathRecord with all its GIDs has 4 KiB
	maxIncoming    = 64      // of one client at a time
	incomingWindow = 16      // segments that a sender may be ahead
	incomingEnd    = 40 * time.Second
)

// incoming are the requests that are not complete, the receiver's side of RMPP
// (IBA vol. 1, 13.6.6.3).
type incoming struct {
	mu      sync.Mutex
	isEnded bool
	byKey   map[transferKey]*message
	clients map[*sim.Port]int // how many
}

// message is a request as it grows.
type message struct {
	data   []byte
	last   uint32 // the segment that came last; they come in order or are asked again
	window uint32 // the sender may send up to this one
	timer  *time.Timer
}

// take adds a segment, a packet of RMPP type DATA. Whole is the data of the message when this was its last
// one; answer is what the sender gets at once, nil for nothing.
func (in *incoming) take(r sim.Request, m *mad.Packet) (whole []byte, answer *mad.Packet) {
	in.mu.Lock()
	defer in.mu.Unlock()
	h, key := m.RMPP(), transferKey{r.Sender, m.TID()}
	x := in.byKey[key]
	switch {
	case h.Version != mad.RMPPVersion:
		return nil, in.refuse(key, m, mad.RMPPUnsupportedVersion)
	case (h.Data1 == 1) != (h.Flags&mad.RMPPFirst != 0):
		return nil, in.refuse(key, m, mad.RMPPInconsistentFirst)
	case x == nil && h.Data1 != 1:
		return nil, nil // of a message that is over
	case x == nil:
		if x = in.begin(key); x == nil {
			return nil, in.refuse(key, m, mad.RMPPResourcesExhausted)
		}
	}
	isNew := h.Data1 == x.last+1
	switch {
	case h.Data1 > x.last+1 || h.Data1 > x.window:
		return nil, nil // one before it was lost: the sender will send again
	case isNew:
		if len(x.data)+segmentData > maxRequest {
			return nil, in.refuse(key, m, mad.RMPPResourcesExhausted)
		}
		x.data = append(x.data, segmentOf(m, h)...)
		x.last = h.Data1
	}
	isLast := h.Flags&mad.RMPPLast != 0 && h.Data1 == x.last
	if isLast {
		in.end(key)
		return x.data, acknowledgement(m, x.last, x.window)
	}
	if isNew && x.last < x.window {
		return nil, nil
	}
	if x.last == x.window {
		x.window += incomingWindow
	}
	return nil, acknowledgement(m, x.last, x.window)
}

// segmentOf is the data of a segment. The last one says how much of it counts;
// a length that cannot be stands for all.
func segmentOf(m *mad.Packet, h mad.RMPPHeader) []byte {
	data := m.Data()
	if n := int64(h.Data2) - segmentHeader; h.Flags&mad.RMPPLast != 0 && n >= 0 && n < int64(len(data)) {
		data = data[:n]
	}
	return data
}

// begin makes a message; nil if there are too many. The caller holds the lock.
func (in *incoming) begin(key transferKey) *message {
	if in.isEnded || in.clients[key.client] >= maxIncoming {
		return nil
	}
	if in.byKey == nil {
		in.byKey, in.clients = map[transferKey]*message{}, map[*sim.Port]int{}
	}
	x := &message{window: 1}
	x.timer = time.AfterFunc(incomingEnd, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		if in.byKey[key] == x {
			in.end(key)
		}
	})
	in.byKey[key] = x
	in.clients[key.client]++
	return x
}

// end forgets a message. The caller holds the lock.
func (in *incoming) end(key transferKey) {
	x := in.byKey[key]
	if x == nil {
		return
	}
	x.timer.Stop()
	delete(in.byKey, key)
	if in.clients[key.client]--; in.clients[key.client] == 0 {
		delete(in.clients, key.client)
	}
}

// refuse ends a message with an ABORT.
func (in *incoming) refuse(key transferKey, m *mad.Packet, why mad.RMPPStatus) *mad.Packet {
	in.end(key)
	answer := *m
	abort(&answer, why)
	return &answer
}

// stopped is a STOP or an ABORT of the sender; what else it says is not about
// a message of its own.
func (in *incoming) stopped(r sim.Request, m *mad.Packet) {
	if t := m.RMPP().Type; t == mad.RMPPStop || t == mad.RMPPAbort {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.end(transferKey{r.Sender, m.TID()})
	}
}

// close ends all.
func (in *incoming) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.isEnded = true
	for key := range in.byKey {
		in.end(key)
	}
}

// acknowledgement is the ACK of a segment.
func acknowledgement(m *mad.Packet, last, window uint32) *mad.Packet {
	ack := *m
	clear(ack.Data())
	ack.SetMethod(m.Method() | mad.ResponseBit)
	ack.SetRMPP(mad.RMPPHeader{Version: mad.RMPPVersion, Type: mad.RMPPAck, Flags: mad.RMPPActive, Data1: last, Data2: max(last, window)})
	return &ack
}
