package sm

import (
	"fmt"
	"os"

	"github.com/ibscope/ibscope/fabric/route"
)

// Error is a wrong option of a manager.
type Error struct {
	Op  string
	Err error
}

// Error says it in one line.
func (e *Error) Error() string { return "sm: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

const maxPriority = 15

func (o *Options) check() error {
	if o.Priority > maxPriority {
		return &Error{Op: "priority", Err: fmt.Errorf("%d is not from 0 to %d: %w", o.Priority, maxPriority, os.ErrInvalid)}
	}
	if err := checkPartitions(o.Partitions); err != nil {
		return err
	}
	if o.Engine == "" {
		return nil
	}
	if _, err := route.ParseEngine(string(o.Engine)); err != nil {
		return &Error{Op: "routing", Err: err}
	}
	return nil
}
