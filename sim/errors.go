package sim

import "os"

// errInvalid is what Errors about arguments wrap.
var errInvalid = os.ErrInvalid

// Error is what this package reports. Err is os.ErrClosed, os.ErrNotExist or
// os.ErrInvalid, or wraps one of them.
type Error struct {
	Op  string // "new", "attach", "send", "recv", "use", …
	Obj string // what it was about: a node, a port, an option; may be empty
	Err error
}

func (e *Error) Error() string {
	if e.Obj == "" {
		return "sim: " + e.Op + ": " + e.Err.Error()
	}
	return "sim: " + e.Op + " " + e.Obj + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
