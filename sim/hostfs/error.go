package hostfs

// Error says which part of the machine could not be made.
type Error struct {
	Op  string // "adapter", "open"
	Obj string // the node
	Err error
}

func (e *Error) Error() string { return "host: " + e.Op + " " + e.Obj + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
