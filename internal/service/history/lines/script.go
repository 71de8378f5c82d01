package lines

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/ibscope/ibscope/fabric"
)

// A script makes lines of other lines: it copies a run of them, then adds lines of its
// own, and so on. Each step is three numbers in the variable length form of
// encoding/binary: the first line to copy, how many, and how many lines follow, each
// with its length before it.

// ErrScript is a script that does not fit the lines it is for.
var ErrScript = errors.New("differences that do not fit")

// digest stands for a line.
type digest [16]byte

func digestOf(line []byte) digest {
	sum := sha256.Sum256(line)
	return digest(sum[:16])
}

// Outline is what is kept in memory of the lines of a fabric, to find out what is
// different in the next.
type Outline struct {
	lines []digest
	heads []int32 // the lines that begin a node
	begin int     // the first line that is about the fabric, not about the sweep
}

// OutlineOf makes the outline of a fabric. Errors are those of Each.
func OutlineOf(model *fabric.Fabric) (*Outline, error) {
	o := &Outline{}
	return o, Each(model, o.Add)
}

// Add adds a line.
func (o *Outline) Add(line []byte) {
	switch {
	case bytes.HasPrefix(line, nodeMark):
		o.heads = append(o.heads, int32(len(o.lines)))
	case bytes.HasPrefix(line, nodesMark):
		o.begin = len(o.lines)
	}
	o.lines = append(o.lines, digestOf(line))
}

// IsSame reports whether two fabrics have the same nodes, ports and problems.
func (o *Outline) IsSame(p *Outline) bool {
	a, b := o.lines[o.begin:], p.lines[p.begin:]
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Scripter writes the script from a base to lines that are handed to Add in order.
type Scripter struct {
	base   *Outline
	heads  map[digest]int
	isHead map[int]bool
	cursor int // the line of base that is expected next

	script   []byte
	from, n  int // lines being copied
	added    int // lines being added after them
	addition []byte
}

// NewScripter begins a script for the lines that an outline is of.
func NewScripter(base *Outline) *Scripter {
	s := &Scripter{base: base, heads: map[digest]int{}, isHead: map[int]bool{}}
	for _, i := range base.heads {
		s.isHead[int(i)] = true
		if _, twice := s.heads[base.lines[i]]; !twice {
			s.heads[base.lines[i]] = int(i)
		}
	}
	return s
}

// Add takes the next line.
func (s *Scripter) Add(line []byte) {
	d := digestOf(line)
	head := bytes.HasPrefix(line, nodeMark)
	if s.cursor >= len(s.base.lines) || s.base.lines[s.cursor] != d {
		at, found := s.heads[d]
		if !head || !found {
			s.insert(line)
			// The line is in the place of that of base, unless it is a port more than
			// the node there has.
			if head || !s.isHead[s.cursor] {
				s.cursor++
			}
			return
		}
		s.cursor = at
	}
	if s.added > 0 || s.from+s.n != s.cursor {
		s.step()
		s.from = s.cursor
	}
	s.n++
	s.cursor++
}

func (s *Scripter) insert(line []byte) {
	s.added++
	s.addition = binary.AppendUvarint(s.addition, uint64(len(line)))
	s.addition = append(s.addition, line...)
}

// step ends a step of the script.
func (s *Scripter) step() {
	if s.n+s.added > 0 {
		for _, v := range []int{s.from, s.n, s.added} {
			s.script = binary.AppendUvarint(s.script, uint64(v))
		}
		s.script = append(s.script, s.addition...)
	}
	s.from, s.n, s.added, s.addition = 0, 0, 0, s.addition[:0]
}

// Finish gives the script.
func (s *Scripter) Finish() []byte {
	s.step()
	return s.script
}

// Apply makes lines by a script. They share memory with base and script.
// The error is ErrScript.
func Apply(base [][]byte, script []byte) ([][]byte, error) {
	var lines [][]byte
	number := func(limit int) int {
		v, n := binary.Uvarint(script)
		if n <= 0 || v > uint64(limit) {
			script = nil
			return -1
		}
		script = script[n:]
		return int(v)
	}
	for len(script) > 0 {
		from, n, added := number(len(base)), number(len(base)), number(len(script))
		if from < 0 || n < 0 || added < 0 || from+n > len(base) || len(lines)+n > maxLines {
			return nil, ErrScript
		}
		lines = append(lines, base[from:from+n]...)
		for range added {
			length := number(len(script))
			if length < 0 || length > len(script) {
				return nil, ErrScript
			}
			lines = append(lines, script[:length:length])
			script = script[length:]
		}
	}
	return lines, nil
}

// maxLines is more than the nodes and ports that a snapshot may have.
const maxLines = 1 << 23

// Split gives the lines of a text in which each has an end.
func Split(text []byte) [][]byte {
	lines := bytes.Split(text, []byte{'\n'})
	return lines[:len(lines)-1]
}
