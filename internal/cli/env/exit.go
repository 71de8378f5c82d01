package env

import "fmt"

// ExitStatus is the annotation of a command whose exit codes have a meaning of
// their own: the text for its manual page, one code a line.
const ExitStatus = "exit-status"

// ExitError ends a command with a code of its own. Err is printed; nil prints
// nothing more.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap gives the cause.
func (e *ExitError) Unwrap() error { return e.Err }

// Exitf makes an ExitError with a message.
func Exitf(code int, format string, args ...any) error {
	return &ExitError{Code: code, Err: fmt.Errorf(format, args...)}
}
