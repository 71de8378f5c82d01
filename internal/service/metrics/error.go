package metrics

import (
	"fmt"
	"os"
)

// Error is what this package reports. errors.Is finds the cause: os.ErrNotExist for a
// set of names that there is not, and what a file system says.
type Error struct {
	Op  string // "choose", "write"
	Err error
}

func (e *Error) Error() string { return "metrics: " + e.Op + ": " + e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// errUnknownSet is the cause of an Error about a word that names no set.
type errUnknownSet string

func (e errUnknownSet) Error() string {
	return fmt.Sprintf("no set of names is called %q: own, treydock, node, guilbaults", string(e))
}

func (errUnknownSet) Is(target error) bool { return target == os.ErrNotExist }

// errNotServed is the cause of an Error about a set that was not asked for.
type errNotServed Set

func (e errNotServed) Error() string {
	return fmt.Sprintf("the set %q is not served: start the service with --compat %[1]s", Set(e).String())
}

func (errNotServed) Is(target error) bool { return target == os.ErrNotExist }
