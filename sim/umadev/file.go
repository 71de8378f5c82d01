package umadev

import (
	"context"
	"encoding/binary"
	"sync"
	"syscall"

	"github.com/ibscope/ibscope/mad"
)

// file is the device as one client has it open. The device's lock guards it.
type file struct {
	device  *Device
	wake    func()
	agents  [maxAgents]*agent
	inUse   bool      // an agent was registered once
	header  int       // size of the header
	arrived sync.Cond // the queue has grown, or the device is gone
	queued  [][]byte
}

// queue adds what the client will read, header included.
func (f *file) queue(b []byte) {
	if len(f.queued) < maxQueued {
		f.queued = append(f.queued, b)
		f.arrived.Signal()
	}
}

// putReply writes the header of a reply.
func putReply(h []byte, a *agent, from *mad.Addr) {
	ne := binary.NativeEndian
	ne.PutUint32(h[offAgent:], uint32(a.slot))
	ne.PutUint32(h[offLength:], uint32(len(h)+mad.Size))
	sender := *from
	sender.QP = a.qp
	putAddr(h, &sender)
}

// Read gives the next MAD. A buffer that is too small for it is EINVAL, and the
// MAD stays. Of a message of several packets it is ENOSPC if at least the first
// packet fits, which is then returned beside the error.
func (f *file) Read(ctx context.Context, size int, wait bool) ([]byte, syscall.Errno) {
	d := f.device
	d.mu.Lock()
	defer d.mu.Unlock()
	if size < f.header {
		return nil, syscall.EINVAL
	}
	if wait {
		stop := context.AfterFunc(ctx, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			f.arrived.Broadcast()
		})
		defer stop()
	}
	for len(f.queued) == 0 || d.isGone {
		switch {
		case d.isGone:
			return nil, syscall.EIO
		case !wait:
			return nil, syscall.EAGAIN
		case ctx.Err() != nil:
			return nil, syscall.EINTR
		}
		f.arrived.Wait()
	}
	b := f.queued[0]
	if first := f.header + mad.Size; size < len(b) && len(b) > first && size >= first {
		return b[:first], syscall.ENOSPC
	}
	if size < len(b) {
		return nil, syscall.EINVAL
	}
	f.queued[0] = nil
	f.queued = f.queued[1:]
	return b, 0
}

// Poll says that the client may write, and read if something is queued.
func (f *file) Poll() uint32 {
	f.device.mu.Lock()
	defer f.device.mu.Unlock()
	switch {
	case f.device.isGone:
		return pollError
	case len(f.queued) > 0:
		return pollWritable | pollReadable
	}
	return pollWritable
}

// Close ends the client's registrations; its requests are forgotten.
func (f *file) Close() {
	d := f.device
	d.mu.Lock()
	defer d.mu.Unlock()
	f.cancel()
	f.queued = nil
	delete(d.files, f)
}

// cancel unregisters all agents.
func (f *file) cancel() {
	for _, a := range f.agents {
		if a != nil {
			a.unregister()
		}
	}
}
