package ibsimnet

import (
	"errors"
	"io"
	"strconv"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of what one topology may hold.
const (
	maxDepth    = 9   // of include lines in included files, as in ibsim
	maxIncludes = 256 // in all
	maxPorts    = 255 // of a node
)

// Options change how Read works; nil stands for the zero Options.
type Options struct {
	// NoInclude makes include lines problems. Otherwise they open files, whose
	// names are relative to the directory of the file that names them.
	NoInclude bool
}

// ErrNothing is in the error for a text without a node.
var ErrNothing = errors.New(`no node in it: expected lines such as Switch 8 "id" and [1] "other id"[1]`)

// ErrTooLarge is in the error for a topology whose nodes have more than 8
// million ports.
var ErrTooLarge = lines.ErrTooLarge

// errNotRegular is why an include line is not followed.
var errNotRegular = errors.New("not a regular file")

// Error says why a topology could not be read.
type Error struct {
	Op   string // "read" or "include"
	File string
	Line int // 0 where it does not matter
	Err  error
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	return "ibsimnet: " + e.Op + " " + where + ": " + e.Err.Error()
}

// Unwrap gives ErrNothing, ErrTooLarge or the error of the stream.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a topology. Name is its file name: included files are looked for
// beside it, and messages name it.
func Read(r io.Reader, name string, o *Options) (*fabric.Fabric, error) {
	p := newParser(name)
	if o != nil {
		p.opts = *o
	}
	if err := p.readFile(r, name); err != nil {
		return nil, err
	}
	if len(p.nodes) == 0 {
		return nil, &Error{Op: "read", File: name, Err: ErrNothing}
	}
	return p.build(name), nil
}

// parser is the state of reading: what ibsim keeps in global variables.
type parser struct {
	opts     Options
	keywords []keyword
	problems lines.Problems
	files    []string // a position names a file by its index
	file     int      // current file
	line     int
	depth    int
	nodes    []*node
	total    int // ports of all nodes
	byID     map[string]*node
	aliases  map[string]*port
	module   string
	width    ib.LinkWidth // defaults for the nodes that follow
	speed    uint8
	ext      uint8
	device   uint16
	vendor   uint32  // of the next node
	system   ib.GUID // of the next node, 0 for its node GUID
	guids    [4]guidPool
	open     *node // the node whose port lines are being read
}

// guidPool gives the node GUIDs of one type of nodes.
type guidPool struct{ base, next ib.GUID }

func newParser(name string) *parser {
	p := &parser{keywords: keywords(), byID: make(map[string]*node), aliases: make(map[string]*port), width: ib.Width4x, speed: ib.SpeedSDR.Base()}
	p.guids[ib.NodeCA] = guidPool{0x100000, 0x100000}
	p.guids[ib.NodeSwitch] = guidPool{0x200000, 0x200000}
	p.problems.File = name
	return p
}

// position is a line of one of the files.
type position struct{ file, line int32 }

func (p *parser) here() position { return position{int32(p.file), int32(p.line)} }

// bad records a problem with the current line.
func (p *parser) bad(format string, args ...any) { p.badAt(p.here(), format, args...) }

func (p *parser) badAt(at position, format string, args ...any) {
	p.problems.File = p.files[at.file]
	p.problems.Bad(int(at.line), format, args...)
}

// node is a node as the file describes it.
type node struct {
	at       position
	id       string // with its module
	typ      ib.NodeType
	desc     string
	guid     ib.GUID
	system   ib.GUID
	vendor   uint32
	device   uint16
	enhanced bool
	ports    []port // by number; 0 is used of switches only
	left     int    // port lines that may still follow
	index    int    // in parser.nodes
}

// port is a port as the file describes it: enabled rates, and what it says
// about its peer.
type port struct {
	node   *node
	num    uint8
	listed bool
	at     position
	remote string // id or alias with its module, "" for none
	rport  uint8
	alias  bool // it is linked by an alias: the other end has the link
	lid    ib.LID
	lmc    uint8
	width  ib.LinkWidth
	speed  uint8
	ext    uint8 // LinkSpeedExtEnabled, XDR as bit 5
	fdr10  bool
	peer   *port
	active rate
}

// rate is what a link runs at.
type rate struct {
	width ib.LinkWidth
	speed uint8
	ext   uint8
	fdr10 bool
}
