package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// Recognise reports whether unpacked content that begins with head is a snapshot.
func Recognise(head []byte) bool {
	const blank = " \t\n\f\r"
	head, isObject := bytes.CutPrefix(bytes.TrimLeft(head, blank), []byte("{"))
	for isObject {
		_, rest, found := bytes.Cut(head, []byte(`"schema"`))
		if !found {
			return false
		}
		value, isMember := bytes.CutPrefix(bytes.TrimLeft(rest, blank), []byte(":"))
		if isMember && bytes.HasPrefix(bytes.TrimLeft(value, blank), []byte(`"`+Schema+`"`)) {
			return true
		}
		head = rest
	}
	return false
}

// Read reads a snapshot, compressed or not; name stands for it in messages. The
// error is an *Error with ErrNotSnapshot, ErrVersion, ErrTooLarge, ErrSyntax or
// ErrValue, io.ErrUnexpectedEOF where the file ends too soon, or what the stream
// gave.
//
// What Fabric.Build finds by itself (duplicate GUIDs, rates that differ, chassis
// that cannot be) is found again, whatever the file says of it.
func Read(r io.Reader, name string) (*Snapshot, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	r = b
	if magic, err := b.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &Error{Op: "read", File: name, Err: err}
		}
		r = z
	}
	d := &decoder{scanner: newScanner(r), s: &Snapshot{}}
	if err := d.document(); err != nil {
		e := &Error{Op: "read", File: name, Line: d.startLine, Offset: d.startOffset, Err: err}
		if v, ok := errors.AsType[*valueError](err); ok {
			e.What, e.Err = v.what, v.err
		}
		return nil, e
	}
	return d.s, nil
}

// decoder reads a document.
type decoder struct {
	*scanner
	s       *Snapshot
	schema  string
	version uint64
	swept   *body
	managed *body
	samples []sample
	asked   []manager
	names   []string // of the counters of the port before

	tables, unknown int // bytes so far
	values          int // counters so far
}

func (d *decoder) document() error {
	switch c, err := d.next(); {
	case err != nil:
		return err
	case c != '{':
		return ErrNotSnapshot
	}
	if err := d.members(d.member); err != nil {
		return err
	}
	switch _, err := d.next(); {
	case err == nil:
		return &valueError{"data after the end", ErrSyntax}
	case !d.ended:
		return err
	}
	return d.finish()
}

// members reads an object. f reads the value of each member.
func (d *decoder) members(f func(key []byte) error) error {
	if err := d.expect('{'); err != nil {
		return err
	}
	return d.separated('}', func() error {
		key, err := d.value(maxRecord)
		if err != nil {
			return err
		}
		if key[0] != '"' {
			return &valueError{"expected the name of a member", ErrSyntax}
		}
		key = bytes.Clone(key)
		if err := d.expect(':'); err != nil {
			return err
		}
		return f(key)
	})
}

// separated reads what commas separate, up to a bracket.
func (d *decoder) separated(end byte, f func() error) error {
	if found, err := d.take(end); found || err != nil {
		return err
	}
	for {
		if err := f(); err != nil {
			return err
		}
		if found, err := d.take(end); found || err != nil {
			return err
		}
		if err := d.expect(','); err != nil {
			return err
		}
	}
}

// elements reads an array. f gets each element.
func (d *decoder) elements(limit int, f func(i int, value []byte) error) error {
	if err := d.expect('['); err != nil {
		return err
	}
	i := 0
	return d.separated(']', func() error {
		if i >= limit {
			return tooLarge("more than %d elements", limit)
		}
		value, err := d.value(maxRecord)
		if err == nil {
			err = f(i, value)
		}
		i++
		return err
	})
}

// member reads a member of the document.
func (d *decoder) member(key []byte) (err error) {
	switch name(key) {
	case "fabric":
		return d.body(&d.swept)
	case "manager":
		return d.body(&d.managed)
	case "managers":
		return d.elements(maxManagers, d.smInfo)
	case "counters":
		d.s.Counters = []PortCounters{}
		return d.elements(maxCounters, d.counters)
	case "problems":
		return d.elements(maxProblems, d.problem)
	case "complete":
		_, err = d.value(maxRecord)
		return err
	case "schema", "version", "taken", "tool":
		value, err := d.value(maxRecord)
		if err == nil {
			err = d.header(name(key), value)
		}
		return err
	}
	value, err := d.value(maxUnknown - d.unknown + 1)
	if err != nil {
		return err
	}
	return d.keep(whole{}, key, value)
}

func (d *decoder) header(key string, value []byte) (err error) {
	switch key {
	case "schema":
		if err = putText(&d.schema, value); err == nil && d.schema != Schema {
			err = ErrNotSnapshot
		}
		return err
	case "version":
		if d.version, err = number(value, 1<<32); err == nil && d.version != Version {
			return &valueError{fmt.Sprintf("version %d, expected %d", d.version, Version), ErrVersion}
		}
	case "taken":
		err = putTime(&d.s.Taken, value)
	case "tool":
		err = putText(&d.s.Tool, value)
	}
	if err != nil {
		return bad("%s: %v", key, err)
	}
	return nil
}

// unknownMember is a copy of a member that may be kept.
func (d *decoder) unknownMember(key, value []byte) (member, error) {
	if d.unknown += len(key) + len(value); d.unknown > maxUnknown {
		return member{}, tooLarge("more than %d bytes of members that are not known", maxUnknown)
	}
	return member{bytes.Clone(key), bytes.Clone(value)}, nil
}

// keep keeps a member of the object of that is not known.
func (d *decoder) keep(of any, key, value []byte) error {
	m, err := d.unknownMember(key, value)
	if err != nil {
		return err
	}
	if d.s.extra == nil {
		d.s.extra = extras{}
	}
	d.s.extra[of] = append(d.s.extra[of], m)
	return nil
}

// finish puts together what has been read.
func (d *decoder) finish() error {
	switch {
	case d.schema == "":
		return ErrNotSnapshot
	case d.version == 0:
		return bad("no version")
	case d.swept == nil:
		return bad("no fabric")
	}
	var err error
	if d.s.Fabric, err = d.build(d.swept); err != nil {
		return err
	}
	if d.managed != nil {
		if d.s.Manager, err = d.build(d.managed); err != nil {
			return err
		}
	}
	if err := d.assignManagers(); err != nil {
		return err
	}
	return d.assign()
}
