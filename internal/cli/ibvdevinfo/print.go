package ibvdevinfo

import (
	"fmt"
	"strings"
)

func (r *report) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }

// Columns, counted in tabs: where the lines about devices, ports and flags
// begin, and where the values behind the names do.
const (
	deviceColumn, deviceValues = 1, 5
	portColumn, portValues     = 3, 6
	flagColumn                 = 5

	tabWidth = 8
)

// hca prints an attribute of a device.
func (r *report) hca(name, format string, args ...any) {
	r.attribute(deviceColumn, deviceValues, name, format, args...)
}

// hcaPort prints an attribute of a port.
func (r *report) hcaPort(name, format string, args ...any) {
	r.attribute(portColumn, portValues, name, format, args...)
}

// attribute prints a name and, in its column, a value.
func (r *report) attribute(column, values int, name, format string, args ...any) {
	end := column + (len(name)+len(":"))/tabWidth
	tabs := strings.Repeat("\t", max(1, values-end))
	r.printf("%s%s:%s%s\n", strings.Repeat("\t", column), name, tabs, fmt.Sprintf(format, args...))
}

// flags prints a line for each name, and one for the bits that have none.
func (r *report) flags(prefix string, names []string, unknown uint64) {
	indent := strings.Repeat("\t", flagColumn)
	for _, name := range names {
		r.printf("%s%s%s\n", indent, prefix, name)
	}
	if unknown != 0 {
		r.printf("%sUnknown flags: 0x%X\n", indent, unknown)
	}
}

// coded is a code with the word for it.
func coded(words []word, other string, code int) string {
	text := other
	for _, w := range words {
		if w.code == code {
			text = w.text
		}
	}
	return fmt.Sprintf("%s (%d)", text, code)
}

// word is the text of a code.
type word struct {
	code int
	text string
}
