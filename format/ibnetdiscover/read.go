package ibnetdiscover

import (
	"bytes"
	"io"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Read reads what ibnetdiscover, ibswitches, ibhosts or ibrouters printed: a
// topology (default, --full or -g), a ports report (-p) or a list (-l, -S, -H,
// -R); also the .ibnetdiscover file of ibdiagnet and hand-made topologies in
// the same form. The text tells what it is line by line, so any mixture is fine.
//
// Name stands for the file in messages. Lines that cannot be understood are
// skipped and become problems of kind fabric.BadInput; the error is not nil
// only when reading fails, nothing at all is recognised (ErrNothing), or the
// fabric is beyond all bounds (ErrTooLarge).
//
// A text tells much less than a sweep: readattr.go says which fields come from
// where. Labels of front panel ports and chassis positions, as ibdiagnet and -g
// print them, are not kept: package fabric finds chassis by itself.
//
// Nodes come in the order of the sweep as far as the file tells it: within each
// type that is the file's order reversed, for ibnetdiscover prints the newest
// node first, except within a chassis.
func Read(r io.Reader, name string) (*fabric.Fabric, error) {
	g, err := readGraph(r, name)
	if err != nil {
		return nil, err
	}
	return g.b.Build(), nil
}

// reader gathers records until the whole text is known.
type reader struct {
	problems lines.Problems
	line     int // number of the current line

	ids     map[string]int32 // index in peers
	peers   []peer           // one for each id, in order of first mention
	records []record         // nodes in the order of the file
	links   []link           // port lines

	next    head  // what stands before the next node header
	current int32 // record that port lines belong to, -1 for none

	swept    map[ib.GUID]ib.DRPath // nodes that progress lines call new
	sweptCAs map[ib.GUID]bool
	section  int32 // chassis of -g that is being read, 0 for none
	sections int32
	reported bool // a ports report: its order is that of all types

	sweep     fabric.Sweep // from the header
	startNode ib.GUID
	startPort ib.GUID
	hasStart  bool

	// What is normal where a name map or a redacting editor was at work is
	// counted, and makes one problem each.
	oddGUIDs, otherNames, otherLIDs, otherGUIDs tally
}

// tally counts lines that have something in common.
type tally struct {
	count int
	first int32
}

func (t *tally) add(line int32) {
	if t.count == 0 || line < t.first {
		t.first = line
	}
	t.count++
}

func newReader(name string) *reader {
	return &reader{
		problems: lines.Problems{File: name},
		ids:      make(map[string]int32),
		current:  -1,
		swept:    make(map[ib.GUID]ib.DRPath),
		sweptCAs: make(map[ib.GUID]bool),
	}
}

// shapes are the kinds of lines, in the order in which they are tried. A line
// belongs to the first whose start it has; read reports false when it then
// does not fit, and what was expected becomes a problem.
var shapes = []struct {
	start string
	read  func(*reader, lines.Cursor) bool
	want  string
}{
	{"[", (*reader).readPort, `[port] "peer id"[peer port] # …, with numbers from 1 to 255`},
	{"vendid=", (*reader).readVendor, "vendid=0x and a number below 0x1000000"},
	{"devid=", (*reader).readDevice, "devid=0x and a number below 0x10000"},
	{"sysimgguid=", (*reader).readSystem, "sysimgguid=0x and 16 hexadecimal digits"},
	{"switchguid=", (*reader).readGUIDs, "switchguid=0x and 16 hexadecimal digits"},
	{"caguid=", (*reader).readGUIDs, "caguid=0x and 16 hexadecimal digits"},
	{"rtguid=", (*reader).readGUIDs, "rtguid=0x and 16 hexadecimal digits"},
	{"#", (*reader).readComment, ""},
	{"Switch", (*reader).readNode, `Switch, the number of ports and "S-<GUID>"`},
	{"SW ", (*reader).readReport, "a line of a ports report"},
	{"Ca", (*reader).readNode, `Ca, the number of ports and "H-<GUID>"`},
	{"CA ", (*reader).readReport, "a line of a ports report"},
	{"Hca", (*reader).readNode, `Hca, the number of ports and an id in quotes`},
	{"RT ", (*reader).readReport, "a line of a ports report"},
	{"Rt", (*reader).readNode, `Rt, the number of ports and "R-<GUID>"`},
	{"Router", (*reader).readNode, "Router, a GUID and a number of ports"},
	{"DR path", (*reader).readProgress, `"DR path …" and what the sweep found there`},
	{"Lid", (*reader).readProgress, `"Lid …" and what the sweep found there`},
	{"Chassis", (*reader).readSection, "Chassis and its number"},
	{"Non-Chassis Nodes", (*reader).readSection, "Non-Chassis Nodes"},
	{"Hostname:", (*reader).readSection, "Hostname:"},
}

func (d *reader) readLine(line []byte) {
	text := lines.Cursor(bytes.TrimRight(line, " \t"))
	text.Blanks()
	if len(text) == 0 {
		return
	}
	for i := range shapes {
		if s := &shapes[i]; len(text) >= len(s.start) && string(text[:len(s.start)]) == s.start {
			if !s.read(d, text) {
				d.problems.Bad(d.line, "expected %s, got %s", s.want, lines.Excerpt(text))
			}
			return
		}
	}
	if !d.readFailure(text) {
		d.problems.Bad(d.line, "expected a line of ibnetdiscover, got %s", lines.Excerpt(text))
	}
}
