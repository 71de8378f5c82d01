package systopo

import (
	"io"
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/internal/lines"
)

// Read reads a .topo file, with the definitions of the systems in it. A system of
// a type without definition becomes one node with the ports that are named, which
// is a problem. Name stands for the file in problems. Errors are *facts.Error: of
// the stream, facts.ErrNothing and facts.ErrTooLarge.
func Read(r io.Reader, name string, systems *Systems) (*fabric.Fabric, error) {
	set := facts.NewSet()
	if err := ReadInto(r, set.File(name), systems); err != nil {
		return nil, err
	}
	return set.Build()
}

// ReadInto tells what the topology says to a file of a set. The error is that of
// the stream, or facts.ErrTooLarge or ErrDeep in a *facts.Error.
func ReadInto(r io.Reader, f *facts.File, systems *Systems) error {
	d := topoReader{File: f, systems: systems, byName: make(map[string]*instance), unknown: make(map[string]bool)}
	if err := f.Each(r, d.read); err != nil {
		return err
	}
	if d.err == nil {
		d.err = d.build()
	}
	if d.err != nil {
		return &facts.Error{Op: "read", File: f.Name(), Err: d.err}
	}
	return nil
}

type topoReader struct {
	*facts.File
	systems *Systems
	byName  map[string]*instance
	order   []*instance
	current *instance
	cables  []cable
	unknown map[string]bool // types without definition that were told
	err     error
}

// instance is a system of the topology.
type instance struct {
	name, typ string
	line      int
	modifiers map[string]string // of subsystems
	named     map[string]bool   // ports that lines name
	flat      *flat
	first     int // index of its first node among all
}

// cable is a line between two systems.
type cable struct {
	line   int
	a, b   *instance
	pa, pb string
	rate   rate
}

func (d *topoReader) read(line int, text []byte) {
	s, _, _ := strings.Cut(string(text), "#")
	words := strings.Fields(s)
	switch {
	case len(words) == 0:
	case len(words) >= 2 && strings.HasSuffix(words[1], "->"):
		if !d.cable(line, words) {
			d.Bad(line, "expected a port, an arrow as -4x-5G->, and the type, name and port of a system, got %s", lines.Excerpt(text))
		}
	case len(words) >= 2 && text[0] != ' ' && text[0] != '\t':
		d.current = d.instance(line, words[0], words[1])
		d.configure(line, words[2:])
	default:
		d.Bad(line, "expected a system or a cable, got %s", lines.Excerpt(text))
	}
}

// instance finds a system by its name, or adds it.
func (d *topoReader) instance(line int, typ, name string) *instance {
	i := d.byName[name]
	if i == nil {
		i = &instance{name: name, typ: typ, line: line, named: make(map[string]bool)}
		d.byName[name] = i
		d.order = append(d.order, i)
	}
	if i.typ != typ {
		d.Bad(line, "system %q is a %q here, but a %q at %s, which counts", name, typ, i.typ, d.At(i.line))
	}
	return i
}

// configure reads "CFG: leaf3=R,leaf4=12x": R takes a subsystem out, anything else
// chooses a flavor of it.
func (d *topoReader) configure(line int, words []string) {
	if len(words) == 0 {
		return
	}
	text := strings.Join(words, "")
	list, ok := strings.CutPrefix(text, "CFG:")
	if !ok {
		d.Bad(line, "expected CFG: behind a system, got %s", lines.Excerpt([]byte(text)))
		return
	}
	for _, item := range strings.Split(list, ",") {
		part, modifier, ok := strings.Cut(item, "=")
		if !ok {
			d.Bad(line, "expected a subsystem and its modifier, got %s", lines.Excerpt([]byte(item)))
			continue
		}
		if d.current.modifiers == nil {
			d.current.modifiers = make(map[string]string)
		}
		d.current.modifiers[part] = modifier
	}
}

// cable reads "P1 -4x-5G-> MTS2400 SW2 P3". Without a far end it is a port to the
// outside.
func (d *topoReader) cable(line int, words []string) bool {
	const numWords = 5
	r, ok := arrow(words[1])
	if !ok || d.current == nil || len(words) != numWords || len(d.cables) >= lines.MaxPorts {
		return false
	}
	far := d.instance(line, words[2], words[3])
	d.current.named[words[0]], far.named[words[4]] = true, true
	d.cables = append(d.cables, cable{line, d.current, far, words[0], words[4], r})
	return true
}
