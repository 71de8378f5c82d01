package umadev

import (
	"encoding/binary"
	"slices"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// request is a MAD for which a client awaits a reply, or a message that is under
// way.
type request struct {
	agent   *agent
	packet  mad.Packet
	to      mad.Addr
	header  []byte // as the client wrote it
	timeout time.Duration
	retries uint32 // how often it will still be repeated
	timer   *time.Timer
	long    *segments // of a message that the kernel takes apart, else nil
}

// requestKey is what tells the MADs of an agent apart: the transaction ID, and of
// responses, whose IDs others have chosen, also for whom they are.
type requestKey struct {
	tid        uint64
	class      mad.Class
	isResponse bool
	to         ib.LID
}

// keyOf is the key of a MAD that is sent.
func keyOf(p *mad.Packet, to ib.LID) requestKey {
	if p.IsResponse() {
		return requestKey{p.TID(), p.Class(), true, to}
	}
	return requestKey{tid: p.TID(), class: p.Class()}
}

// keyOfSent is the key of the MAD that p is an answer to, or an acknowledgement
// of.
func keyOfSent(p *mad.Packet, from ib.LID) requestKey {
	if p.IsResponse() {
		return requestKey{tid: p.TID(), class: p.Class()}
	}
	return requestKey{p.TID(), p.Class(), true, from}
}

func (r *request) key() requestKey { return keyOf(&r.packet, r.to.LID) }

// Write sends a MAD. The errno values are those of ib_umad_write: EINVAL for
// what is no MAD, for an agent number beyond the last and for a transaction ID
// that waits already, EIO for an agent that is not registered.
func (f *file) Write(b []byte) syscall.Errno {
	d := f.device
	d.mu.Lock()
	r, errno := f.accept(b)
	if errno == 0 && (r.timeout > 0 || r.long != nil) {
		r.agent.requests[r.key()] = r
		r.timer = time.AfterFunc(r.patience(), r.expire)
	}
	d.mu.Unlock()
	if errno != 0 {
		return errno
	}
	d.transmit(r)
	return 0
}

// accept makes a request of what a client wrote, with the agent's half of the
// transaction ID in place.
func (f *file) accept(b []byte) (*request, syscall.Errno) {
	if len(b) < f.header+rmppHeaderSize {
		return nil, syscall.EINVAL
	}
	ne := binary.NativeEndian
	id := ne.Uint32(b[offAgent:])
	if id >= maxAgents {
		return nil, syscall.EINVAL
	}
	a := f.agents[id]
	if a == nil {
		return nil, syscall.EIO
	}
	r := &request{
		agent: a, header: slices.Clone(b[:f.header]), to: getAddr(b[:f.header]),
		timeout: time.Duration(ne.Uint32(b[offTimeout:])) * time.Millisecond,
		retries: ne.Uint32(b[offRetries:]),
	}
	message := b[f.header:]
	copy(r.packet[:], message)
	isLong := a.isRMPP && hasRMPP(r.packet.Class()) && message[offRMPPFlags]&rmppActive != 0
	if len(message) > mad.Size && !isLong {
		return nil, syscall.EINVAL
	}
	if !r.packet.IsResponse() {
		r.packet.SetTID(uint64(a.high)<<32 | r.packet.TID()&0xffffffff)
	}
	if isLong {
		if r.long = takeApart(&r.packet, message); r.long == nil {
			return nil, syscall.EINVAL
		}
		r.long.retries = r.retries
	}
	if a.requests[r.key()] != nil && (r.timeout > 0 || !a.isOwnLong(&r.packet)) {
		return nil, syscall.EINVAL
	}
	return r, 0
}

// transmit puts a MAD on the wire. Subnet management leaves by QP0 and arrives
// at QP0, or nowhere. What the wire refuses is lost like any other.
func (d *Device) transmit(r *request) {
	if r.packet.Class().IsSMP() && (r.agent.qp != mad.QPSubnet || r.to.QP != mad.QPSubnet) {
		return
	}
	d.sending.Lock()
	defer d.sending.Unlock()
	if r.long != nil {
		d.sendSegments(r)
		return
	}
	_ = d.wire.Send(&r.packet, r.to, r.timeout)
}

// answered takes the request that p is the reply to off the list; false when
// there is none.
func (a *agent) answered(p *mad.Packet) bool {
	r := a.requests[requestKey{tid: p.TID(), class: p.Class()}]
	if r == nil {
		return false
	}
	r.finish()
	return true
}

// finish takes a request off the list.
func (r *request) finish() {
	r.timer.Stop()
	delete(r.agent.requests, r.key())
}

// expire repeats a request whose time is up, or returns it to its client.
func (r *request) expire() {
	a := r.agent
	f, d := a.file, a.file.device
	d.mu.Lock()
	if a.requests[r.key()] != r {
		d.mu.Unlock() // the reply came, or the agent went, at this moment
		return
	}
	if r.mayRepeat() {
		r.timer.Reset(r.patience())
		d.mu.Unlock()
		d.transmit(r)
		return
	}
	r.finish()
	f.queue(r.returned())
	d.mu.Unlock()
	f.wake()
}

// patience is how long to wait for what comes next: the reply, or an
// acknowledgement.
func (r *request) patience() time.Duration {
	if r.long == nil || r.long.isOver() {
		return r.timeout
	}
	if r.timeout == 0 {
		return segmentTimeout
	}
	return min(r.timeout, segmentTimeout)
}

// mayRepeat takes one off the retries. Of a message only what was not
// acknowledged is sent again: nothing, if it all was.
func (r *request) mayRepeat() bool {
	if r.retries == 0 || r.long != nil && r.long.isOver() {
		return false
	}
	r.retries--
	if r.long != nil {
		r.long.sent = r.long.acked
	}
	return true
}

// returned is what the client reads of a request without reply: its header,
// with the status of a timeout, and the header of the MAD.
func (r *request) returned() []byte {
	b := make([]byte, len(r.header), len(r.header)+madHeaderSize)
	copy(b, r.header)
	ne := binary.NativeEndian
	ne.PutUint32(b[offAgent:], uint32(r.agent.slot))
	ne.PutUint32(b[offStatus:], uint32(syscall.ETIMEDOUT))
	return append(b, r.packet[:madHeaderSize]...)
}
