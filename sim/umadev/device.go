package umadev

import (
	"context"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim/fuse"
)

// A Wire is where MADs go and come from: a *sim.Port. Send and Recv may be
// called at once, each by one goroutine at a time; Close ends Recv.
type Wire interface {
	Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error
	Recv(p *mad.Packet) (mad.Addr, error)
	Close() error
}

// Device is a umad device: a management port, as the kernel gives it to many
// clients at once. It is a fuse.Device.
type Device struct {
	wire    Wire
	sending sync.Mutex
	ended   chan struct{} // closed when receive has returned

	mu       sync.Mutex
	isGone   bool // as after the removal of the hardware
	files    map[*file]struct{}
	agents   map[uint32]*agent // by the high half of their transaction IDs
	lastHigh uint32
	methods  map[methodKey]*agent // who answers which requests
}

// New makes a device of a port, which it closes in the end.
func New(w Wire) *Device {
	d := &Device{
		wire: w, ended: make(chan struct{}), files: map[*file]struct{}{},
		agents: map[uint32]*agent{}, methods: map[methodKey]*agent{},
	}
	if own, ok := w.(interface{ TakeOwn() }); ok {
		own.TakeOwn() // programs on the machine also ask each other
	}
	go d.receive()
	return d
}

// Open opens the device for a client. It never waits.
func (d *Device) Open(_ context.Context, _ bool, wake func()) (fuse.Handle, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isGone {
		return nil, syscall.ENXIO
	}
	f := &file{device: d, wake: wake, header: oldHeaderSize}
	f.arrived.L = &d.mu
	d.files[f] = struct{}{}
	return f, 0
}

// Close removes the device: what clients have open gives EIO from then on.
func (d *Device) Close() error {
	err := d.wire.Close()
	<-d.ended
	return err
}

// receive hands out what arrives until the port is closed.
func (d *Device) receive() {
	defer close(d.ended)
	var p mad.Packet
	for {
		from, err := d.wire.Recv(&p)
		if err != nil {
			d.remove()
			return
		}
		if p.IsResponse() {
			d.deliverReply(&p, &from)
		} else {
			d.deliverRequest(&p, &from)
		}
	}
}

// deliverReply gives a reply to the client whose request it answers. The agent
// is found by the high half of the transaction ID; replies that nobody waits
// for, or waits for no longer, are dropped.
func (d *Device) deliverReply(p *mad.Packet, from *mad.Addr) {
	d.mu.Lock()
	a := d.agents[uint32(p.TID()>>32)]
	if a != nil && a.isLong(p) {
		d.deliverLong(a, p, from)
		return
	}
	if a == nil || !a.answered(p) && !a.isOwnLong(p) {
		d.mu.Unlock()
		return
	}
	f := a.file
	b := make([]byte, f.header+mad.Size)
	putReply(b[:f.header], a, from)
	copy(b[f.header:], p[:])
	f.queue(b)
	d.mu.Unlock()
	f.wake()
}

// deliverRequest gives a request from elsewhere, a trap or another program's
// Get, to the agent that has registered for its class and method. Without one
// it is dropped, as the kernel does.
func (d *Device) deliverRequest(p *mad.Packet, from *mad.Addr) {
	d.mu.Lock()
	a := d.methods[methodOf(p)]
	if a == nil {
		d.mu.Unlock()
		return
	}
	if a.isLong(p) {
		d.deliverLong(a, p, from)
		return
	}
	f := a.file
	b := make([]byte, f.header+mad.Size)
	putReply(b[:f.header], a, from)
	copy(b[f.header:], p[:])
	f.queue(b)
	d.mu.Unlock()
	f.wake()
}

// offOUI is where MADs of the vendor classes with an OUI have it.
const offOUI = 37

// methodOf is the kind of requests that p belongs to.
func methodOf(p *mad.Packet) methodKey {
	k := methodKey{class: uint8(p.Class()), version: p.ClassVersion(), method: uint8(p.Method())}
	if p.Class() >= mad.ClassVendor2Min && p.Class() <= mad.ClassVendor2Max {
		k.oui = uint32(p[offOUI])<<16 | uint32(p[offOUI+1])<<8 | uint32(p[offOUI+2])
	}
	return k
}

// remove ends all that clients wait for.
func (d *Device) remove() {
	d.mu.Lock()
	d.isGone = true
	files := slices.Collect(maps.Keys(d.files))
	for _, f := range files {
		f.cancel()
		f.arrived.Broadcast()
	}
	d.mu.Unlock()
	for _, f := range files {
		f.wake()
	}
}
