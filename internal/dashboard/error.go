package dashboard

// Error tells what is wrong with a dashboard, or with an answer to it.
type Error struct {
	Op  string // "read", "ask", "draw"
	Obj string // the dashboard, and the panel after a slash
	Err error
}

func (e *Error) Error() string { return e.Op + " " + e.Obj + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
