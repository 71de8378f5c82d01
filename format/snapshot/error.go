package snapshot

import (
	"errors"
	"fmt"
)

// What Error.Err may be, besides errors of the stream.
var (
	ErrNotSnapshot = errors.New("not a snapshot")
	ErrVersion     = errors.New("a version of snapshots that this program does not know")
	ErrTooLarge    = errors.New("too large")
	ErrSyntax      = errors.New("not JSON")
	ErrValue       = errors.New("a value that cannot be")
)

// Error says where a snapshot could not be read.
type Error struct {
	Op     string // "read" or "write"
	File   string
	Line   int   // from 1, 0 when nothing was read
	Offset int64 // of the unpacked bytes, where the line's object or value begins
	What   string
	Err    error
}

func (e *Error) Error() string {
	text := "snapshot: " + e.Op
	if e.File != "" {
		text += " " + e.File
	}
	if e.Line > 0 {
		text += fmt.Sprintf(":%d (byte %d)", e.Line, e.Offset)
	}
	if e.What != "" {
		text += ": " + e.What
	}
	return text + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// valueError says which value of an object cannot be; the reader adds where.
type valueError struct {
	what string
	err  error
}

func (e *valueError) Error() string { return e.what + ": " + e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

func bad(format string, args ...any) error {
	return &valueError{fmt.Sprintf(format, args...), ErrValue}
}

func tooLarge(format string, args ...any) error {
	return &valueError{fmt.Sprintf(format, args...), ErrTooLarge}
}
