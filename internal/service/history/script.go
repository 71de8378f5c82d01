package history

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

// errScript is a script that does not fit the lines it is for.
var errScript = errors.New("differences that do not fit")

// digest stands for a line.
type digest [16]byte

func digestOf(line []byte) digest {
	sum := sha256.Sum256(line)
	return digest(sum[:16])
}

// outline is what is kept in memory of the lines of a fabric, to find out what is
// different in the next.
type outline struct {
	lines []digest
	heads []int32 // the lines that begin a node
	begin int     // the first line that is about the fabric, not about the sweep
}

// outlineOf reads the lines of a fabric.
func outlineOf(model *fabric.Fabric) (*outline, error) {
	o := &outline{}
	return o, eachLine(model, o.add)
}

func (o *outline) add(line []byte) {
	switch {
	case bytes.HasPrefix(line, nodeMark):
		o.heads = append(o.heads, int32(len(o.lines)))
	case bytes.HasPrefix(line, nodesMark):
		o.begin = len(o.lines)
	}
	o.lines = append(o.lines, digestOf(line))
}

// isSame reports whether two fabrics have the same nodes, ports and problems.
func (o *outline) isSame(p *outline) bool {
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

// scripter writes the script from a base to lines that are handed to add in order.
type scripter struct {
	base   *outline
	heads  map[digest]int
	isHead map[int]bool
	cursor int // the line of base that is expected next

	script   []byte
	from, n  int // lines being copied
	added    int // lines being added after them
	addition []byte
}

func newScripter(base *outline) *scripter {
	s := &scripter{base: base, heads: map[digest]int{}, isHead: map[int]bool{}}
	for _, i := range base.heads {
		s.isHead[int(i)] = true
		if _, twice := s.heads[base.lines[i]]; !twice {
			s.heads[base.lines[i]] = int(i)
		}
	}
	return s
}

func (s *scripter) add(line []byte) {
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

func (s *scripter) insert(line []byte) {
	s.added++
	s.addition = binary.AppendUvarint(s.addition, uint64(len(line)))
	s.addition = append(s.addition, line...)
}

// step ends a step of the script.
func (s *scripter) step() {
	if s.n+s.added > 0 {
		for _, v := range []int{s.from, s.n, s.added} {
			s.script = binary.AppendUvarint(s.script, uint64(v))
		}
		s.script = append(s.script, s.addition...)
	}
	s.from, s.n, s.added, s.addition = 0, 0, 0, s.addition[:0]
}

// finish gives the script.
func (s *scripter) finish() []byte {
	s.step()
	return s.script
}

// apply makes lines by a script. They share memory with base and script.
func apply(base [][]byte, script []byte) ([][]byte, error) {
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
			return nil, errScript
		}
		lines = append(lines, base[from:from+n]...)
		for range added {
			length := number(len(script))
			if length < 0 || length > len(script) {
				return nil, errScript
			}
			lines = append(lines, script[:length:length])
			script = script[length:]
		}
	}
	return lines, nil
}

// maxLines is more than the nodes and ports that a snapshot may have.
const maxLines = 1 << 23
