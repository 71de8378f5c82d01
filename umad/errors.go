package umad

import (
	"errors"
	"fmt"
)

// Error says what could not be done with a port.
type Error struct {
	Op     string // "open", "register", "send", "receive", …
	Device string // "mlx5_0", "/dev/infiniband/umad0"
	Port   int    // 0 when it does not apply
	Err    error
	Hint   string // what to do about it, "" when that is not known
}

func (e *Error) Error() string {
	where := e.Device
	if e.Port > 0 {
		where = fmt.Sprintf("%s port %d", e.Device, e.Port)
	}
	text := fmt.Sprintf("umad: %s %s: %v", e.Op, where, e.Err)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// kernelError is the class that libibumad would have reported, with the true
// cause beside it: errors.Is finds both.
type kernelError struct {
	class, cause error
}

func (e *kernelError) Error() string {
	if e.cause == nil {
		return e.class.Error()
	}
	return e.cause.Error()
}

func (e *kernelError) Unwrap() []error { return []error{e.class, e.cause} }

// withClass joins the class of an error with its cause.
func withClass(class, cause error) error {
	if cause == nil || errors.Is(cause, class) {
		return class
	}
	return &kernelError{class, cause}
}
