package umadev

import (
	"syscall"

	"github.com/ibscope/ibscope/mad"
)

// agent is a registration: it sends MADs, gets their replies, and may be
// registered for requests of a class.
type agent struct {
	file     *file
	slot     int    // the client's number of it
	high     uint32 // high half of its transaction IDs
	qp       uint32
	isRMPP   bool // the kernel takes messages apart and joins them
	methods  []methodKey
	requests map[requestKey]*request
	messages map[messageKey]*message // long messages that are not complete
}

// methodKey is a kind of requests, which one agent at most receives.
type methodKey struct {
	class, version uint8
	oui            uint32
	method         uint8
}

// registration is what a client asks for, in either form of the ioctl.
type registration struct {
	qp             uint32
	class, version uint8
	oui            uint32
	methods        [16]byte // bit i of byte j stands for method 8j+i
	rmppVersion    uint8
	isUserRMPP     bool
}

const (
	maxClass        = 0x50 // the kernel's tables end here, but for directed routes
	maxClassVersion = 8
	rmppVersion     = 1
)

// check finds the mistakes that mad.c finds, all of them EINVAL. Class 0 is an
// agent that only sends.
func (r *registration) check() syscall.Errno {
	class := mad.Class(r.class)
	isVendor := class >= mad.ClassVendor2Min && class <= mad.ClassVendor2Max
	switch {
	case r.rmppVersion > rmppVersion,
		class == 0 && r.isUserRMPP,
		class != 0 && r.version >= maxClassVersion,
		class >= maxClass && class != mad.ClassSubnDirected,
		isVendor && r.oui == 0,
		class != 0 && r.rmppVersion != 0 && !hasRMPP(class),
		class != 0 && class.IsSMP() != (r.qp == mad.QPSubnet):
		return syscall.EINVAL
	}
	return 0
}

// hasRMPP tells the classes that have messages longer than a MAD.
func hasRMPP(c mad.Class) bool {
	switch c {
	case mad.ClassSubnAdm, mad.ClassDevMgt, mad.ClassDevAdm, mad.ClassBIS:
		return true
	}
	return c >= mad.ClassVendor2Min && c <= mad.ClassVendor2Max
}

// keys lists the kinds of requests that are asked for.
func (r *registration) keys() []methodKey {
	var list []methodKey
	for m := range uint8(8 * len(r.methods)) {
		if r.class != 0 && r.methods[m/8]>>(m%8)&1 != 0 {
			k := methodKey{class: r.class, version: r.version, method: m}
			if class := mad.Class(r.class); class >= mad.ClassVendor2Min && class <= mad.ClassVendor2Max {
				k.oui = r.oui
			}
			list = append(list, k)
		}
	}
	return list
}

// register makes an agent in the first free slot.
func (f *file) register(r *registration) (*agent, syscall.Errno) {
	if r.qp > mad.QPGeneral {
		return nil, syscall.EINVAL
	}
	slot := 0
	for slot < maxAgents && f.agents[slot] != nil {
		slot++
	}
	if slot == maxAgents {
		return nil, syscall.ENOMEM
	}
	if errno := r.check(); errno != 0 {
		return nil, errno
	}
	d := f.device
	keys := r.keys()
	for _, k := range keys {
		if d.methods[k] != nil {
			return nil, syscall.EINVAL
		}
	}
	a := &agent{
		file: f, slot: slot, high: d.newHigh(), qp: r.qp, methods: keys,
		isRMPP:   r.rmppVersion != 0 && !r.isUserRMPP,
		requests: map[requestKey]*request{}, messages: map[messageKey]*message{},
	}
	for _, k := range keys {
		d.methods[k] = a
	}
	f.agents[slot], d.agents[a.high] = a, a
	return a, 0
}

// newHigh is a number that no agent has.
func (d *Device) newHigh() uint32 {
	for {
		d.lastHigh++
		if d.lastHigh != 0 && d.agents[d.lastHigh] == nil {
			return d.lastHigh
		}
	}
}

// unregister forgets the agent and all that it waits for.
func (a *agent) unregister() {
	d := a.file.device
	for _, r := range a.requests {
		r.timer.Stop()
	}
	clear(a.requests)
	for key := range a.messages {
		a.forget(key)
	}
	for _, k := range a.methods {
		delete(d.methods, k)
	}
	delete(d.agents, a.high)
	a.file.agents[a.slot] = nil
}
