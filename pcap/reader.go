package pcap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// Bounds of what is read. A packet with a MAD is much smaller than any of them.
const (
	maxPacket     = 256 << 10
	maxInterfaces = 4096
	skipAtOnce    = 1 << 30
)

// Reader reads the MADs of a capture, of the format pcapng or of the older one with
// micro- or nanoseconds, in either byte order, whose packets are InfiniBand frames
// or ERF records of them. Other packets are left out and counted. Its memory is
// bounded, whatever the file holds.
type Reader struct {
	in      *bufio.Reader
	at      int64 // bytes taken from in
	order   binary.ByteOrder
	format  format
	packet  []byte // at most maxPacket
	skipped Skipped
	err     error // for all calls to come
}

// format reads the packets of one of the file formats.
type format interface {
	// next reads up to the next packet and leaves its data in Reader.packet. It
	// sets time, interface, comment and kind of the record.
	next(r *Reader, record *Record) (link uint32, err error)
}

// Skipped counts packets that a Reader has left out.
type Skipped struct {
	Other int // no MAD: data, other transports, other link types
	Cut   int // too short for what the headers say: captured in part only
}

// NewReader reads the start of a capture. Errors are *Error: ErrFormat for
// something else.
func NewReader(in io.Reader) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 64<<10)}
	magic, err := r.in.Peek(4)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = ErrFormat // too short for any
		}
		return nil, r.fail("read header", err)
	}
	switch {
	case binary.LittleEndian.Uint32(magic) == blockSection: // reads the same either way
		r.format = &ngFormat{}
		return r, nil
	default:
		r.format, err = r.classic(magic)
	}
	return r, err
}

// Next reads the next MAD. At the end of the capture the error is io.EOF; other
// errors are *Error. The record's Interface and Comment may hold any text.
func (r *Reader) Next(record *Record) error {
	for r.err == nil {
		*record = Record{}
		link, err := r.format.next(r, record)
		if err != nil {
			r.err = err
			break
		}
		frame, err := frameOf(link, r.packet)
		if err == nil {
			err = ParseFrame(frame, &record.Header, &record.Packet)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			r.skipped.Cut++
		default:
			r.skipped.Other++
		}
	}
	return r.err
}

// Skipped counts what Next has left out so far.
func (r *Reader) Skipped() Skipped { return r.skipped }

func (r *Reader) fail(op string, err error) error { return &Error{Op: op, At: r.at, Err: err} }

// read fills b. The error is io.EOF only at the first byte of something that may
// be missing.
func (r *Reader) read(b []byte, op string, mayEnd bool) error {
	at := r.at
	n, err := io.ReadFull(r.in, b)
	r.at += int64(n)
	if err == io.EOF && mayEnd {
		return io.EOF
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return &Error{Op: op, At: at, Err: err}
	}
	return nil
}

// skip reads over n bytes.
func (r *Reader) skip(n int64, op string) error {
	for n > 0 {
		done, err := r.in.Discard(int(min(n, skipAtOnce)))
		r.at += int64(done)
		n -= int64(done)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return r.fail(op, err)
		}
	}
	return nil
}

// take reads a packet of that size into r.packet. Of one beyond all bounds it
// reads over the rest.
func (r *Reader) take(size uint32) error {
	n := min(size, maxPacket)
	if uint32(cap(r.packet)) < n {
		r.packet = make([]byte, n)
	}
	r.packet = r.packet[:n]
	if err := r.read(r.packet, "read packet", false); err != nil {
		return err
	}
	return r.skip(int64(size-n), "read packet")
}
