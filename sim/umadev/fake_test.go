package umadev

import (
	"context"
	"encoding/binary"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim/fuse"
)

// wire is a fabric of one node that answers as the test says.
type wire struct {
	sent    chan mad.Packet
	replies chan mad.Packet
	closed  chan struct{}
}

func newWire() *wire {
	return &wire{sent: make(chan mad.Packet, 1000), replies: make(chan mad.Packet, 1000), closed: make(chan struct{})}
}

func (w *wire) Send(p *mad.Packet, _ mad.Addr, _ time.Duration) error {
	w.sent <- *p
	return nil
}

func (w *wire) Recv(p *mad.Packet) (mad.Addr, error) {
	select {
	case *p = <-w.replies:
		return mad.Addr{LID: 0x1234, SL: 3}, nil
	case <-w.closed:
		return mad.Addr{}, os.ErrClosed
	}
}

func (w *wire) Close() error {
	close(w.closed)
	return nil
}

// reply answers a packet that was sent.
func (w *wire) reply(p mad.Packet) {
	p.SetMethod(p.Method() | mad.ResponseBit)
	w.replies <- p
}

// client is a device file that is open.
type client struct {
	t *testing.T
	fuse.Handle
	woken int
}

func open(t *testing.T, d *Device) *client {
	t.Helper()
	c := &client{t: t}
	h, errno := d.Open(context.Background(), false, func() { c.woken++ })
	if errno != 0 {
		t.Fatalf("open: %v", errno)
	}
	c.Handle = h
	return c
}

// registration1 is the argument of REGISTER_AGENT.
func registration1(qp, class, version, rmpp uint8, oui uint32, methods ...uint8) []byte {
	b := make([]byte, registerSize)
	b[offRegQP], b[offRegClass], b[offRegVersion], b[offRegRMPP] = qp, class, version, rmpp
	b[offRegOUI], b[offRegOUI+1], b[offRegOUI+2] = uint8(oui>>16), uint8(oui>>8), uint8(oui)
	ne := binary.NativeEndian
	for _, m := range methods {
		word := b[offRegMethods+4*(m/32):]
		ne.PutUint32(word, ne.Uint32(word)|1<<(m%32))
	}
	return b
}

// registration2 is the argument of REGISTER_AGENT2.
func registration2(qp uint32, class uint8, flags, oui uint32) []byte {
	b := make([]byte, register2Size)
	ne := binary.NativeEndian
	ne.PutUint32(b[offReg2QP:], qp)
	b[offReg2Class], b[offReg2Version] = class, 1
	ne.PutUint32(b[offReg2Flags:], flags)
	ne.PutUint32(b[offReg2OUI:], oui)
	return b
}

// agent registers for directed-route subnet management, with the new header.
func (c *client) agent() uint32 {
	c.t.Helper()
	if _, errno := c.Ioctl(enablePKey, nil); errno != 0 {
		c.t.Fatalf("ENABLE_PKEY: %v", errno)
	}
	out, errno := c.Ioctl(registerAgent, registration1(0, 0x81, 1, 0, 0))
	if errno != 0 {
		c.t.Fatalf("REGISTER_AGENT: %v", errno)
	}
	return binary.NativeEndian.Uint32(out)
}

// request is a MAD with its header, ready to be written.
func datagram(agent uint32, tid uint64, timeout, retries uint32) []byte {
	b := make([]byte, headerSize+mad.Size)
	ne := binary.NativeEndian
	ne.PutUint32(b[offAgent:], agent)
	ne.PutUint32(b[offTimeout:], timeout)
	ne.PutUint32(b[offRetries:], retries)
	ne.PutUint32(b[offLength:], 999)
	binary.BigEndian.PutUint16(b[offLID:], uint16(ib.PermissiveLID))
	p := (*mad.Packet)(b[headerSize:])
	p.Init(mad.ClassSubnDirected, mad.MethodGet, 0x11, 0)
	p.SetTID(tid)
	return b
}

// read reads without waiting.
func (c *client) read() ([]byte, syscall.Errno) {
	return c.Read(context.Background(), 1000, false)
}
