package route

import "os"

// Error is what is wrong with a request of this package. It wraps os.ErrInvalid.
type Error struct {
	Op     string // "engine", "fat tree"
	Detail string
}

// Error says it in one line.
func (e *Error) Error() string { return "route: " + e.Op + ": " + e.Detail }

// Unwrap gives os.ErrInvalid.
func (e *Error) Unwrap() error { return os.ErrInvalid }
