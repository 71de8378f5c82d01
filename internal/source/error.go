package source

import "fmt"

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

func (u *URI) wrap(part string, err error) error {
	return &Error{URI: u.Text, Part: part, Err: err}
}

// expected says what was found in a part of the URI and what should stand there.
func (u *URI) expected(part, found, expected string) error {
	return u.wrap(part, fmt.Errorf("found %q, expected %s", found, expected))
}
