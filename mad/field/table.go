package field

import (
	"strconv"
	"strings"
)

// A Table lists the fields of an attribute in the order in which libibmad
// prints them.
type Table []Field

// dots reach to column 33, counted from 0, where values start in a dump.
const dots = "................................."

// AppendLine appends the line "Name:....value\n" of libibmad's
// mad_print_field, with a line for each element of an array that is not shown
// as a whole.
func (f *Field) AppendLine(dst, data []byte) []byte {
	isBlob := f.Kind == Bytes || f.Kind == GID
	if f.Count == 0 || !isBlob && (f.Format == Array || f.Format == Text) {
		return append(f.AppendValue(appendName(dst, f.C, -1), data), '\n')
	}
	for i := range f.Elements() {
		if isBlob {
			e := f.Element(i)
			dst = e.AppendLine(dst, data)
			continue
		}
		dst = appendName(dst, f.C, i)
		dst = append(f.Format.appendUint(dst, f.UintAt(data, i), int(f.Width)), '\n')
	}
	return dst
}

// appendName appends name, the index if it is not negative, the colon, and at
// least one dot.
func appendName(dst []byte, name string, index int) []byte {
	start := len(dst)
	dst = append(dst, name...)
	if index >= 0 {
		dst = strconv.AppendInt(dst, int64(index), 10)
	}
	dst = append(dst, ":."...)
	return append(dst, dots[min(len(dots), len(dst)-start):]...)
}

// AppendDump appends the lines that libibmad's dump of the attribute has:
// all fields but the extra ones.
func (t Table) AppendDump(dst, data []byte) []byte {
	return t.appendDump(dst, data, Extra|Alias)
}

// AppendDumpAll appends the lines of all fields, those that libibmad's dump
// leaves out included.
func (t Table) AppendDumpAll(dst, data []byte) []byte {
	return t.appendDump(dst, data, Alias)
}

func (t Table) appendDump(dst, data []byte, without Flags) []byte {
	for i := range t {
		if f := &t[i]; f.Flags&without == 0 && f.In(data) {
			dst = f.AppendLine(dst, data)
		}
	}
	return dst
}

// Public is the table without secrets.
func (t Table) Public() Table {
	public := make(Table, 0, len(t))
	for i := range t {
		if t[i].Flags&Secret == 0 {
			public = append(public, t[i])
		}
	}
	return public
}

// Mask is the bits of all fields; see Field.Mask. It is what selects all
// counters of an attribute.
func (t Table) Mask() uint64 {
	var m uint64
	for i := range t {
		m |= t[i].Mask
	}
	return m
}

// ByC finds a field by the name that the C tools print. For an array the name
// without index is the whole array, with index one element of it ("GUID3").
func (t Table) ByC(name string) (Field, bool) {
	for i := range t {
		f := &t[i]
		if f.C == name {
			return *f, true
		}
		rest, ok := strings.CutPrefix(name, f.C)
		if !ok || f.Count == 0 {
			continue
		}
		n, err := strconv.Atoi(rest)
		if err == nil && n >= 0 && n < f.Elements() && strconv.Itoa(n) == rest {
			return f.Element(n), true
		}
	}
	return Field{}, false
}
