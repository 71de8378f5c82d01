package umad

import (
	"errors"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// TestKernelStructures registers by both ioctls: their numbers hold the sizes of
// the structures, so a wrong size is ENOTTY.
func TestKernelStructures(t *testing.T) {
	needKernel(t)
	reg := registration{qpn: 1, class: 4, classVersion: 1}
	old := reg.old()
	if size := unsafe.Sizeof(reg); size != ioctlRegisterAgent2>>16&0xff {
		t.Errorf("registration has %d bytes", size)
	}
	if size := unsafe.Sizeof(old); size != ioctlRegisterAgent>>16&0xff {
		t.Errorf("oldRegistration has %d bytes", size)
	}
	p := openKernel(t)
	if !p.HasPKeyIndex() {
		t.Error("no P_Key index in the header")
	}
	if err := p.ioctl(ioctlRegisterAgent2, unsafe.Pointer(&reg)); err != nil || reg.id != 0 {
		t.Errorf("REGISTER_AGENT2: agent %d, %v", reg.id, err)
	}
	if err := p.ioctl(ioctlRegisterAgent, unsafe.Pointer(&old)); err != nil || old.id != 1 {
		t.Errorf("REGISTER_AGENT: agent %d, %v", old.id, err)
	}
	if err := p.ioctl(ioctlEnablePKey, nil); err != unix.EINVAL {
		t.Errorf("ENABLE_PKEY after a registration: %v", err)
	}
	if err := p.ioctl(0x1b7f, nil); err != unix.ENOTTY {
		t.Errorf("unknown ioctl: %v", err)
	}
	if err := p.ioctl(ioctlRegisterAgent2, nil); err != unix.EFAULT {
		t.Errorf("REGISTER_AGENT2 of no structure: %v", err)
	}
	reg = registration{qpn: 1, class: 3, classVersion: 2, flags: 2}
	if err := p.ioctl(ioctlRegisterAgent2, unsafe.Pointer(&reg)); err != unix.EINVAL || reg.flags != flagUserRMPP {
		t.Errorf("unknown flag: %v, and the kernel knows %#x", err, reg.flags)
	}
}

// TestKernelRegisterRules registers what the kernel takes and what it refuses.
func TestKernelRegisterRules(t *testing.T) {
	needKernel(t)
	const oui = 0x001405
	for _, tc := range []struct {
		name string
		reg  registration
		want error
	}{
		{"SubnAdm", registration{qpn: 1, class: 0x03, classVersion: 2}, nil},
		{"SubnAdm with RMPP", registration{qpn: 1, class: 0x03, classVersion: 2, rmppVersion: 1}, nil},
		{"SubnAdm with RMPP of the user", registration{qpn: 1, class: 0x03, classVersion: 2, rmppVersion: 1, flags: flagUserRMPP}, nil},
		{"Perf", registration{qpn: 1, class: 0x04, classVersion: 1}, nil},
		{"Perf, other version", registration{qpn: 1, class: 0x04, classVersion: 8}, nil},
		{"Perf with RMPP", registration{qpn: 1, class: 0x04, classVersion: 1, rmppVersion: 1}, unix.EINVAL},
		{"Perf on QP0", registration{qpn: 0, class: 0x04, classVersion: 1}, unix.EPROTONOSUPPORT},
		{"DevMgt", registration{qpn: 1, class: 0x06, classVersion: 1}, nil},
		{"CommMgt", registration{qpn: 1, class: 0x07, classVersion: 2}, nil},
		{"vendor 0x09", registration{qpn: 1, class: 0x09, classVersion: 1}, nil},
		{"vendor 0x0a", registration{qpn: 1, class: 0x0a, classVersion: 1}, nil},
		{"congestion control", registration{qpn: 1, class: 0x21, classVersion: 2}, nil},
		{"vendor 0x30 with OUI", registration{qpn: 1, class: 0x30, classVersion: 1, oui: oui, rmppVersion: 1}, nil},
		{"vendor 0x30 without OUI", registration{qpn: 1, class: 0x30, classVersion: 1, rmppVersion: 1}, unix.EINVAL},
		{"OUI of 25 bits", registration{qpn: 1, class: 0x32, classVersion: 1, oui: oui | 1<<24}, unix.EINVAL},
		{"all classes", registration{qpn: 1}, nil},
		{"directed SMPs: there is no QP0", registration{qpn: 0, class: 0x81, classVersion: 1}, unix.EPROTONOSUPPORT},
		{"LID SMPs: there is no QP0", registration{qpn: 0, class: 0x01, classVersion: 1}, unix.EPROTONOSUPPORT},
		{"directed SMPs on QP1", registration{qpn: 1, class: 0x81, classVersion: 1}, unix.EINVAL},
		{"LID SMPs on QP1", registration{qpn: 1, class: 0x01, classVersion: 1}, unix.EINVAL},
		{"QP2", registration{qpn: 2, class: 0x04, classVersion: 1}, unix.EINVAL},
		{"class 0x50", registration{qpn: 1, class: 0x50, classVersion: 1}, unix.EINVAL},
		{"class 0xff", registration{qpn: 1, class: 0xff, classVersion: 1}, unix.EINVAL},
		{"RMPP version 2", registration{qpn: 1, class: 0x03, classVersion: 2, rmppVersion: 2}, unix.EINVAL},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, reg := openKernel(t), tc.reg
			if err := p.ioctl(ioctlRegisterAgent2, unsafe.Pointer(&reg)); !errors.Is(err, tc.want) {
				t.Errorf("REGISTER_AGENT2: %v, want %v", err, tc.want)
			}
			if tc.reg.flags != 0 || tc.reg.oui>>24 != 0 {
				return // the older ioctl has no place for that
			}
			p, old := openKernel(t), tc.reg.old()
			if err := p.ioctl(ioctlRegisterAgent, unsafe.Pointer(&old)); !errors.Is(err, tc.want) {
				t.Errorf("REGISTER_AGENT: %v, want %v", err, tc.want)
			}
		})
	}
}

// TestKernelAgents: numbers, methods that are taken, the limit, the end.
func TestKernelAgents(t *testing.T) {
	needKernel(t)
	p, other := openKernel(t), openKernel(t)
	serve := AgentRequest{Class: mad.ClassPerf, Methods: []mad.Method{mad.MethodGet}}
	a, err := p.Register(serve)
	if err != nil || a.ID() != 0 {
		t.Fatalf("first agent: %v, %v", a, err)
	}
	var e *Error
	if _, err := other.Register(serve); !errors.Is(err, unix.EINVAL) || !errors.As(err, &e) {
		t.Errorf("a method that is taken: %v", err)
	}
	if _, err := other.Register(AgentRequest{Class: mad.ClassPerf, Methods: []mad.Method{mad.MethodSet}}); err != nil {
		t.Errorf("another method: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := a.Close(); !errors.Is(err, unix.EINVAL) {
		t.Errorf("closing an agent again: %v", err)
	}
	if _, err := other.Register(serve); err != nil {
		t.Errorf("a method that is free again: %v", err)
	}
	for n := range 32 {
		if a, err := p.Register(AgentRequest{Class: mad.ClassPerf}); err != nil || a.ID() != n {
			t.Fatalf("agent %d: %v, %v", n, a, err)
		}
	}
	if _, err := p.Register(AgentRequest{Class: mad.ClassPerf}); !errors.Is(err, unix.ENOMEM) {
		t.Errorf("agent 33: %v", err)
	}
}

// TestKernelNoSubnetManagement: the message of a port without QP0 says so.
func TestKernelNoSubnetManagement(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	err := p.Send(packet(mad.ClassSubnDirected, mad.MethodGet, 1), mad.Addr{LID: 0xffff}, 0)
	var e *Error
	if !errors.Is(err, unix.EPROTONOSUPPORT) || !errors.As(err, &e) || e.Hint == "" {
		t.Errorf("SMP on RoCE: %v", err)
	}
}
