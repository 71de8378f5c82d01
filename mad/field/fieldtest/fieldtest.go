// Package fieldtest holds the checks of the generated attribute tests: a slow
// bit reader that knows nothing of how the codecs are made, and what must hold
// for every attribute.
package fieldtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"
	"unicode"

	"github.com/ibscope/ibscope/mad/field"
)

// Fills are the bytes that encoders are tried on.
var Fills = [...]byte{0x00, 0xff, 0xa5}

// Filled is size bytes of fill.
func Filled(fill byte, size int) []byte { return bytes.Repeat([]byte{fill}, size) }

// Seed adds data of all zeros, all ones, and a pattern without repetition.
func Seed(f *testing.F, size int) {
	f.Add(Filled(0, size))
	f.Add(Filled(0xff, size))
	count := make([]byte, size)
	for i := range count {
		count[i] = byte(i*37 + 1)
	}
	f.Add(count)
}

// An Oracle reads data bit by bit and remembers which bits were asked for.
type Oracle struct {
	t        *testing.T
	data     []byte
	declared []byte
}

// New makes an oracle over the wire form of an attribute.
func New(t *testing.T, data []byte) *Oracle {
	return &Oracle{t, data, make([]byte, len(data))}
}

// Uint compares a field with the bits it stands for.
func (o *Oracle) Uint(name string, got uint64, offset, width int) {
	o.t.Helper()
	var want uint64
	for bit := offset; bit < offset+width; bit++ {
		mask := byte(128) >> (bit % 8)
		o.declared[bit/8] |= mask
		want *= 2
		if o.data[bit/8]&mask != 0 {
			want++
		}
	}
	if got != want {
		o.t.Errorf("%s = %#x, want %#x", name, got, want)
	}
}

// Bool compares a field with its bit.
func (o *Oracle) Bool(name string, got bool, offset int) {
	o.t.Helper()
	var v uint64
	if got {
		v = 1
	}
	o.Uint(name, v, offset, 1)
}

// Bytes compares a field with the bytes from bit offset on.
func (o *Oracle) Bytes(name string, got []byte, offset int) {
	o.t.Helper()
	for i, c := range got {
		o.Uint(name, uint64(c), offset+i*8, 8)
	}
}

// Encoded checks what Encode wrote over bytes of fill: the declared bits of
// the data, and the fill everywhere else.
func (o *Oracle) Encoded(got []byte, fill byte) {
	o.t.Helper()
	for i, c := range got {
		want := o.data[i]&o.declared[i] | fill&^o.declared[i]
		if c != want {
			o.t.Errorf("encoded over %#02x: byte %d is %#02x, want %#02x", fill, i, c, want)
		}
	}
}

// Widest checks what Encode made of a value from Widest over zeros: all
// declared bits are set and no other, so no field leaks into a neighbour.
func (o *Oracle) Widest(got []byte) {
	o.t.Helper()
	if !bytes.Equal(got, o.declared) {
		o.t.Errorf("widest values encode to\n%x, want\n%x", got, o.declared)
	}
}

// Widest sets every field of the struct that v points to to the largest value
// of its Go type, which may be more than it has room for on the wire.
func Widest(v any) { widest(reflect.ValueOf(v).Elem()) }

func widest(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			widest(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			widest(v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.SetUint(1<<v.Type().Bits() - 1)
	}
}

// A Value is an attribute, or a part of some.
type Value interface {
	UnmarshalBinary(data []byte) error
	AppendBinary(dst []byte) ([]byte, error)
	AppendDump(dst []byte) []byte
	AppendJSON(dst []byte) []byte
}

// Truncated checks that data one byte too short is refused, and that data of
// the right length is not.
func Truncated(t *testing.T, v Value, size int) {
	t.Helper()
	b, err := v.AppendBinary(nil)
	if err != nil || len(b) != size {
		t.Fatalf("AppendBinary gave %d bytes and %v, want %d", len(b), err, size)
	}
	var e *field.Error
	err = v.UnmarshalBinary(b[:size-1])
	if !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d bytes: %v, want a *field.Error of io.ErrUnexpectedEOF", size-1, err)
	}
	if err := v.UnmarshalBinary(b); err != nil {
		t.Errorf("%d bytes: %v", size, err)
	}
}

// Printed checks that the JSON of v is valid, and that neither JSON nor dump
// holds a character that could act on a terminal.
func Printed(t *testing.T, v Value) {
	t.Helper()
	text := v.AppendJSON(nil)
	if !json.Valid(text) {
		t.Errorf("invalid JSON: %s", text)
	}
	for _, r := range string(v.AppendDump(text)) {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			t.Errorf("unprintable character %q in dump or JSON", r)
		}
	}
}
