package umadev

import (
	"encoding/binary"
	"slices"
	"syscall"
)

// Offsets in the argument of REGISTER_AGENT.
const (
	offRegMethods = 4
	offRegQP      = 20
	offRegClass   = 21
	offRegVersion = 22
	offRegOUI     = 23
	offRegRMPP    = 26
)

// Offsets in the argument of REGISTER_AGENT2.
const (
	offReg2QP      = 4
	offReg2Class   = 8
	offReg2Version = 9
	offReg2Flags   = 12
	offReg2Methods = 16
	offReg2OUI     = 32
	offReg2RMPP    = 36
)

// userRMPP is the flag of REGISTER_AGENT2 that leaves RMPP to the client, and
// the only one that there is.
const userRMPP = 1

// Ioctl carries out the requests of user_mad.c; ENOTTY for others.
func (f *file) Ioctl(request uint32, in []byte) ([]byte, syscall.Errno) {
	d := f.device
	d.mu.Lock()
	defer d.mu.Unlock()
	switch request {
	case enablePKey:
		if f.inUse {
			return nil, syscall.EINVAL
		}
		f.header = headerSize
		return nil, 0
	case registerAgent:
		return f.ioctlRegister(in)
	case registerAgent2:
		return f.ioctlRegister2(in)
	case unregisterAgent:
		return nil, f.ioctlUnregister(in)
	}
	return nil, syscall.ENOTTY
}

func (f *file) ioctlRegister(in []byte) ([]byte, syscall.Errno) {
	if len(in) < registerSize {
		return nil, syscall.EFAULT
	}
	if f.device.isGone {
		return nil, syscall.EPIPE
	}
	oui := in[offRegOUI:]
	r := registration{
		qp: uint32(in[offRegQP]), class: in[offRegClass], version: in[offRegVersion],
		oui: uint32(oui[0])<<16 | uint32(oui[1])<<8 | uint32(oui[2]), rmppVersion: in[offRegRMPP],
	}
	ne := binary.NativeEndian
	for i := range 4 {
		binary.LittleEndian.PutUint32(r.methods[4*i:], ne.Uint32(in[offRegMethods+4*i:]))
	}
	a, errno := f.register(&r)
	if errno != 0 {
		return nil, errno
	}
	f.inUse = true
	return withID(in[:registerSize], a), 0
}

// ioctlRegister2 also switches to the header with P_Key index. Flags that are
// not known are answered with those that are, beside the errno.
func (f *file) ioctlRegister2(in []byte) ([]byte, syscall.Errno) {
	if len(in) < register2Size {
		return nil, syscall.EFAULT
	}
	if f.device.isGone {
		return nil, syscall.EPIPE
	}
	ne := binary.NativeEndian
	r := registration{
		qp: ne.Uint32(in[offReg2QP:]), class: in[offReg2Class], version: in[offReg2Version],
		oui: ne.Uint32(in[offReg2OUI:]), rmppVersion: in[offReg2RMPP],
	}
	flags := ne.Uint32(in[offReg2Flags:])
	switch {
	case r.qp > 1:
		return nil, syscall.EINVAL
	case flags&^userRMPP != 0:
		out := slices.Clone(in[:register2Size])
		ne.PutUint32(out[offReg2Flags:], userRMPP)
		return out, syscall.EINVAL
	case r.oui > 0xffffff:
		return nil, syscall.EINVAL
	}
	r.isUserRMPP = flags != 0
	for i := range 2 {
		binary.LittleEndian.PutUint64(r.methods[8*i:], ne.Uint64(in[offReg2Methods+8*i:]))
	}
	a, errno := f.register(&r)
	if errno != 0 {
		return nil, errno
	}
	if !f.inUse {
		f.inUse, f.header = true, headerSize
	}
	return withID(in[:register2Size], a), 0
}

// withID is the argument with the number of the new agent in front.
func withID(in []byte, a *agent) []byte {
	out := slices.Clone(in)
	binary.NativeEndian.PutUint32(out, uint32(a.slot))
	return out
}

func (f *file) ioctlUnregister(in []byte) syscall.Errno {
	if len(in) < 4 {
		return syscall.EFAULT
	}
	id := binary.NativeEndian.Uint32(in)
	if id >= maxAgents || f.agents[id] == nil {
		return syscall.EINVAL
	}
	f.agents[id].unregister()
	return 0
}
