package pcap

import "encoding/binary"

// enhancedHeader is what stands before the data of a packet.
const enhancedHeader = 20

// enhanced takes a packet out of f.body.
func (f *ngFormat) enhanced(r *Reader, kind uint32, record *Record) (uint32, error) {
	if len(f.body) < enhancedHeader {
		return 0, r.fail("read packet", ErrFormat)
	}
	number := r.order.Uint32(f.body)
	if kind == blockPacket {
		number = uint32(r.order.Uint16(f.body))
	}
	if uint64(number) >= uint64(len(f.interfaces)) {
		return 0, r.fail("read packet", ErrFormat)
	}
	i := &f.interfaces[number]
	at := uint64(r.order.Uint32(f.body[4:]))<<32 | uint64(r.order.Uint32(f.body[8:]))
	record.Time, record.Interface = i.time(at), i.name
	rest := f.body[enhancedHeader:]
	length := r.order.Uint32(f.body[12:])
	n := int(min(int64(length), int64(len(rest))))
	r.packet = append(r.packet[:0], rest[:min(n, maxPacket)]...)
	rest = rest[min((n+3)&^3, len(rest)):]
	var flags uint32
	for code, value := range options(r.order, rest) {
		switch {
		case code == optionComment && record.Comment == "":
			record.Comment = cut(string(value))
		case code == optionFlags && len(value) == 4:
			flags = r.order.Uint32(value)
		}
	}
	record.Kind, record.Comment = kindOf(flags, record.Comment)
	return i.link, nil
}

// simple takes a packet out of f.body that has nothing but data, of the first
// interface.
func (f *ngFormat) simple(r *Reader, record *Record) (uint32, error) {
	if len(f.body) < 4 || len(f.interfaces) == 0 {
		return 0, r.fail("read packet", ErrFormat)
	}
	n := min(int64(r.order.Uint32(f.body)), int64(len(f.body)-4), maxPacket)
	r.packet = append(r.packet[:0], f.body[4:4+n]...)
	record.Interface = f.interfaces[0].name
	return f.interfaces[0].link, nil
}

// options goes over the options at the end of a block. Damaged ones end it.
func options(order binary.ByteOrder, b []byte) func(yield func(uint16, []byte) bool) {
	return func(yield func(uint16, []byte) bool) {
		for len(b) >= 4 {
			code, n := order.Uint16(b), int(order.Uint16(b[2:]))
			b = b[4:]
			if code == optionEnd || n > len(b) || !yield(code, b[:n]) {
				return
			}
			b = b[min((n+3)&^3, len(b)):]
		}
	}
}
