package fuse

// Error says what went wrong with the connection to the kernel.
type Error struct {
	Op  string // "read", "request"
	Err error
}

func (e *Error) Error() string { return "fuse: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
