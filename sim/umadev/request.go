package umadev

import (
	"encoding/binary"
	"slices"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
)

// request is a MAD for which a client awaits a reply.
type request struct {
	agent   *agent
	packet  mad.Packet
	to      mad.Addr
	header  []byte // as the client wrote it
	timeout time.Duration
	retries uint32 // how often it will still be repeated
	timer   *time.Timer
}

// requestKey is what tells the requests of an agent apart.
type requestKey struct {
	tid   uint64
	class mad.Class
}

func keyOf(p *mad.Packet) requestKey { return requestKey{p.TID(), p.Class()} }

// Write sends a MAD. The errno values are those of ib_umad_write: EINVAL for
// what is no MAD, for an agent number beyond the last and for a transaction ID
// that waits already, EIO for an agent that is not registered.
func (f *file) Write(b []byte) syscall.Errno {
	d := f.device
	d.mu.Lock()
	r, errno := f.accept(b)
	if errno == 0 && r.timeout > 0 {
		r.agent.requests[keyOf(&r.packet)] = r
		r.timer = time.AfterFunc(r.timeout, r.expire)
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
	if a.requests[keyOf(&r.packet)] != nil {
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
	_ = d.wire.Send(&r.packet, r.to, r.timeout)
}

// answered takes the request that p is the reply to off the list; false when
// there is none.
func (a *agent) answered(p *mad.Packet) bool {
	r := a.requests[keyOf(p)]
	if r == nil {
		return false
	}
	r.timer.Stop()
	delete(a.requests, keyOf(p))
	return true
}

// expire repeats a request whose time is up, or returns it to its client.
func (r *request) expire() {
	a := r.agent
	f, d := a.file, a.file.device
	d.mu.Lock()
	if a.requests[keyOf(&r.packet)] != r {
		d.mu.Unlock() // the reply came, or the agent went, at this moment
		return
	}
	if r.retries > 0 {
		r.retries--
		r.timer.Reset(r.timeout)
		d.mu.Unlock()
		d.transmit(r)
		return
	}
	delete(a.requests, keyOf(&r.packet))
	f.queue(r.returned())
	d.mu.Unlock()
	f.wake()
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
