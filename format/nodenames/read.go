package nodenames

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// maxLines bounds a map: what goes on longer is not a map, but a device.
const maxLines = 1 << 20

// ErrTooLarge is in the error for a map of more than a million lines.
var ErrTooLarge = errors.New("not a node name map: more than a million lines")

// Error says why a map could not be read.
type Error struct {
	Op   string // "read"
	File string
	Err  error
}

func (e *Error) Error() string { return "nodenames: " + e.Op + " " + e.File + ": " + e.Err.Error() }

// Unwrap gives ErrTooLarge or the error of the stream.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a map. Name stands for the file in messages. Lines that are not a
// GUID and a name become problems of kind fabric.BadInput; the only errors are
// those of r and ErrTooLarge, and then the map holds what was read before.
func Read(r io.Reader, name string) (*Map, []fabric.Problem, error) {
	m := &Map{names: make(map[ib.GUID]string)}
	problems := lines.Problems{File: name}
	s := lines.NewScanner(r)
	for s.Scan() {
		if s.Num() > maxLines {
			return m, problems.List(), &Error{Op: "read", File: name, Err: ErrTooLarge}
		}
		text := lines.Cursor(s.Bytes())
		if s.Cut() {
			problems.Bad(s.Num(), "the line is longer than %d bytes; its end is not read", lines.MaxLength)
		}
		if text.Blanks(); len(text) == 0 || text[0] == '#' {
			continue
		}
		m.add(text, s.Num(), &problems)
	}
	if err := s.Err(); err != nil {
		return m, problems.List(), &Error{Op: "read", File: name, Err: plain(err)}
	}
	return m, problems.List(), nil
}

// add adds the name that a line gives.
func (m *Map) add(text lines.Cursor, line int, problems *lines.Problems) {
	word := text.Word()
	guid, ok := parseGUID(string(word))
	if !ok {
		problems.Bad(line, "expected a GUID as 0x0002c90300000010, got %s", lines.Excerpt(word))
		return
	}
	text.Blanks()
	name, ok := nameIn(text)
	if !ok {
		problems.Bad(line, "the quote of the name of %s is not closed", guid)
	}
	if len(name) == 0 {
		problems.Bad(line, "no name for %s", guid)
		return
	}
	if first, ok := m.names[guid]; ok {
		problems.Bad(line, "%s is named before: %q holds", guid, first)
		return
	}
	m.names[guid] = string(name)
}

// parseGUID reads a GUID: 0x and hexadecimal digits, or the other forms that C's
// strtoull takes. 16 digits without 0x are hexadecimal here, and not octal.
func parseGUID(text string) (ib.GUID, bool) {
	if len(text) == 16 {
		if v, ok := lines.Hex([]byte(text)); ok {
			return ib.GUID(v), true
		}
	}
	v, err := strconv.ParseUint(text, 0, 64)
	return ib.GUID(v), err == nil
}

// nameIn is the name at the start of the text, false when its quote is not closed.
func nameIn(text lines.Cursor) ([]byte, bool) {
	if len(text) > 0 && text[0] == '"' {
		if name, ok := text.Between('"', '"'); ok {
			return name, true
		}
		return bytes.TrimRight(text[1:], " \t"), false
	}
	if i := bytes.IndexAny(text, "\"#"); i >= 0 {
		text = text[:i]
	}
	return bytes.TrimRight(text, " \t"), true
}

// plain takes the file name off an error of package os, for Error has it.
func plain(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}
