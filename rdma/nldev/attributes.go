package nldev

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// encoder makes the attributes of a request: length, type, value, each padded to
// four bytes (linux/netlink.h, struct nlattr).
type encoder struct{ b []byte }

const attributeHeader = 4

// uint32 appends a number.
func (e *encoder) uint32(typ uint16, v uint32) {
	e.bytes(typ, binary.NativeEndian.AppendUint32(nil, v))
}

// string appends a text, with the NUL at its end.
func (e *encoder) string(typ uint16, s string) { e.bytes(typ, append([]byte(s), 0)) }

func (e *encoder) bytes(typ uint16, value []byte) {
	e.b = binary.NativeEndian.AppendUint16(e.b, uint16(attributeHeader+len(value)))
	e.b = binary.NativeEndian.AppendUint16(e.b, typ)
	e.b = append(e.b, value...)
	e.b = append(e.b, make([]byte, align(len(value))-len(value))...)
}

func align(n int) int { return (n + 3) &^ 3 }

// attribute is one of an answer. The first error of all is kept in err.
type attribute struct {
	typ   uint16
	value []byte
	err   *error
}

// errAttributes means that lengths in an answer do not fit each other.
var errAttributes = errors.New("attributes end in the middle")

// decode calls one for each attribute of a message or of a nest.
func decode(b []byte, one func(attribute)) error {
	const flags = 0xc000 // nested, and byte order
	var err error
	for len(b) > 0 && err == nil {
		if len(b) < attributeHeader {
			return errAttributes
		}
		size := int(binary.NativeEndian.Uint16(b))
		if size < attributeHeader || size > len(b) {
			return errAttributes
		}
		one(attribute{binary.NativeEndian.Uint16(b[2:]) &^ flags, b[attributeHeader:size], &err})
		b = b[min(align(size), len(b)):]
	}
	return err
}

// nest decodes the attributes that are the value of one.
func (a attribute) nest(one func(attribute)) { a.fail(decode(a.value, one)) }

func (a attribute) fail(err error) {
	if *a.err == nil {
		*a.err = err
	}
}

// text is the value up to the first NUL.
func (a attribute) text() string {
	text, _, _ := bytes.Cut(a.value, []byte{0})
	return string(text)
}

// number reads an integer of any size that fits into bits: kernels do not agree
// with the header's comments on all sizes.
func (a attribute) number(bits int) uint64 {
	var v uint64
	switch len(a.value) {
	case 1:
		v = uint64(a.value[0])
	case 2:
		v = uint64(binary.NativeEndian.Uint16(a.value))
	case 4:
		v = uint64(binary.NativeEndian.Uint32(a.value))
	case 8:
		v = binary.NativeEndian.Uint64(a.value)
	default:
		a.fail(fmt.Errorf("attribute %d is a number of %d bytes", a.typ, len(a.value)))
	}
	if bits < 64 && v>>bits != 0 {
		a.fail(fmt.Errorf("attribute %d holds %d, more than %d bits", a.typ, v, bits))
		return 0
	}
	return v
}
