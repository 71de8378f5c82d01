package facts

import (
	"errors"

	"github.com/ibscope/ibscope/format/internal/lines"
)

// ErrNothing is in the error for files in which no node is told.
var ErrNothing = errors.New("no node of a fabric in it")

// ErrTooLarge is in the error for files whose nodes have more than 8 million ports.
var ErrTooLarge = lines.ErrTooLarge

// Error says why no fabric could be made.
type Error struct {
	Op   string // "read", "build"
	File string // the first one for "build"
	Err  error
}

func (e *Error) Error() string { return "facts: " + e.Op + " " + e.File + ": " + e.Err.Error() }

// Unwrap gives ErrNothing, ErrTooLarge or the error of the stream.
func (e *Error) Unwrap() error { return e.Err }
