package scenario

import (
	"fmt"
	"os"
	"strconv"
)

// Error is a mistake in a file or a command, at a line and column counted from 1.
// It wraps os.ErrInvalid, or os.ErrNotExist for what is not in the fabric.
type Error struct {
	Name string // of the file; "" for a command that comes from elsewhere
	Line int
	Col  int
	Err  error
}

// Error says it in one line, "FILE:LINE:COLUMN: …".
func (e *Error) Error() string {
	if e.Name == "" {
		return "column " + strconv.Itoa(e.Col) + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.Name, e.Line, e.Col, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// mistake is a message that is one of the errors of package os without saying
// so.
type mistake struct {
	text string
	is   error
}

func (m *mistake) Error() string { return m.text }
func (m *mistake) Unwrap() error { return m.is }

// invalid is what is written wrong.
func invalid(format string, args ...any) error {
	return &mistake{fmt.Sprintf(format, args...), os.ErrInvalid}
}

// missing is what the fabric does not have.
func missing(format string, args ...any) error {
	return &mistake{fmt.Sprintf(format, args...), os.ErrNotExist}
}

// expected says what was found and what should stand there.
func expected(found, what string) error {
	if found == "" {
		return invalid("found nothing, expected %s", what)
	}
	return invalid("found %s, expected %s", quote(found), what)
}

// quote is text as it may stand in a message: cut, and without control
// characters.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(s)
}
