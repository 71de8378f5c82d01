package ping

import "fmt"

// An Error is a server that could not answer, or a host that could not be read.
// Unwrap gives the cause: of a transport, or of the operating system.
type Error struct {
	Op  string // "serve", "read"
	Obj string // the class, or the file
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("ping: %s %s: %v", e.Op, e.Obj, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
