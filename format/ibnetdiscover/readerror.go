package ibnetdiscover

import (
	"errors"
	"strconv"

	"github.com/ibscope/ibscope/format/internal/lines"
)

// ErrNothing is in the error for a text in which no node was recognised.
var ErrNothing = errors.New("no node in it: expected the output of ibnetdiscover (a topology, -p or a list) or of ibdiagnet")

// ErrTooLarge is in the error for a text whose nodes have more than 8 million
// ports.
var ErrTooLarge = lines.ErrTooLarge

// ReadError says why a text could not be read.
type ReadError struct {
	File string
	Line int // the last line that was read, 0 where the line does not matter
	Err  error
}

func (e *ReadError) Error() string {
	where := e.File
	if e.Line > 0 {
		where += ":" + strconv.Itoa(e.Line)
	}
	return "ibnetdiscover: read " + where + ": " + e.Err.Error()
}

// Unwrap gives ErrNothing, ErrTooLarge or the error of the stream.
func (e *ReadError) Unwrap() error { return e.Err }
