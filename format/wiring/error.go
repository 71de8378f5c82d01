package wiring

import (
	"errors"
	"fmt"
	"os"
)

// ErrTooLarge is the cause for a file with more than a plan can have.
var ErrTooLarge = errors.New("too large for a plan of wiring")

// Error is a place in a file that could not be understood. It wraps os.ErrInvalid,
// ErrTooLarge or the reader's error. Its text holds text of the file.
type Error struct {
	Name string
	Line int // 0 for the file as a whole
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Name, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Name, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// mistake is a text that is os.ErrInvalid without saying so.
type mistake string

func (m mistake) Error() string        { return string(m) }
func (m mistake) Is(target error) bool { return target == os.ErrInvalid }

func mistakef(format string, args ...any) error { return mistake(fmt.Sprintf(format, args...)) }

func where(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }
