package lftdump

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

const (
	maxLine   = 64 << 10
	maxTables = 1 << 17 // as many switches as LIDs, and more
	maxLIDs   = 1 << 28 // of all tables
)

// ErrNothing is in the error for a file without any table; ErrTooLarge in that
// for one with more tables or LIDs than a fabric can have.
var (
	ErrNothing  = errors.New("no forwarding tables: expected the output of dump_fts, lines \"Unicast lids …\", or an .fdbs file")
	ErrTooLarge = errors.New("too large for the tables of a fabric")
)

// Error is a file that could not be read, with the number of the line, 0 for the
// file as a whole. errors.Is finds ErrNothing, ErrTooLarge and those of the reader.
type Error struct {
	Name string
	Line int
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Table is the forwarding table of a switch.
type Table struct {
	GUID    ib.GUID
	Name    string // as printed: from a name map, or the description; "" in .fdbs. Untrusted text
	Line    int    // of the heading
	Entries []Entry
}

// Linear is the table as fabric.Builder.SetLFT wants it: entry i is the output
// port for LID i, 255 for none.
func (t *Table) Linear() []uint8 {
	top := ib.LID(0)
	for _, e := range t.Entries {
		top = max(top, e.LID)
	}
	const none = 255
	linear := bytes.Repeat([]byte{none}, int(top)+1)
	for _, e := range t.Entries {
		linear[e.LID] = e.Port
	}
	return linear
}

// Entry is a LID of a table.
type Entry struct {
	LID  ib.LID
	Port uint8
	// Owner is the type of the node that has the LID, 0 where that is not told:
	// with -n, or for a LID that nobody has.
	Owner ib.NodeType
}

// Read reads tables: the output of dump_fts or ibroute, OpenSM's opensm-lfts.dump,
// or an .fdbs file of OpenSM or ibdiagnet, whose hops are not kept. Lines of any
// other kind are passed over, which are headings, sums, warnings and, in .fdbs, LIDs
// that are not reached. Name is that of the file, for errors.
func Read(r io.Reader, name string) ([]Table, error) {
	d := reader{name: name}
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 4096), maxLine)
	for s.Scan() {
		d.line++
		if err := d.take(s.Bytes()); err != nil {
			return nil, &Error{name, d.line, err}
		}
	}
	if err := s.Err(); err != nil {
		return nil, &Error{name, d.line + 1, err}
	}
	if len(d.tables) == 0 {
		return nil, &Error{name, 0, ErrNothing}
	}
	return d.tables, nil
}

type reader struct {
	name   string
	line   int
	lids   int
	tables []Table
	owner  ib.NodeType // of the last LID that told it: further LIDs of its port follow
}

func (d *reader) take(line []byte) error {
	c := lines.Cursor(line)
	switch {
	case c.Text("Unicast lids "):
		return d.heading(line)
	case c.Text("0x") && len(d.tables) > 0:
		return d.entry(c)
	}
	if _, guid, ok := bytes.Cut(line, []byte("dump_ucast_routes: Switch 0x")); ok {
		return d.start(guid, "")
	}
	return nil
}

// start begins the table of a switch.
func (d *reader) start(guid []byte, name string) error {
	v, ok := lines.Hex(bytes.TrimSpace(guid))
	switch {
	case !ok:
		return errors.New("expected the GUID of a switch, \" guid 0x…\" or \"Switch 0x…\"")
	case len(d.tables) == maxTables:
		return ErrTooLarge
	}
	d.tables = append(d.tables, Table{GUID: ib.GUID(v), Name: name, Line: d.line})
	d.owner = 0
	return nil
}

// heading reads "Unicast lids [0x0-0xc] of switch Lid 7 guid 0x… (name):".
func (d *reader) heading(line []byte) error {
	_, after, ok := bytes.Cut(line, []byte(" guid "))
	c := lines.Cursor(after)
	guid := c.Word()
	if !ok {
		guid = nil
	}
	name := bytes.TrimSuffix(bytes.TrimSpace(c), []byte(":"))
	name = bytes.TrimSuffix(bytes.TrimPrefix(name, []byte("(")), []byte(")"))
	if len(name) > 1 && name[0] == '\'' && name[len(name)-1] == '\'' {
		name = name[1 : len(name)-1] // OpenSM's
	}
	return d.start(guid, string(name))
}

// entry reads "0x0002 005 : (Channel Adapter portguid 0x…: 'name')" behind its 0x.
func (d *reader) entry(c lines.Cursor) error {
	lid, ok := lines.Hex(c.Word())
	c.Blanks()
	if c.Text(": ") && c.Text("UNREACHABLE") {
		return nil // .fdbs
	}
	port, isPort := c.Uint()
	if !ok || !isPort || lid > uint64(ib.MaxUnicastLID) || port > 255 {
		return errors.New("expected a LID and a port, as \"0x0002 005\"")
	}
	if d.lids++; d.lids > maxLIDs {
		return ErrTooLarge
	}
	c.Blanks()
	if !c.Text(": ") {
		c.Text("# ") // OpenSM's own
	}
	c.Text("(")
	switch {
	case c.Text("path #"):
		// of the port that has told its type
	case c.Text("Channel Adapter "):
		d.owner = ib.NodeCA
	case c.Text("Switch "):
		d.owner = ib.NodeSwitch
	case c.Text("Router "):
		d.owner = ib.NodeRouter
	default:
		d.owner = 0
	}
	t := &d.tables[len(d.tables)-1]
	t.Entries = append(t.Entries, Entry{ib.LID(lid), uint8(port), d.owner})
	return nil
}
