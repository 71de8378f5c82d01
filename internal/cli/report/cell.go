package report

import (
	"strconv"
	"time"

	"github.com/ibscope/ibscope/ib"
)

// Cell is a value in a row. The zero Cell is what does not apply or is not known.
type Cell struct {
	text   string // for people, not escaped
	value  any    // for JSON; nil for nothing
	number float64
	kind   kind
	mark   Mark
}

type kind uint8

const (
	absent kind = iota
	textual
	numeric
	logical
)

// Mark is what is good or bad about a value. On a terminal it is a colour.
type Mark uint8

// The marks.
const (
	Plain Mark = iota
	Good
	Warning
	Bad
)

// Text is any text, which may come from the fabric; "" is nothing.
func Text(s string) Cell {
	if s == "" {
		return Cell{}
	}
	return Cell{text: s, value: s, kind: textual}
}

// Number is a whole number.
func Number[T ~int | ~int32 | ~uint8 | ~uint16 | ~uint32 | ~uint64](n T) Cell {
	text := strconv.FormatUint(uint64(n), 10)
	if n < 0 {
		text = strconv.FormatInt(int64(n), 10)
	}
	return Cell{text: text, value: n, number: float64(n), kind: numeric}
}

// Decimal is a number that people see with at most so many decimals.
func Decimal(v float64, decimals int) Cell {
	return Cell{text: trimZeros(strconv.FormatFloat(v, 'f', decimals, 64)), value: v, number: v, kind: numeric}
}

// trimZeros takes zeros at the end of the decimals away.
func trimZeros(s string) string {
	for i := range len(s) {
		if s[i] != '.' {
			continue
		}
		for s[len(s)-1] == '0' {
			s = s[:len(s)-1]
		}
		return s[:max(i, len(s)-boolInt(s[len(s)-1] == '.'))]
	}
	return s
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// GUID is a GUID; 0 is nothing.
func GUID(g ib.GUID) Cell {
	if g == 0 {
		return Cell{}
	}
	return Text(g.String())
}

// LID is a LID; 0 is nothing.
func LID(l ib.LID) Cell {
	if l == 0 {
		return Cell{}
	}
	return Number(uint16(l))
}

// Flag is "yes" or nothing for people, true or false for programs.
func Flag(b bool) Cell {
	c := Cell{value: b, number: float64(boolInt(b)), kind: logical}
	if b {
		c.text = "yes"
	}
	return c
}

// Time is a time, to the millisecond; the zero time is nothing.
func Time(t time.Time) Cell {
	if t.IsZero() {
		return Cell{}
	}
	return Text(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// As is the cell with another text for people.
func (c Cell) As(text string) Cell {
	c.text = text
	return c
}

// Marked is the cell with a mark.
func (c Cell) Marked(m Mark) Cell {
	c.mark = m
	return c
}

// plain is the value as CSV has it.
func (c Cell) plain() string {
	switch v := c.value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return c.digits()
}

// digits is a whole number.
func (c Cell) digits() string {
	switch v := c.value.(type) {
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return strconv.FormatFloat(c.number, 'f', 0, 64)
}

// String is the text for people, not escaped.
func (c Cell) String() string { return c.text }
