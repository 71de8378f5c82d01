package rdma

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
)

// attributes reads the files of one device or port, and keeps a fault for each
// that does not read.
type attributes struct {
	dir    *dir
	device string
	port   int
	faults *faults
}

// fault keeps an error about one file, named as below a.dir.
func (a *attributes) fault(op, name string, err error) {
	a.faults.add(&Error{Op: op, Device: a.device, Port: a.port, Attribute: name, Path: a.dir.name(name), Err: err})
}

// text is an attribute that every kernel has; "" is not known.
func (a *attributes) text(name string) string {
	s, err := a.dir.text(name)
	if err != nil {
		a.fault("read", name, err)
		return ""
	}
	return s
}

// optional is an attribute that not every device has: a missing one is no fault.
func (a *attributes) optional(name string) string {
	s, err := a.dir.text(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.fault("read", name, err)
	}
	return strings.TrimSpace(s)
}

// number is the number that the attribute begins with: "4: ACTIVE", "0x1f",
// "1 (one)". It has at most that many bits.
func (a *attributes) number(name string, bits int) uint64 {
	s, err := a.dir.text(name)
	if err != nil {
		a.fault("read", name, err)
		return 0
	}
	v, err := leadingNumber(s, bits)
	if err != nil {
		a.fault("parse", name, err)
	}
	return v
}

// value reads an attribute by the parser of its type.
func value[T any](a *attributes, name string, parse func(string) (T, error)) T {
	var zero T
	s, err := a.dir.text(name)
	if err != nil {
		a.fault("read", name, err)
		return zero
	}
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	v, err := parse(word)
	if err != nil {
		a.fault("parse", name, err)
		return zero
	}
	return v
}

// leadingNumber reads a decimal or 0x hexadecimal number and leaves what follows
// it alone.
func leadingNumber(s string, bits int) (uint64, error) {
	s = strings.TrimSpace(s)
	digits, base := s, 10
	if len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		digits, base = s[2:], 16
	}
	end := strings.IndexFunc(digits, func(r rune) bool { return !isDigitOf(r, base) })
	if end >= 0 {
		digits = digits[:end]
	}
	v, err := strconv.ParseUint(digits, base, bits)
	if e, ok := errors.AsType[*strconv.NumError](err); ok {
		return 0, &textError{text: s, err: e.Err}
	}
	return v, nil
}

func isDigitOf(r rune, base int) bool {
	return r >= '0' && r <= '9' || base == 16 && (r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F')
}

// textError is a text that is not what it should be.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string {
	const enough = 64
	text := e.text
	if len(text) > enough {
		text = text[:enough] + "…"
	}
	return strconv.Quote(text) + ": " + e.err.Error()
}

func (e *textError) Unwrap() error { return e.err }
