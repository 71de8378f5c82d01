package webhook

import "fmt"

// Error says what could not be done for a target. Unwrap gives the cause; no message
// has the URL, whose path or query may be a secret.
type Error struct {
	Op     string // "configure", "queue", "deliver"
	Target string // its name
	Err    error
}

func (e *Error) Error() string { return fmt.Sprintf("webhook %s: %s: %v", e.Target, e.Op, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
