package dbcsv

import (
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Section is what was found of one section.
type Section struct {
	Name    string
	Line    int      // of START_NAME
	Rows    int      // without the column names
	Read    bool     // false for a section that is passed over
	Skipped []string // columns of a section that is read which are passed over
}

// Database is what a file holds beside the graph.
type Database struct {
	Sections []Section
	Counters []counterdump.Record // of PM_INFO
}

// Read reads a database. Name stands for the file in problems. Errors are
// *facts.Error: of the stream, facts.ErrNothing and facts.ErrTooLarge.
func Read(r io.Reader, name string) (*fabric.Fabric, *Database, error) {
	set := facts.NewSet()
	db, err := ReadInto(r, set.File(name))
	if err != nil {
		return nil, nil, err
	}
	f, err := set.Build()
	if err != nil {
		return nil, nil, err
	}
	return f, db, nil
}

// ReadInto tells what the sections NODES, PORTS, SWITCHES, LINKS and
// EXTENDED_PORT_INFO say to a file of a set. A section that does not end, or has
// not as many rows as the index at the end of the file says, is a problem. The
// error is that of the stream.
func ReadInto(r io.Reader, f *facts.File) (*Database, error) {
	d := reader{File: f}
	if err := f.Each(r, d.read); err != nil {
		return nil, err
	}
	if d.open {
		s := d.section()
		f.Bad(s.Line, "section %s has no end; the file may be cut off", s.Name)
	}
	return &d.db, nil
}

// maxSections bounds the sections of a file; ibdiagnet has some 150.
const maxSections = 4096

type reader struct {
	*facts.File
	db      Database
	open    bool // in a section
	titled  bool // its columns are known
	kind    *kind
	columns []column
	width   int // columns in the line of names
	cells   []string
}

func (d *reader) section() *Section { return &d.db.Sections[len(d.db.Sections)-1] }

func (d *reader) read(line int, text []byte) {
	s := strings.TrimSpace(string(text))
	if name, ok := strings.CutPrefix(s, "START_"); ok && !strings.ContainsAny(name, ", ") {
		d.start(line, name)
		return
	}
	if name, ok := strings.CutPrefix(s, "END_"); ok && !strings.ContainsAny(name, ", ") {
		if !d.open || d.section().Name != name {
			d.Bad(line, "END_%s without its START_%s", name, name)
		}
		d.open = false
		return
	}
	switch {
	case s == "":
	case !d.open:
		if s[0] != '#' {
			d.Bad(line, "expected the start of a section, got %s", lines.Excerpt(text))
		}
	case !d.titled:
		d.titles(line, s)
	default:
		d.section().Rows++
		d.row(line, s)
	}
}

func (d *reader) start(line int, name string) {
	if d.open {
		d.Bad(line, "section %s begins, but %s has no end", name, d.section().Name)
	}
	if len(d.db.Sections) >= maxSections {
		d.open = false
		d.Bad(line, "more than %d sections; this one is not read", maxSections)
		return
	}
	d.open, d.titled, d.kind = true, false, kindOf(name)
	d.db.Sections = append(d.db.Sections, Section{Name: name, Line: line, Read: d.kind != nil})
}

// titles reads the column names.
func (d *reader) titles(line int, s string) {
	d.titled = true
	names := split(nil, s)
	d.width, d.columns = len(names), d.columns[:0]
	if d.kind == nil {
		return
	}
	have := make(map[string]bool)
	for i, name := range names {
		name = strings.TrimSpace(name)
		c, ok := d.kind.column(name)
		if !ok {
			d.section().Skipped = append(d.section().Skipped, name)
			continue
		}
		upper := strings.ToUpper(name)
		have[upper] = true
		_, isIdentity := identity(upper)
		c.at, c.must = i, isIdentity && upper != "PORTGUID"
		d.columns = append(d.columns, c)
	}
	for _, need := range d.kind.needs {
		if !have[strings.ToUpper(need)] {
			d.Bad(line, "section %s has no column %s, and is not read", d.section().Name, need)
			d.kind = nil
			d.section().Read = false
			return
		}
	}
}

func (d *reader) row(line int, s string) {
	if d.kind == nil {
		return
	}
	d.cells = split(d.cells[:0], s)
	if end := strings.LastIndex(s, `",`); len(d.cells) > d.width && s[0] == '"' && end > 0 {
		// A description with a quote and a comma in it, in front of numbers.
		d.cells = split(append(d.cells[:0], s[1:end]), s[end+2:])
	}
	if len(d.cells) < d.width {
		d.Bad(line, "section %s: expected %d columns, got %d", d.section().Name, d.width, len(d.cells))
		return
	}
	v := values{line: line}
	for i := range d.columns {
		c := &d.columns[i]
		text := strings.TrimSpace(d.cells[c.at])
		ok := c.take(&v, text)
		if !ok && (c.must || !isAbsent(text)) {
			d.Bad(line, "section %s, column %s: %s is no value for it", d.section().Name, c.name, lines.Excerpt([]byte(text)))
		}
		if !ok && c.must {
			return
		}
	}
	if v.node == 0 && v.desc == "" {
		d.Bad(line, "section %s: the node GUID is 0; the row is left out", d.section().Name)
		return
	}
	d.kind.tell(d, &v)
}

// isAbsent reports whether a cell says that there is no value.
func isAbsent(text string) bool {
	switch text {
	case "", "N/A", "NA", "ERR", "-1":
		return true
	}
	return false
}

// split cuts a line at its commas. A cell in quotes ends with a quote before a
// comma or the end, so that quotes within a description do no harm.
func split(cells []string, s string) []string {
	for {
		if strings.HasPrefix(s, `"`) {
			if end := strings.Index(s[1:], `",`); end >= 0 {
				cells = append(cells, s[1:1+end])
				s = s[end+3:]
				continue
			}
			if strings.HasSuffix(s, `"`) && len(s) > 1 {
				return append(cells, s[1:len(s)-1])
			}
		}
		cell, rest, more := strings.Cut(s, ",")
		cells = append(cells, cell)
		if !more {
			return cells
		}
		s = rest
	}
}

// values are those of a row.
type values struct {
	line       int
	node, port ib.GUID
	num        int
	far        facts.End
	typ        ib.NodeType
	desc       string
	localPort  int
	fact       facts.Fact
	speed      ib.LinkSpeed // in use
	supported  ib.LinkSpeed
	enabled    ib.LinkSpeed
	fdr10      bool
	firmware   [3]uint64 // major, minor, below
	counters   []counter
}

type counter struct {
	name string
	n    uint64
}
