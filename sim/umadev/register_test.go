package umadev

import (
	"encoding/binary"
	"syscall"
	"testing"
)

// TestRegister has the results that Linux 6.1 gives on a port with QP0.
func TestRegister(t *testing.T) {
	const ok = syscall.Errno(0)
	tests := []struct {
		name string
		arg  []byte
		want syscall.Errno
	}{
		{"directed route", registration1(0, 0x81, 1, 0, 0), ok},
		{"LID route", registration1(0, 0x01, 1, 0, 0), ok},
		{"subnet administration", registration1(1, 0x03, 2, 0, 0), ok},
		{"subnet administration with RMPP", registration1(1, 0x03, 2, 1, 0), ok},
		{"performance", registration1(1, 0x04, 1, 0, 0), ok},
		{"application", registration1(1, 0x21, 2, 0, 0), ok},
		{"vendor with OUI", registration1(1, 0x32, 1, 1, 0x1405), ok},
		{"no class", registration1(1, 0, 0, 0, 0), ok},
		{"performance on QP0", registration1(0, 0x04, 1, 0, 0), syscall.EINVAL},
		{"directed route on QP1", registration1(1, 0x81, 1, 0, 0), syscall.EINVAL},
		{"LID route on QP1", registration1(1, 0x01, 1, 0, 0), syscall.EINVAL},
		{"class 0x50", registration1(1, 0x50, 1, 0, 0), syscall.EINVAL},
		{"class 0xff", registration1(1, 0xff, 1, 0, 0), syscall.EINVAL},
		{"QP 2", registration1(2, 0x04, 1, 0, 0), syscall.EINVAL},
		{"performance with RMPP", registration1(1, 0x04, 1, 1, 0), syscall.EINVAL},
		{"RMPP version 2", registration1(1, 0x03, 2, 2, 0), syscall.EINVAL},
		{"vendor without OUI", registration1(1, 0x30, 1, 0, 0), syscall.EINVAL},
		{"class version 8", registration1(1, 0x04, 8, 0, 0), syscall.EINVAL},
	}
	for _, tt := range tests {
		d := New(newWire())
		c := open(t, d)
		out, errno := c.Ioctl(registerAgent, tt.arg)
		if errno != tt.want || errno == 0 && binary.NativeEndian.Uint32(out) != 0 {
			t.Errorf("%s: %v, want %v; % x", tt.name, errno, tt.want, out)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRegister2(t *testing.T) {
	d := New(newWire())
	defer d.Close()
	c := open(t, d)
	out, errno := c.Ioctl(registerAgent2, registration2(1, 0x04, 2, 0))
	if errno != syscall.EINVAL || binary.NativeEndian.Uint32(out[offReg2Flags:]) != userRMPP {
		t.Errorf("unknown flags: %v, % x", errno, out)
	}
	for name, arg := range map[string][]byte{
		"OUI of 25 bits": registration2(1, 0x32, 0, 1<<24), "QP 2": registration2(2, 0x04, 0, 0),
		"user RMPP without class": registration2(1, 0, userRMPP, 0),
	} {
		if _, errno := c.Ioctl(registerAgent2, arg); errno != syscall.EINVAL {
			t.Errorf("%s: %v", name, errno)
		}
	}
	if _, errno := c.Ioctl(enablePKey, nil); errno != 0 {
		t.Errorf("ENABLE_PKEY after failures: %v", errno)
	}
	if _, errno := c.Ioctl(registerAgent2, registration2(1, 0x03, userRMPP, 0)); errno != 0 {
		t.Errorf("user RMPP: %v", errno)
	}
	if _, errno := c.Ioctl(enablePKey, nil); errno != syscall.EINVAL {
		t.Errorf("ENABLE_PKEY after a registration: %v", errno)
	}
	if _, errno := c.Ioctl(0x1b05, nil); errno != syscall.ENOTTY {
		t.Errorf("unknown request: %v", errno)
	}
}

func TestSlotsAndMethods(t *testing.T) {
	d := New(newWire())
	defer d.Close()
	a, b := open(t, d), open(t, d)
	get := registration1(1, 0x04, 1, 0, 0, 1)
	if _, errno := a.Ioctl(registerAgent, get); errno != 0 {
		t.Fatal(errno)
	}
	if _, errno := b.Ioctl(registerAgent, get); errno != syscall.EINVAL {
		t.Errorf("a method that another client has: %v", errno)
	}
	if _, errno := b.Ioctl(registerAgent, registration1(1, 0x04, 1, 0, 0, 2)); errno != 0 {
		t.Errorf("another method: %v", errno)
	}
	for range maxAgents - 1 {
		if _, errno := a.Ioctl(registerAgent, registration1(1, 0x04, 1, 0, 0)); errno != 0 {
			t.Fatal(errno)
		}
	}
	if _, errno := a.Ioctl(registerAgent, registration1(1, 0x04, 1, 0, 0)); errno != syscall.ENOMEM {
		t.Errorf("agent 33: %v", errno)
	}
	for _, id := range []uint32{32, 1 << 31} {
		if _, errno := a.Ioctl(unregisterAgent, binary.NativeEndian.AppendUint32(nil, id)); errno != syscall.EINVAL {
			t.Errorf("unregister of %d: %v", id, errno)
		}
	}
	if _, errno := a.Ioctl(unregisterAgent, make([]byte, 4)); errno != 0 {
		t.Errorf("unregister: %v", errno)
	}
	if _, errno := b.Ioctl(registerAgent, get); errno != 0 {
		t.Errorf("a method that is free again: %v", errno)
	}
	b.Close()
	if _, errno := a.Ioctl(registerAgent, get); errno != 0 {
		t.Errorf("a method of a client that is gone: %v", errno)
	}
}
