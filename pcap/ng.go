package pcap

import "encoding/binary"

// ngFormat reads pcapng: blocks, each with its length before and behind it.
type ngFormat struct {
	interfaces []ngInterface // of the section
	body       []byte        // of the block at hand, but for packets, of which r.packet has the data
}

// maxBody bounds the blocks that are looked into as a whole, and the options of
// packets.
const maxBody = maxPacket + 64<<10

func (f *ngFormat) next(r *Reader, record *Record) (uint32, error) {
	for {
		kind, err := f.block(r)
		if err != nil {
			return 0, err
		}
		switch kind {
		case blockSection:
			f.interfaces = f.interfaces[:0]
		case blockInterface:
			err = f.declare(r)
		case blockEnhanced, blockPacket:
			return f.enhanced(r, kind, record)
		case blockSimple:
			return f.simple(r, record)
		}
		if err != nil {
			return 0, err
		}
	}
}

// block reads a block into f.body. Of one that is larger than what is looked into
// it reads the start only.
func (f *ngFormat) block(r *Reader) (kind uint32, err error) {
	var head [12]byte
	if err := r.read(head[:8], "read block", true); err != nil {
		return 0, err
	}
	inside := int64(0) // bytes of the body that were read already
	if binary.LittleEndian.Uint32(head[:]) == blockSection {
		if err := r.read(head[8:], "read section", false); err != nil {
			return 0, err
		}
		inside = 4
		switch uint32(byteOrderMagic) {
		case binary.LittleEndian.Uint32(head[8:]):
			r.order = binary.LittleEndian
		case binary.BigEndian.Uint32(head[8:]):
			r.order = binary.BigEndian
		default:
			return 0, r.fail("read section", ErrFormat)
		}
	}
	kind, size := r.order.Uint32(head[:]), r.order.Uint32(head[4:])
	left := int64(size) - 12 - inside // but for kind and both lengths
	if left < 0 || size%4 != 0 {
		return 0, r.fail("read block", ErrFormat)
	}
	n := min(left, maxBody)
	if !looksInto(kind) {
		n = 0
	}
	if f.body, err = r.fill(f.body, int(n)); err != nil {
		return 0, err
	}
	if err := r.skip(left-n, "read block"); err != nil {
		return 0, err
	}
	if err := r.read(head[:4], "read block", false); err != nil {
		return 0, err
	}
	if r.order.Uint32(head[:]) != size {
		return 0, r.fail("read block", ErrFormat)
	}
	return kind, nil
}

func looksInto(kind uint32) bool {
	return kind == blockInterface || kind == blockEnhanced || kind == blockPacket || kind == blockSimple
}

// fill reads n bytes into b, which grows as they come: a length alone allocates
// little.
func (r *Reader) fill(b []byte, n int) ([]byte, error) {
	const step = 64 << 10
	b = b[:0]
	for n > 0 {
		at, more := len(b), min(n, step)
		if cap(b) < at+more {
			b = append(b, make([]byte, more)...)
		}
		b = b[:at+more]
		if err := r.read(b[at:], "read block", false); err != nil {
			return b[:at], err
		}
		n -= more
	}
	return b, nil
}
