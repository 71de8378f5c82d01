package sa

import (
	"sync"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// Bounds of the transfers.
const (
	maxTransfers = 16        // of one client at a time
	maxBytes     = 128 << 20 // of all clients
	maxResends   = 5
	resendAfter  = 500 * time.Millisecond
)

// Sizes of a segment: what a packet carries behind the RMPP header, of which
// the first bytes repeat the header of subnet administration.
const (
	segmentHeader = 20
	segmentData   = mad.RMPPSegment - segmentHeader
)

// transfers are the tables under way.
type transfers struct {
	mu      sync.Mutex
	isEnded bool
	bytes   int
	byKey   map[transferKey]*transfer
	clients map[*sim.Port]int // how many
}

// transferKey is what tells the transfers apart.
type transferKey struct {
	client *sim.Port
	tid    uint64
}

// transfer is the sender's side of one (IBA vol. 1, 13.6.6.2).
type transfer struct {
	owner    *transfers
	key      transferKey
	request  sim.Request
	header   mad.Packet // of each segment
	records  []byte
	segments uint32
	acked    uint32 // the receiver has all up to this one
	window   uint32 // the receiver takes up to this one
	sent     uint32 // the highest that was sent
	resends  int
	timer    *time.Timer
}

// has reports whether the answer to a request is under way.
func (t *transfers) has(r sim.Request, m *mad.Packet) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byKey[transferKey{r.Sender, m.TID()}] != nil
}

// begin sends the first segment: m becomes it. The others wait for what the
// receiver says. Short answers end with it, and need no acknowledgement that
// anybody would miss.
func (t *transfers) begin(r sim.Request, m *mad.Packet, records []byte, stride int) sim.Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &transfer{
		owner: t, key: transferKey{r.Sender, m.TID()}, request: r, header: *m, records: records,
		segments: uint32(max(1, (len(records)+segmentData-1)/segmentData)), window: 1,
	}
	x.header.SetAttrOffset(uint16(stride / 8))
	if len(records) == 0 {
		x.header.SetAttrOffset(0)
	}
	if t.isEnded || t.clients[r.Sender] >= maxTransfers || t.bytes+len(records) > maxBytes {
		abort(m, mad.RMPPResourcesExhausted)
		return sim.Answered
	}
	if t.byKey == nil {
		t.byKey, t.clients = map[transferKey]*transfer{}, map[*sim.Port]int{}
	}
	t.byKey[x.key] = x
	t.clients[r.Sender]++
	t.bytes += len(records)
	x.timer = time.AfterFunc(resendAfter, x.expire)
	x.sent = 1
	x.segment(1, m)
	return sim.Answered
}

// segment writes segment number n, from 1.
func (x *transfer) segment(n uint32, m *mad.Packet) {
	*m = x.header
	data := x.records[int(n-1)*segmentData:]
	data = data[:min(len(data), segmentData)]
	clear(m.Data())
	copy(m.Data(), data)
	h := mad.RMPPHeader{Version: mad.RMPPVersion, Type: mad.RMPPData, Flags: mad.RMPPActive, RespTime: mad.RMPPNoRespTime, Data1: n}
	if n == 1 {
		h.Flags |= mad.RMPPFirst
		h.Data2 = uint32(len(x.records)) + x.segments*segmentHeader
	}
	if n == x.segments {
		h.Flags |= mad.RMPPLast
		h.Data2 = uint32(len(data)) + segmentHeader
	}
	m.SetRMPP(h)
}

// end forgets a transfer. The caller holds the lock.
func (x *transfer) end() {
	t := x.owner
	if t.byKey[x.key] != x {
		return
	}
	x.timer.Stop()
	delete(t.byKey, x.key)
	t.bytes -= len(x.records)
	if t.clients[x.key.client]--; t.clients[x.key.client] == 0 {
		delete(t.clients, x.key.client)
	}
}

// end ends all transfers.
func (t *transfers) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isEnded = true
	for _, x := range t.byKey {
		x.end()
	}
}

// heard is a packet of the receiver.
func (t *transfers) heard(r sim.Request, m *mad.Packet) {
	t.mu.Lock()
	x := t.byKey[transferKey{r.Sender, m.TID()}]
	if x == nil {
		t.mu.Unlock()
		return
	}
	h := m.RMPP()
	status := mad.RMPPNormal
	switch {
	case h.Version != mad.RMPPVersion:
		status = mad.RMPPUnsupportedVersion
	case h.Type == mad.RMPPAck:
		status = x.acknowledge(h)
	case h.Type == mad.RMPPStop || h.Type == mad.RMPPAbort:
		x.end()
	default:
		status = mad.RMPPBadType
	}
	if status != mad.RMPPNormal {
		x.end()
	}
	out := x.due()
	t.mu.Unlock()
	if status != mad.RMPPNormal {
		x.abort(status)
	}
	x.send(out)
}

// acknowledge takes the receiver's progress over. Old acknowledgements count
// for nothing.
func (x *transfer) acknowledge(h mad.RMPPHeader) mad.RMPPStatus {
	last, window := h.Data1, h.Data2
	switch {
	case last > x.sent:
		return mad.RMPPSegmentNumberTooBig
	case window < last:
		return mad.RMPPNewWindowTooSmall
	case last < x.acked:
		return mad.RMPPNormal
	}
	if last > x.acked {
		x.resends = 0
	}
	x.acked = last
	x.window = max(x.window, window)
	if x.acked == x.segments {
		x.end()
	} else {
		x.timer.Reset(resendAfter)
	}
	return mad.RMPPNormal
}

// due lists the segments that may be sent now, as a range: first and one more
// than the last. The caller holds the lock.
func (x *transfer) due() [2]uint32 {
	last := min(x.window, x.segments)
	if x.owner.byKey[x.key] != x || last <= x.sent {
		return [2]uint32{}
	}
	first := x.sent + 1
	x.sent = last
	return [2]uint32{first, last + 1}
}

// send sends a range of segments; nobody holds the lock.
func (x *transfer) send(segments [2]uint32) {
	var m mad.Packet
	for n := segments[0]; n < segments[1]; n++ {
		x.segment(n, &m)
		if !x.request.Reply(&m) {
			x.owner.mu.Lock()
			x.end()
			x.owner.mu.Unlock()
			return
		}
	}
}

// expire sends what was not acknowledged once more, or gives up.
func (x *transfer) expire() {
	t := x.owner
	t.mu.Lock()
	if t.byKey[x.key] != x {
		t.mu.Unlock()
		return
	}
	if x.resends++; x.resends > maxResends {
		x.end()
		t.mu.Unlock()
		x.abort(mad.RMPPTooManyRetries)
		return
	}
	out := [2]uint32{x.acked + 1, x.sent + 1}
	x.timer.Reset(resendAfter)
	t.mu.Unlock()
	x.send(out)
}

// abort tells the receiver why no more comes.
func (x *transfer) abort(status mad.RMPPStatus) {
	m := x.header
	abort(&m, status)
	x.request.Reply(&m)
}

// abort makes an ABORT of a packet.
func abort(m *mad.Packet, status mad.RMPPStatus) {
	m.SetMethod(m.Method() | mad.ResponseBit)
	clear(m.Data())
	m.SetRMPP(mad.RMPPHeader{Version: mad.RMPPVersion, Type: mad.RMPPAbort, Flags: mad.RMPPActive, Status: status})
}
