package cache

import (
	"errors"
	"fmt"
)

// Causes in an Error, beside those of the operating system and io.
var (
	ErrNotCache      = errors.New("not a cache file of ibnetdiscover: it does not begin with the bytes 2b 83 e7 8f")
	ErrVersion       = errors.New("unknown version of the format")
	ErrTooLarge      = errors.New("more than a fabric can have")
	ErrStart         = errors.New("no node with the GUID of the node that the sweep started from")
	ErrTooManyPorts  = errors.New("a cache file holds 255 ports of a node, port 0 included")
	ErrNoNodes       = errors.New("a fabric without nodes cannot be cached")
	ErrNoSuchGUID    = errors.New("not found")
	ErrNotAPlainFile = errors.New("is there and is no plain file; not replaced")
)

// Error says what went wrong with which file, and where in it.
type Error struct {
	Op     string // "read", "write" or "edit"
	File   string // "" when not known
	Offset int64  // from the start of the file; -1 when it does not matter
	What   string // what was expected there, or who is concerned
	Err    error
}

func (e *Error) Error() string {
	s := "cache: " + e.Op
	if e.File != "" {
		s += " " + e.File
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(": offset %d", e.Offset)
	}
	if e.What != "" {
		s += ": " + e.What
	}
	return s + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
