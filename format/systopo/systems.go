package systopo

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
	"github.com/ibscope/ibscope/ib"
)

// Bounds of definitions.
const (
	maxSystems = 1 << 16
	maxLines   = 1 << 22 // of ports, in all definitions
	maxDepth   = 16      // subsystems within subsystems
)

// ErrDeep is in the error for systems that hold themselves, or too deep.
var ErrDeep = errors.New("subsystems are nested deeper than 16, or hold themselves")

// Systems are definitions of systems, by the names of their types.
type Systems struct {
	byType map[string]*system
	lines  int
}

// NewSystems starts without definitions.
func NewSystems() *Systems { return &Systems{byType: make(map[string]*system)} }

// Has reports whether a type of system is defined.
func (s *Systems) Has(typ string) bool { return s.byType[typ] != nil }

// Len is the number of names of types.
func (s *Systems) Len() int { return len(s.byType) }

// system is a definition: the parts of a system.
type system struct {
	parts []*part
}

// part is a node or a subsystem.
type part struct {
	name   string // "U1", "leaf1"
	of     string // type of a subsystem, "" for a node
	file   string // whose own systems it may be one of
	isNode bool
	typ    ib.NodeType
	ports  int
	wires  []wire
}

// wire is a line of a part: one of its ports leads to a port of another part, or
// is a port of the system.
type wire struct {
	port string // "1" of a node, "P1" of a subsystem
	part string // "" for a port of the system
	to   string
	rate rate
}

// rate is what "-4x-5G->" tells.
type rate struct {
	width ib.LinkWidth
	speed ib.LinkSpeed
}

// Read adds the definitions of an .ibnl file. What cannot be understood is a
// problem of f; a type that is defined already keeps its definition, as in ibdm
// the first file found counts. The error is that of the stream.
func (s *Systems) Read(r io.Reader, f *facts.File) error {
	d := defReader{Systems: s, File: f}
	return f.Each(r, d.read)
}

type defReader struct {
	*Systems
	*facts.File
	current *system
	part    *part
}

func (d *defReader) read(line int, text []byte) {
	s, _, _ := strings.Cut(string(text), "#")
	words := strings.Fields(s)
	if len(words) == 0 {
		return
	}
	ok := false
	switch words[0] {
	case "SYSTEM", "TOPSYSTEM":
		ok = len(words) >= 2 && d.system(line, words)
	case "NODE":
		ok = d.node(words)
	case "SUBSYSTEM":
		ok = d.subsystem(words)
	default:
		ok = d.wire(words) || len(words) == 1 && strings.Contains(words[0], "=") // an attribute of a node
	}
	if !ok {
		d.Bad(line, "expected SYSTEM, NODE, SUBSYSTEM or a port, got %s", lines.Excerpt(text))
	}
}

// system begins a definition: "TOPSYSTEM Reindeer,MTS2400". A SYSTEM is a part of
// what its file defines, and known to that file only.
func (d *defReader) system(line int, words []string) bool {
	if len(d.byType) > maxSystems {
		d.Bad(line, "more than %d systems", maxSystems)
		return true
	}
	d.current, d.part = new(system), nil
	for _, name := range strings.Split(strings.Join(words[1:], ""), ",") {
		if words[0] == "SYSTEM" {
			name = scoped(d.Name(), name)
		}
		if name != "" && d.byType[name] == nil {
			d.byType[name] = d.current
		}
	}
	return true
}

// node reads "NODE SW 24 MT47396 U1".
func (d *defReader) node(words []string) bool {
	const numWords = 5
	if len(words) < numWords || d.current == nil {
		return false
	}
	ports, err := strconv.Atoi(words[2])
	if err != nil || ports < 1 || ports > 254 {
		return false
	}
	p := &part{name: words[4], isNode: true, ports: ports, typ: ib.NodeCA}
	if words[1] == "SW" {
		p.typ = ib.NodeSwitch
	}
	return d.addPart(p)
}

// subsystem reads "SUBSYSTEM LEAF leaf1".
func (d *defReader) subsystem(words []string) bool {
	const numWords = 3
	return len(words) >= numWords && d.current != nil && d.addPart(&part{name: words[2], of: words[1], file: d.Name()})
}

func (d *defReader) addPart(p *part) bool {
	if d.lines++; d.lines > maxLines {
		return false
	}
	d.part = p
	d.current.parts = append(d.current.parts, p)
	return true
}

// scoped is the key of a SYSTEM, which no .topo can name.
func scoped(file, name string) string { return file + "\x00" + name }

// find is the definition of a subsystem: with the modifier that a topology gives
// it, or without.
func (s *Systems) find(p *part, modifier string) *system {
	for _, name := range []string{p.of + ":" + modifier, p.of} {
		if def := s.byType[scoped(p.file, name)]; def != nil {
			return def
		}
		if def := s.byType[name]; def != nil {
			return def
		}
	}
	return nil
}

// wire reads "1 -> P1", "1 -4x-5G-> U3 8" or "P1 -> leaf2 P1".
func (d *defReader) wire(words []string) bool {
	if d.part == nil || len(words) < 3 || len(words) > 4 {
		return false
	}
	r, ok := arrow(words[1])
	if !ok {
		return false
	}
	if d.lines++; d.lines > maxLines {
		return false
	}
	w := wire{port: words[0], to: words[len(words)-1], rate: r}
	if len(words) == 4 {
		w.part = words[2]
	}
	d.part.wires = append(d.part.wires, w)
	return true
}

// arrow reads "->", "-5G->" and "-4x-5G->".
func arrow(s string) (r rate, ok bool) {
	inner, ok := strings.CutSuffix(s, "->")
	if !ok {
		return r, false
	}
	for _, word := range strings.Split(inner, "-") {
		if word == "" {
			continue
		}
		if w, isWidth := facts.Width(word); isWidth {
			r.width = w
			continue
		}
		v, isSpeed := facts.Speed(strings.TrimSuffix(word, "G"))
		if !isSpeed {
			return r, false
		}
		r.speed = v
	}
	return r, true
}
