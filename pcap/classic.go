package pcap

import (
	"encoding/binary"
	"time"
)

// The magic numbers of the older format, by the unit of its times.
const (
	magicMicro = 0xa1b2c3d4
	magicNano  = 0xa1b23c4d
)

// Sizes of its headers.
const (
	fileHeader   = 24
	packetHeader = 16
)

// classicFormat is the format of tcpdump before pcapng.
type classicFormat struct {
	link   uint32
	second uint32 // what its fractions count to
	head   [packetHeader]byte
}

// classic reads the header of a file in the older format.
func (r *Reader) classic(magic []byte) (format, error) {
	f := &classicFormat{}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		switch order.Uint32(magic) {
		case magicMicro:
			r.order, f.second = order, 1e6
		case magicNano:
			r.order, f.second = order, 1e9
		}
	}
	if r.order == nil {
		return nil, r.fail("read header", ErrFormat)
	}
	var head [fileHeader]byte
	if err := r.read(head[:], "read header", false); err != nil {
		return nil, err
	}
	f.link = r.order.Uint32(head[20:]) & 0x0fffffff // the rest tells of check sequences
	return f, nil
}

func (f *classicFormat) next(r *Reader, record *Record) (uint32, error) {
	if err := r.read(f.head[:], "read packet header", true); err != nil {
		return 0, err
	}
	seconds, fraction := r.order.Uint32(f.head[0:]), r.order.Uint32(f.head[4:])
	nanos := int64(fraction) * int64(1e9/f.second)
	record.Time = time.Unix(int64(seconds), nanos)
	return f.link, r.take(r.order.Uint32(f.head[8:]))
}
