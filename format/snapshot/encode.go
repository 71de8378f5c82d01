package snapshot

import (
	"encoding/hex"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/mad"
)

// encoder appends JSON to a buffer. Commas come by themselves.
type encoder struct{ b []byte }

func (e *encoder) open(bracket byte)  { e.comma(); e.b = append(e.b, bracket) }
func (e *encoder) close(bracket byte) { e.b = append(e.b, bracket) }

// comma parts a value from the one before it.
func (e *encoder) comma() {
	if n := len(e.b); n > 0 {
		switch e.b[n-1] {
		case '{', '[', ':', '\n':
		default:
			e.b = append(e.b, ',')
		}
	}
}

func (e *encoder) key(name string) {
	e.comma()
	e.b = append(e.b, '"')
	e.b = append(e.b, name...)
	e.b = append(e.b, '"', ':')
}

// text writes any text as a string that is safe to show on a terminal.
func (e *encoder) text(name, value string) {
	e.key(name)
	e.b = appendText(e.b, value)
}

// raw is text, with its bytes beside it where they are not UTF-8.
func (e *encoder) raw(name, value string) {
	e.text(name, value)
	if !utf8.ValidString(value) {
		e.hex(name+"_hex", []byte(value))
	}
}

func appendText(b []byte, value string) []byte {
	if isPlain(value) {
		b = append(b, '"')
		b = append(b, value...)
		return append(b, '"')
	}
	quoted, err := json.Marshal(value)
	if err != nil {
		return append(b, `""`...) // strings always have a form
	}
	return append(b, escape.JSON(quoted)...)
}

// isPlain reports whether text stands for itself in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (e *encoder) number(name string, value int64) {
	e.key(name)
	e.b = strconv.AppendInt(e.b, value, 10)
}

// nonzero writes a number unless it is 0, which its absence means.
func (e *encoder) nonzero(name string, value int64) {
	if value != 0 {
		e.number(name, value)
	}
}

func (e *encoder) flag(name string, value bool) {
	e.key(name)
	e.b = strconv.AppendBool(e.b, value)
}

func (e *encoder) pair(name string, a, b int) {
	e.key(name)
	e.b = append(e.b, '[')
	e.b = strconv.AppendInt(e.b, int64(a), 10)
	e.b = append(e.b, ',')
	e.b = strconv.AppendInt(e.b, int64(b), 10)
	e.b = append(e.b, ']')
}

func (e *encoder) hex(name string, data []byte) {
	e.key(name)
	e.b = append(e.b, '"')
	e.b = hex.AppendEncode(e.b, data)
	e.b = append(e.b, '"')
}

// attribute writes an attribute in wire form, without the zeros at its end.
func (e *encoder) attribute(name string, data *[mad.DataSize]byte) {
	n := len(data)
	for n > 0 && data[n-1] == 0 {
		n--
	}
	e.hex(name, data[:n])
}

func (e *encoder) guid(name string, g ib.GUID) { e.text(name, g.String()) }

func (e *encoder) time(name string, t time.Time) {
	if !t.IsZero() {
		e.text(name, t.UTC().Format(time.RFC3339Nano))
	}
}

// extra writes the members that were read and not understood.
func (e *encoder) extra(list []member) {
	for _, m := range list {
		e.comma()
		e.b = append(e.b, m.key...)
		e.b = append(e.b, ':')
		e.b = append(e.b, m.value...)
	}
}

func (e *encoder) uint(value uint64) { e.b = strconv.AppendUint(e.b, value, 10) }
