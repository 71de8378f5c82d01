//go:build !linux

package umad

import (
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// Port is an open umad device, which only Linux has.
type Port struct {
	device string
	num    int
}

// OpenFile gives unix.EOPNOTSUPP: only Linux has such devices.
func OpenFile(name string, _ int) (*Port, error) {
	return nil, &Error{Op: "open", Device: name, Err: unix.EOPNOTSUPP, Hint: "only Linux has kernel ports"}
}

// Send gives unix.EOPNOTSUPP.
func (p *Port) Send(*mad.Packet, mad.Addr, time.Duration) error {
	return p.fail("send", unix.EOPNOTSUPP, "")
}

// Recv gives unix.EOPNOTSUPP.
func (p *Port) Recv(*mad.Packet) (mad.Addr, error) {
	return mad.Addr{}, p.fail("receive", unix.EOPNOTSUPP, "")
}

// Answer gives unix.EOPNOTSUPP.
func (p *Port) Answer(class mad.Class, _ uint32) error {
	return p.fail("register "+class.String()+" agent", unix.EOPNOTSUPP, "")
}

// Device is the CA's name.
func (p *Port) Device() string { return p.device }

// Num is the port number.
func (p *Port) Num() int { return p.num }

// Close does nothing.
func (p *Port) Close() error { return nil }

func (p *Port) fail(op string, err error, hint string) error {
	return &Error{Op: op, Device: p.device, Port: p.num, Err: err, Hint: hint}
}
