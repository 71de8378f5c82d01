package gen

import (
	"fmt"
	"os"
)

// Error is a parameter that cannot be. It wraps os.ErrInvalid.
type Error struct {
	Op     string // the generator
	Param  string // the parameter
	Value  string // as given
	Detail string // what it may be
}

func (e *Error) Error() string {
	if e.Param == "" {
		return fmt.Sprintf("%s: %s", e.Op, e.Detail)
	}
	return fmt.Sprintf("%s: %s=%s: %s", e.Op, e.Param, e.Value, e.Detail)
}

// Unwrap gives os.ErrInvalid.
func (e *Error) Unwrap() error { return os.ErrInvalid }

func outOfRange(op, param string, value, low, high int) error {
	return &Error{Op: op, Param: param, Value: fmt.Sprint(value), Detail: fmt.Sprintf("must be %d…%d", low, high)}
}
