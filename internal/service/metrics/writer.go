package metrics

import (
	"math"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
)

// A writer writes the samples of one family of one fabric. The lines are the same in
// the text format and in OpenMetrics.
type writer struct {
	buf     []byte
	name    string
	left    int // samples that may still be written
	samples int
	dropped int // beyond these
}

// begin makes the writer ready for a family.
func (w *writer) begin(name string, left int) {
	*w = writer{buf: w.buf[:0], name: name, left: left}
}

// uint writes a sample. The labels are with their braces, or empty.
func (w *writer) uint(labels string, v uint64) {
	if w.start(labels) {
		w.buf = append(strconv.AppendUint(w.buf, v, 10), '\n')
	}
}

// float writes a sample that may have any value.
func (w *writer) float(labels string, v float64) {
	if w.start(labels) {
		w.buf = append(appendFloat(w.buf, v), '\n')
	}
}

// flag writes 1 or 0.
func (w *writer) flag(labels string, v bool) {
	if v {
		w.uint(labels, 1)
	} else {
		w.uint(labels, 0)
	}
}

func (w *writer) start(labels string) bool {
	if w.samples >= w.left {
		w.dropped++
		return false
	}
	w.samples++
	w.buf = append(w.buf, w.name...)
	w.buf = append(w.buf, labels...)
	w.buf = append(w.buf, ' ')
	return true
}

// appendFloat writes a number as both formats have it.
func appendFloat(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, "+Inf"...)
	case math.IsInf(v, -1):
		return append(b, "-Inf"...)
	case math.IsNaN(v):
		return append(b, "NaN"...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// labels writes label pairs with their braces: names and values in turn.
func labels(pairs ...string) string {
	return string(appendLabels(nil, pairs...))
}

func appendLabels(b []byte, pairs ...string) []byte {
	b = append(b, '{')
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, pairs[i]...)
		b = append(b, '=', '"')
		b = appendValue(b, pairs[i+1])
		b = append(b, '"')
	}
	return append(b, '}')
}

// maxValue is how much of a text is kept in a label: more than any NodeDescription.
const maxValue = 256

// appendValue writes the value of a label. It is one line of valid UTF-8 without
// anything that a terminal would act on, whatever the fabric says, and its quotes
// and backslashes are escaped as both formats want it.
func appendValue(b []byte, s string) []byte {
	if len(s) > maxValue {
		s = s[:maxValue]
	}
	if !isPlain(s) {
		s = labelEscapes.Replace(escape.Text(s))
	}
	return append(b, s...)
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// isPlain tells text that needs no escape.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
