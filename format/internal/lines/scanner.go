package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLength is the longest line that is read whole, in bytes. The longest line
// of a topology file is below 400 bytes; of longer ones only the start counts.
const MaxLength = 4096

// maxSkip is the most of a line that is skipped: what goes on longer, as
// /dev/zero does, is no text.
const maxSkip = 64 << 20

// ErrNotText is in the error for a line that has no end in sight.
var ErrNotText = errors.New("not text: a line is longer than 64 MB")

// Scanner splits text into lines. Lines end with LF, CR LF or a bare CR (which
// terminals leave in pasted text); a byte order mark before the first line is
// not part of it. Memory does not depend on the length of lines.
type Scanner struct {
	r    *bufio.Reader
	rest []byte // of the physical line, after a bare CR
	line []byte
	num  int
	cut  bool
	err  error
}

// NewScanner reads lines from r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: bufio.NewReaderSize(r, MaxLength)}
}

// Scan moves to the next line, false at the end or when reading failed.
func (s *Scanner) Scan() bool {
	if s.rest == nil && !s.read() {
		return false
	}
	if i := bytes.IndexByte(s.rest, '\r'); i >= 0 {
		s.line, s.rest = s.rest[:i], s.rest[i+1:]
		return true
	}
	s.line, s.rest = s.rest, nil
	return true
}

// read takes the next physical line into rest.
func (s *Scanner) read() bool {
	if s.err != nil {
		return false
	}
	b, err := s.r.ReadSlice('\n')
	s.cut = errors.Is(err, bufio.ErrBufferFull)
	if s.cut {
		b = bytes.Clone(b) // what follows overwrites the buffer
		err = s.discardLine()
	}
	s.err = err
	if len(b) == 0 {
		return false
	}
	s.num++
	if s.num == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	b = bytes.TrimSuffix(b, []byte("\n"))
	s.rest = bytes.TrimSuffix(b, []byte("\r"))
	return true
}

// discardLine skips the rest of a line that is too long.
func (s *Scanner) discardLine() error {
	for skipped := 0; skipped < maxSkip; {
		b, err := s.r.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		skipped += len(b)
	}
	return ErrNotText
}

// Bytes is the line without its end. It is valid until the next Scan.
func (s *Scanner) Bytes() []byte { return s.line }

// Num is the number of the line, from 1. Lines that a bare CR ended share the
// number of the LF-ended line that they are part of, as editors count.
func (s *Scanner) Num() int { return s.num }

// Cut reports whether the line was longer than MaxLength and its end is missing.
func (s *Scanner) Cut() bool { return s.cut }

// Err is the error that ended reading, nil at the end of the text.
func (s *Scanner) Err() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}
