package pcap

import (
	"encoding/binary"
	"io"
	"time"
)

// An ERF record, of the cards and programs that write them, has a header of 16
// bytes before the frame, and extensions of 8 each as long as a bit says so.
const (
	erfHeader     = 16
	erfExtension  = 8
	erfMore       = 0x80
	erfInfiniBand = 21
	erfVarying    = 0x04 // flag: records of varying length
)

// appendERF appends the header of a record with a frame of that size. Its time is
// in units of 2⁻³² seconds.
func appendERF(dst []byte, at time.Time, size int) []byte {
	fraction := uint64(at.Nanosecond()) << 32 / 1e9
	dst = binary.LittleEndian.AppendUint64(dst, uint64(at.Unix())<<32|fraction)
	dst = append(dst, erfInfiniBand, erfVarying)
	dst = binary.BigEndian.AppendUint16(dst, uint16(erfHeader+size))
	dst = append(dst, 0, 0) // nothing was lost
	return binary.BigEndian.AppendUint16(dst, uint16(size))
}

// frameOf is the InfiniBand frame in a packet of a link type. The errors are those
// of ParseFrame.
func frameOf(link uint32, packet []byte) ([]byte, error) {
	switch link {
	case LinkInfiniBand:
		return packet, nil
	case LinkERF:
		return erfFrame(packet)
	}
	return nil, &Error{Op: "parse link type", Err: ErrNoMAD}
}

func erfFrame(packet []byte) ([]byte, error) {
	c := cursor{rest: packet}
	head := c.take(erfHeader)
	if head == nil {
		return nil, c.short("ERF header")
	}
	kind := head[8]
	if kind&^erfMore != erfInfiniBand {
		return nil, c.fail("ERF header", ErrNoMAD)
	}
	wire := int(binary.BigEndian.Uint16(head[14:]))
	for more := kind&erfMore != 0; more; {
		extension := c.take(erfExtension)
		if extension == nil {
			return nil, c.fail("ERF extension", io.ErrUnexpectedEOF)
		}
		more = extension[0]&erfMore != 0
	}
	return c.rest[:min(len(c.rest), wire)], nil // the rest is padding
}
