package guid2lid

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// MaxEntries is the most entries of a file; a subnet has not so many LIDs.
const MaxEntries = 1 << 20

// ErrNothing is in the error for a text without an entry; ErrTooLarge in that for
// one with more than MaxEntries.
var (
	ErrNothing  = errors.New("no entry in it: expected lines of a port GUID, its lowest and its highest LID")
	ErrTooLarge = errors.New("more entries than a subnet has LIDs")
)

// Error is a file that could not be read, with the line, 0 for the file as a whole.
type Error struct {
	Op   string // "read"
	File string
	Line int
	Err  error
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	return "guid2lid: " + e.Op + " " + where + ": " + e.Err.Error()
}

// Unwrap gives ErrNothing, ErrTooLarge or the error of the stream.
func (e *Error) Unwrap() error { return e.Err }

// Entry is the range of LIDs of a port GUID.
type Entry struct {
	Line     int
	GUID     ib.GUID
	Min, Max ib.LID
}

// LMC is the LID mask control of the range: the least that holds it.
func (e Entry) LMC() uint8 { return uint8(bits.Len16(uint16(e.Max - e.Min))) }

// Read reads entries. Name stands for the file in messages. Lines that cannot be
// understood, ranges that are none, and GUIDs that come again are problems of kind
// fabric.BadInput. The error is an *Error.
func Read(r io.Reader, name string) ([]Entry, []fabric.Problem, error) {
	problems := lines.Problems{File: name}
	var list []Entry
	seen := make(map[ib.GUID]int)
	s := lines.NewScanner(r)
	for s.Scan() {
		text := bytes.TrimSpace(s.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		e, ok := readEntry(text)
		switch {
		case !ok:
			problems.Bad(s.Num(), "expected a port GUID and two LIDs in order, got %s", lines.Excerpt(text))
			continue
		case seen[e.GUID] > 0:
			problems.Bad(s.Num(), "port GUID %s was told before, at %s; this line is not used", e.GUID, problems.At(seen[e.GUID]))
			continue
		case len(list) == MaxEntries:
			return nil, nil, &Error{Op: "read", File: name, Line: s.Num(), Err: ErrTooLarge}
		}
		e.Line = s.Num()
		seen[e.GUID] = e.Line
		list = append(list, e)
	}
	if err := s.Err(); err != nil {
		return nil, nil, &Error{Op: "read", File: name, Line: s.Num(), Err: err}
	}
	if len(list) == 0 {
		return nil, nil, &Error{Op: "read", File: name, Err: ErrNothing}
	}
	return list, problems.List(), nil
}

func readEntry(text []byte) (e Entry, ok bool) {
	words := bytes.Fields(text)
	const numWords = 3
	if len(words) != numWords {
		return e, false
	}
	guid, a := lines.Hex(words[0])
	low, b := lines.Hex(words[1])
	high, c := lines.Hex(words[2])
	const maxRange = 1 << 7 // the largest LMC is 7
	if !a || !b || !c || guid == 0 || low == 0 || high < low || high-low >= maxRange || high > uint64(ib.MaxUnicastLID) {
		return e, false
	}
	return Entry{GUID: ib.GUID(guid), Min: ib.LID(low), Max: ib.LID(high)}, true
}

// Tell tells the LIDs to a file of a set, for the ports that other files know.
func Tell(f *facts.File, list []Entry) {
	lmc := facts.PortField("LMC")
	for _, e := range list {
		var fact facts.Fact
		fact.LID(e.Min)
		fact.Set(lmc, uint64(e.LMC()))
		f.LIDOf(e.Line, e.GUID, &fact)
	}
}
