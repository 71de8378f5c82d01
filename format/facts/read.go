package facts

import (
	"io"

	"github.com/ibscope/ibscope/format/internal/lines"
)

// Each calls read for each line of a text. Of a line that is too long only the
// start is read, and the rest is a problem. The only errors are those of the
// stream, in an *Error.
func (f *File) Each(r io.Reader, read func(line int, text []byte)) error {
	s := lines.NewScanner(r)
	for s.Scan() {
		if s.Cut() {
			f.Bad(s.Num(), "the line is longer than %d bytes; its end is not read", lines.MaxLength)
		}
		read(s.Num(), s.Bytes())
	}
	if err := s.Err(); err != nil {
		return &Error{Op: "read", File: f.Name(), Err: err}
	}
	return nil
}
