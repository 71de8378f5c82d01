package source

import (
	"errors"
	"fmt"
	"os"

	"github.com/ibscope/ibscope/sim/gen"
)

// ErrSyntax is the cause of an Error about a URI that is written wrong, or names
// something that does not exist in ibscope: no fabric was tried.
var ErrSyntax = errors.New("wrong fabric URI")

// syntaxError is a message that is ErrSyntax without saying so again.
type syntaxError struct{ text string }

func (e *syntaxError) Error() string        { return e.text }
func (e *syntaxError) Is(target error) bool { return target == ErrSyntax }

// missing is a message that is os.ErrNotExist without speaking of files.
type missing struct{ text string }

func (e *missing) Error() string        { return e.text }
func (e *missing) Is(target error) bool { return target == os.ErrNotExist }

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

// Is finds ErrSyntax also where a generator refuses its parameters.
func (e *Error) Is(target error) bool {
	var refused *gen.Error
	return target == ErrSyntax && errors.As(e.Err, &refused)
}

func (u *URI) wrap(part string, err error) error {
	return &Error{URI: u.Text, Part: part, Err: err}
}

// expected says what was found in a part of the URI and what should stand there.
func (u *URI) expected(part, found, expected string) error {
	return u.wrap(part, &syntaxError{fmt.Sprintf("found %q, expected %s", found, expected)})
}
