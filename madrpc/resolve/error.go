package resolve

import (
	"errors"
	"fmt"
)

// ErrNoManager is the cause of an Error when the port knows no subnet manager,
// so that nobody can be asked for a GUID.
var ErrNoManager = errors.New("the local port knows no subnet manager: none has brought up this fabric")

// An Error is a target that could not be found. Unwrap gives the cause:
// ErrNoManager, or that of a request, for which see madrpc.Error and
// saclient.Error.
type Error struct {
	What string // "port GUID 0x0002c90300001234"
	Err  error
}

// Error names what was looked for, and the cause.
func (e *Error) Error() string { return fmt.Sprintf("resolve %s: %v", e.What, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
