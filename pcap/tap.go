package pcap

import (
	"encoding/binary"
	"errors"
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// Transport is what a Tap can be put on, and is itself: madrpc.Transport.
type Transport interface {
	Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error
	Recv(p *mad.Packet) (from mad.Addr, err error)
	Close() error
}

// Tap is a Transport that writes each MAD that passes through it into a capture:
// those sent and received, those that could not be sent, and requests that the
// transport reports as unanswered. A capture that cannot be written does not
// disturb the transport: its Writer keeps the error.
//
// What a transport does not tell is written as follows: the own LID is 0 until a
// PortInfo of the own port has come by, the P_Key is the default one (an address
// has only its index), and the own GID is zero.
type Tap struct {
	below  Transport
	writer *Writer
	number int
	now    func() time.Time
	lid    atomic.Uint32 // the own one
	psn    atomic.Uint32 // of what is sent
	flight flight
}

// NewTap puts a tap on a transport. In the capture the interface has that name. The
// clock is time.Now if it is nil. The Tap owns the transport, but not the writer.
func NewTap(t Transport, w *Writer, name string, now func() time.Time) *Tap {
	if now == nil {
		now = time.Now
	}
	number, _ := w.AddInterface(name) // the writer keeps the error
	return &Tap{below: t, writer: w, number: number, now: now}
}

// Unwrap is the transport below, for those who know more of it than a Transport.
func (t *Tap) Unwrap() Transport { return t.below }

// Answer tells the transport below which requests are wanted, if it has to be told:
// that of package umad has. Others give all that come.
func (t *Tap) Answer(class mad.Class, oui uint32) error {
	if a, ok := t.below.(interface{ Answer(mad.Class, uint32) error }); ok {
		return a.Answer(class, oui)
	}
	return nil
}

// Send implements Transport. The capture has the packet before the fabric has it,
// so that a reply never stands before its request; a packet that then cannot be
// sent is there once more, as SendFailed.
func (t *Tap) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	r := Record{Time: t.now(), Kind: Sent, Packet: *p}
	r.Header = outgoing(p, &to, t.ownLID(to.LID))
	r.Header.PSN = t.psn.Add(1) & 0xffffff
	t.write(&r)
	err := t.below.Send(p, to, timeout)
	if err != nil {
		r.Time, r.Kind, r.Comment = t.now(), SendFailed, err.Error()
		t.write(&r)
	}
	return err
}

// Recv implements Transport.
func (t *Tap) Recv(p *mad.Packet) (mad.Addr, error) {
	from, err := t.below.Recv(p)
	r := Record{Kind: Received}
	if err != nil {
		var lost *mad.SendError
		if !errors.As(err, &lost) {
			return from, err
		}
		r.Kind, r.Comment = Unanswered, lost.Err.Error()
	}
	r.Time, r.Packet = t.now(), *p
	if r.Kind == Unanswered { // the address is the one it was sent to
		r.Header = outgoing(p, &from, t.ownLID(from.LID))
	} else {
		t.learn(p)
		r.Header = incoming(p, &from, t.ownLID(from.LID))
	}
	t.write(&r)
	return from, err
}

// write appends a record, and writes what was collected out when nothing is in
// flight: a program is about to do something else, which may be its end.
func (t *Tap) write(r *Record) {
	_ = t.writer.Write(t.number, r) // the writer keeps the error
	if t.flight.idle(r) {
		_ = t.writer.Flush()
	}
}

// Close implements Transport. Afterwards the capture holds all of it.
func (t *Tap) Close() error {
	err := t.below.Close()
	_ = t.writer.Flush() // the writer keeps the error
	return err
}

// ownLID is the own LID in a packet whose other end has that LID.
func (t *Tap) ownLID(peer ib.LID) ib.LID {
	if peer == ib.PermissiveLID {
		return ib.PermissiveLID
	}
	return ib.LID(t.lid.Load())
}

// Where a PortInfo has the LID, and its identifier.
const (
	attrPortInfo  = 0x0015
	portInfoLID   = 16
	routedNowhere = 0 // hops of a directed route to the own node
)

// learn takes the own LID from a PortInfo of the own port.
func (t *Tap) learn(p *mad.Packet) {
	if p.Class() == mad.ClassSubnDirected && p.HopCount() == routedNowhere && p.DrSLID() == ib.PermissiveLID &&
		p.AttrID() == attrPortInfo && p.Method() == mad.MethodGetResp && p.Status() == mad.StatusOK {
		if lid := ib.LID(binary.BigEndian.Uint16(p.SMPData()[portInfoLID:])); lid.IsUnicast() {
			t.lid.Store(uint32(lid))
		}
	}
}
