package scenario

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxCommand bounds the text of a command.
const maxCommand = 4096

// word is a part of a command.
type word struct {
	text string
	col  int // of its first character, from 1
}

// split cuts a command at blanks. Quotes hold a part together, with the blanks
// in it; they may begin anywhere. A backslash in quotes makes the next character
// an ordinary one.
func split(text string) ([]word, error) {
	if len(text) > maxCommand {
		return nil, invalid("the command is longer than %d bytes", maxCommand)
	}
	var list []word
	var b strings.Builder
	start, col, quoted, escaped := 0, 0, rune(0), false
	for _, r := range text {
		col++
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) && r != '\t':
			return nil, &Error{Col: col, Err: invalid("found %q, expected text", r)}
		case escaped:
			b.WriteRune(r)
			escaped = false
		case quoted != 0 && r == '\\':
			escaped = true
		case r == quoted && quoted != 0:
			quoted = 0
		case quoted == 0 && (r == '"' || r == '\''):
			quoted = r
			start = cmp.Or(start, col)
		case quoted == 0 && (r == ' ' || r == '\t'):
			if start > 0 {
				list = append(list, word{b.String(), start})
				b.Reset()
				start = 0
			}
		default:
			start = cmp.Or(start, col)
			b.WriteRune(r)
		}
	}
	if quoted != 0 {
		return nil, &Error{Col: start, Err: invalid("the quote does not end")}
	}
	if start > 0 {
		list = append(list, word{b.String(), start})
	}
	return list, nil
}

// words are the arguments of a command that are not read yet. The first mistake
// stays in err.
type words struct {
	list  []word
	end   int // the column behind the last
	names []*name
	err   error
}

func (w *words) fail(at word, err error) {
	if w.err == nil {
		w.err = &Error{Col: at.col, Err: err}
	}
}

// next is the next word; the empty one with a mistake where there is none.
func (w *words) next(what string) word {
	if len(w.list) == 0 {
		none := word{col: w.end}
		w.fail(none, expected("", what))
		return none
	}
	first := w.list[0]
	w.list = w.list[1:]
	return first
}

// finish is the mistake, if there is one; words that are left are.
func (w *words) finish() error {
	if w.err == nil && len(w.list) > 0 {
		w.fail(w.list[0], expected(w.list[0].text, "the end of the command"))
	}
	return w.err
}

// options reads what is left as name=value, with names from a list.
func (w *words) options(known ...string) map[string]word {
	all := map[string]word{}
	for len(w.list) > 0 {
		at := w.next("")
		key, value, ok := strings.Cut(at.text, "=")
		switch {
		case !ok || !slices.Contains(known, key):
			w.fail(at, expected(at.text, strings.Join(known, "=…, ")+"=…"))
		case all[key].col != 0:
			w.fail(at, invalid("%s is given twice", key))
		default:
			all[key] = word{value, at.col}
		}
	}
	return all
}

// read reads a value that must be there.
func read[T any](w *words, what string, parse func(string) (T, error)) T {
	at := w.next(what)
	v, err := parse(at.text)
	if err != nil {
		w.fail(at, expected(at.text, what))
	}
	return v
}

// option reads one of options; otherwise stands for one that is not given.
func option[T any](w *words, o map[string]word, key, what string, otherwise T, parse func(string) (T, error)) T {
	at, ok := o[key]
	if !ok {
		return otherwise
	}
	v, err := parse(at.text)
	if err != nil {
		w.fail(at, expected(at.text, key+"="+what))
	}
	return v
}

// What values may be, in words.
const (
	aDuration = "a duration, as 30s or 1m30s"
	aNumber   = "a number"
	aShare    = "a share from 0 to 1, or in percent, as 0.01 or 1%"
)

// maxDuration bounds all durations.
const maxDuration = 366 * 24 * time.Hour

// parseDuration reads a duration from 0; a bare 0 is one.
func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err == nil && (d < 0 || d > maxDuration) {
		err = invalid("it is negative, or more than a year")
	}
	return d, err
}

// parsePositive is parseDuration without 0.
func parsePositive(s string) (time.Duration, error) {
	d, err := parseDuration(s)
	if err == nil && d < time.Millisecond {
		err = invalid("it is shorter than a millisecond")
	}
	return d, err
}
