package traffic

import (
	"fmt"
	"os"
)

// Error is what this package reports. Err wraps os.ErrInvalid or
// os.ErrNotExist.
type Error struct {
	Op  string // "parse" or "new"
	Obj string // the part of the text, or the rule
	Err error
}

func (e *Error) Error() string { return "traffic: " + e.Op + " " + e.Obj + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func invalid(op, obj, format string, args ...any) error {
	return &Error{Op: op, Obj: obj, Err: fmt.Errorf(format+": %w", append(args, os.ErrInvalid)...)}
}
