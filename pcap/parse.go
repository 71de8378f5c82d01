package pcap

import (
	"encoding/binary"
	"io"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// ParseFrame reads a frame that begins with an LRH. The CRCs are not looked at,
// and need not be there. Errors are *Error: ErrNoMAD for a frame that carries
// something else, io.ErrUnexpectedEOF for one that was cut.
func ParseFrame(frame []byte, h *Header, p *mad.Packet) error {
	*h = Header{}
	c := cursor{rest: frame}
	lrh := c.take(lrhSize)
	if lrh == nil {
		return c.short("LRH")
	}
	h.VL, h.SL = lrh[0]>>4, lrh[1]>>4
	h.DLID = ib.LID(binary.BigEndian.Uint16(lrh[2:]))
	h.SLID = ib.LID(binary.BigEndian.Uint16(lrh[6:]))
	switch lrh[1] & 3 {
	case nextBTH:
	case nextGRH:
		if err := c.grh(h); err != nil {
			return err
		}
	default:
		return c.fail("LRH", ErrNoMAD)
	}
	return c.transport(h, p, int(binary.BigEndian.Uint16(lrh[4:])&0x7ff)*4)
}

// cursor goes through a frame.
type cursor struct {
	rest []byte
	at   int
}

// take gives the next n bytes, nil if there are not as many.
func (c *cursor) take(n int) []byte {
	if len(c.rest) < n {
		return nil
	}
	b := c.rest[:n]
	c.rest, c.at = c.rest[n:], c.at+n
	return b
}

func (c *cursor) short(part string) error { return c.fail(part, io.ErrUnexpectedEOF) }

func (c *cursor) fail(part string, err error) error {
	return &Error{Op: "parse " + part, At: int64(c.at), Err: err}
}

func (c *cursor) grh(h *Header) error {
	b := c.take(grhSize)
	if b == nil {
		return c.short("GRH")
	}
	first := binary.BigEndian.Uint32(b)
	if first>>28 != ipVersion || b[6] != grhNext {
		return c.fail("GRH", ErrNoMAD)
	}
	h.HasGRH = true
	h.GRH = GRH{TrafficClass: uint8(first >> 20), FlowLabel: first & 0xfffff, HopLimit: b[grhHopLimit]}
	copy(h.GRH.SGID[:], b[8:])
	copy(h.GRH.DGID[:], b[24:])
	return nil
}

// transport reads BTH, DETH and MAD of a frame that has length bytes up to its VCRC.
func (c *cursor) transport(h *Header, p *mad.Packet, length int) error {
	bth := c.take(bthSize)
	if bth == nil {
		return c.short("BTH")
	}
	if bth[0] != opUDSend || bth[1]&0x3f != 0 { // padding, or another version
		return c.fail("BTH", ErrNoMAD)
	}
	h.PKey = binary.BigEndian.Uint16(bth[2:])
	h.DestQP = binary.BigEndian.Uint32(bth[4:]) & 0xffffff
	h.PSN = binary.BigEndian.Uint32(bth[8:]) & 0xffffff
	deth := c.take(dethSize)
	if deth == nil {
		return c.short("DETH")
	}
	h.QKey = binary.BigEndian.Uint32(deth)
	h.SrcQP = binary.BigEndian.Uint32(deth[4:]) & 0xffffff
	// An agent may redirect to a queue pair of its own, but a client has 0 or 1.
	if min(h.DestQP, h.SrcQP) > mad.QPGeneral || length != c.at+mad.Size+icrcSize {
		return c.fail("DETH", ErrNoMAD)
	}
	payload := c.take(mad.Size)
	if payload == nil {
		return c.short("MAD")
	}
	copy(p[:], payload)
	if p.BaseVersion() != 1 {
		return c.fail("MAD", ErrNoMAD)
	}
	return nil
}
