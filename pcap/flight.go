package pcap

import (
	"sync/atomic"

	"github.com/ibscope/ibscope/mad"
)

// flight estimates how many requests of a port are in flight. Requests that get
// lost let it count too many, until nothing passes for a while.
type flight struct {
	requests atomic.Int64
	last     atomic.Int64 // when the last MAD passed, nanoseconds since 1970
}

// idle takes a record and reports whether nothing is in flight after it.
func (f *flight) idle(r *Record) bool {
	now := r.Time.UnixNano()
	if now-f.last.Swap(now) > int64(flushAfter) {
		f.requests.Store(0)
	}
	switch {
	case r.Kind == Sent && isRequest(&r.Packet):
		return f.requests.Add(1) <= 0
	case r.Kind == Sent, r.Kind == Received && !r.Packet.IsResponse():
		return f.requests.Load() <= 0
	}
	if f.requests.Add(-1) >= 0 {
		return f.requests.Load() == 0
	}
	f.requests.Add(1) // the further packets of a long reply
	return true
}

// isRequest reports whether a reply will follow.
func isRequest(p *mad.Packet) bool {
	return !p.IsResponse() && p.Method() != mad.MethodSend && (!p.IsRMPP() || p.RMPP().Type == mad.RMPPData)
}
