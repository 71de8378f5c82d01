package core

import (
	"errors"
	"fmt"
)

// ErrSyntax is the cause of an Error about a URI that is written wrong, or names
// something that does not exist in ibscope: no fabric was tried.
var ErrSyntax = errors.New("wrong fabric URI")

// Syntax is a message that is ErrSyntax without saying so again.
type Syntax struct{ Text string }

func (e *Syntax) Error() string { return e.Text }

// Is finds ErrSyntax.
func (e *Syntax) Is(target error) bool { return target == ErrSyntax }

// Error is a fabric URI that could not be understood or opened. errors.Is sees
// the cause: os.ErrNotExist, unix.ECONNREFUSED, context.DeadlineExceeded …
type Error struct {
	URI  string
	Part string // what the error is about: "scheme", "port", "argument loss", "file" …
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("fabric %q: %s: %v", e.URI, e.Part, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Wrap makes an Error about a part of the URI.
func (u *URI) Wrap(part string, err error) error {
	return &Error{URI: u.Text, Part: part, Err: err}
}

// Expected says what was found in a part of the URI and what should stand there.
func (u *URI) Expected(part, found, expected string) error {
	return u.Wrap(part, &Syntax{fmt.Sprintf("found %q, expected %s", found, expected)})
}
