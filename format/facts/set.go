package facts

import (
	"slices"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Set gathers what files tell about one fabric. It is not safe for concurrent use.
type Set struct {
	nodes map[ib.GUID]*node
	order []*node // as first told
	files []*File
	ports int // slots for ports in all nodes
	full  bool
	later []func(Finder)
	last  []func() // after those
}

// NewSet starts an empty set.
func NewSet() *Set { return &Set{nodes: make(map[ib.GUID]*node)} }

// File begins to read a file; its name stands in problems.
func (s *Set) File(name string) *File {
	f := &File{set: s, index: int32(len(s.files)), problems: lines.Problems{File: name}}
	s.files = append(s.files, f)
	return f
}

// at is a place as text, "a.lst:17".
func (s *Set) at(p place) string { return s.files[p.file].At(int(p.line)) }

// IsEmpty reports whether no node has been told.
func (s *Set) IsEmpty() bool { return len(s.order) == 0 }

// File is a file that tells facts.
type File struct {
	set      *Set
	index    int32
	problems lines.Problems
	orphans  *tally // port GUIDs of no node
}

// Name is the name of the file.
func (f *File) Name() string { return f.problems.File }

// At is a line of the file as text, "a.lst:17"; the file alone for line 0.
func (f *File) At(line int) string {
	if line == 0 {
		return f.Name()
	}
	return f.problems.At(line)
}

// Bad records that a line could not be understood.
func (f *File) Bad(line int, format string, args ...any) { f.problems.Bad(line, format, args...) }

// Note records any problem.
func (f *File) Note(p fabric.Problem) { f.problems.Add(p) }

// Problems lists what was recorded so far.
func (f *File) Problems() []fabric.Problem { return slices.Clone(f.problems.List()) }

func (f *File) place(line int) place { return place{f.index, int32(line)} }

// node is all that is told of a node.
type node struct {
	guid ib.GUID
	info attribute // NodeInfo
	sw   attribute // SwitchInfo
	line place     // where it was first told

	desc    string
	hasDesc bool
	descAt  place

	ports []*port
	lft   []uint8
	lftAt place

	firmware   string
	firmwareAt place
}

// port is all that is told of a port.
type port struct {
	info   attribute
	fdr10  bool
	guid   ib.GUID // 0 when not told
	guidAt place
	// guidGuess is what holds if it is not told.
	guidGuess ib.GUID
	far       *far
}

// far is where a port's cable leads.
type far struct {
	End
	at place
}

// End is one end of a link.
type End struct {
	Node ib.GUID
	Port int // 1…254, 0 for a router's or switch's own port
}

// maxPort is the highest port number of a node.
const maxPort = 254

func (f *File) node(line int, guid ib.GUID) *node {
	s := f.set
	n := s.nodes[guid]
	if n == nil {
		if s.ports++; s.ports > lines.MaxPorts {
			s.full = true
		}
		n = &node{guid: guid, line: f.place(line)}
		s.nodes[guid] = n
		s.order = append(s.order, n)
	}
	return n
}

// port finds a port of a node; nil beyond all bounds.
func (f *File) port(line int, guid ib.GUID, num int) *port {
	if num < 0 || num > maxPort {
		f.Bad(line, "port number %d of node %s is beyond %d", num, guid, maxPort)
		return nil
	}
	n := f.node(line, guid)
	if num >= len(n.ports) {
		s := f.set
		if s.ports += num + 1 - len(n.ports); s.ports > lines.MaxPorts {
			s.full = true
			return nil
		}
		n.ports = append(n.ports, make([]*port, num+1-len(n.ports))...)
	}
	if n.ports[num] == nil {
		n.ports[num] = new(port)
	}
	return n.ports[num]
}
