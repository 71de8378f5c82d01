package snapshot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// scanner reads a JSON document piece by piece: the brackets of the outer objects
// and arrays one by one, everything else value by value.
type scanner struct {
	r      *bufio.Reader
	line   int
	offset int64
	buf    []byte // the value that was read last
	ended  bool   // the stream has come to its end, and is whole

	// Where that began.
	startLine   int
	startOffset int64
}

func newScanner(r io.Reader) *scanner {
	return &scanner{r: bufio.NewReaderSize(r, 64<<10), line: 1}
}

// chunk is what is buffered, at least one byte.
func (s *scanner) chunk() ([]byte, error) {
	if _, err := s.r.Peek(1); err != nil {
		if s.ended = errors.Is(err, io.EOF); s.ended {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	b, err := s.r.Peek(s.r.Buffered())
	return b, err
}

func (s *scanner) skip(b []byte) {
	s.offset += int64(len(b))
	s.line += bytes.Count(b, []byte("\n"))
	_, _ = s.r.Discard(len(b)) // it is buffered
}

// next is the next byte that is not white space. It is not read yet.
func (s *scanner) next() (byte, error) {
	for {
		b, err := s.chunk()
		if err != nil {
			return 0, err
		}
		rest := bytes.TrimLeft(b, " \t\r\n")
		s.skip(b[:len(b)-len(rest)])
		if len(rest) > 0 {
			s.startLine, s.startOffset = s.line, s.offset
			return rest[0], nil
		}
	}
}

// take reads a byte if it is the next that is not white space.
func (s *scanner) take(want byte) (bool, error) {
	c, err := s.next()
	if err != nil || c != want {
		return false, err
	}
	s.skip([]byte{c})
	return true, nil
}

// expect reads a byte that has to be there.
func (s *scanner) expect(want byte) error {
	found, err := s.take(want)
	if err == nil && !found {
		err = &valueError{"expected " + string(rune(want)), ErrSyntax}
	}
	return err
}

// value reads a whole value of at most limit bytes. It is valid JSON, and valid
// until the next call.
func (s *scanner) value(limit int) ([]byte, error) {
	if _, err := s.next(); err != nil {
		return nil, err
	}
	s.buf = s.buf[:0]
	var e extent
	for !e.done {
		b, err := s.chunk()
		if err != nil {
			return nil, err
		}
		n := e.scan(b)
		if len(s.buf)+n > limit {
			return nil, tooLarge("a value of more than %d bytes", limit)
		}
		s.buf = append(s.buf, b[:n]...)
		s.skip(b[:n])
	}
	if !json.Valid(s.buf) {
		return nil, &valueError{"this value", ErrSyntax}
	}
	return s.buf, nil
}

// extent finds the end of a value. What is no JSON has some end too.
type extent struct {
	done           bool
	depth          int
	quoted, escape bool
}

// scan is how many bytes of b belong to the value.
func (e *extent) scan(b []byte) int {
	for i, c := range b {
		if e.quoted {
			switch {
			case e.escape:
				e.escape = false
			case c == '\\':
				e.escape = true
			case c == '"':
				e.quoted = false
				if e.depth == 0 {
					e.done = true
					return i + 1
				}
			}
			continue
		}
		switch c {
		case '"':
			e.quoted = true
		case '{', '[':
			e.depth++
		case '}', ']':
			e.depth--
			if e.depth <= 0 {
				e.done = true
				return i + min(1, 1+e.depth) // one that closes nothing ends a number before it
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if e.depth == 0 {
				e.done = true
				return i
			}
		}
	}
	return len(b)
}
