package verify

import "os"

// Error is a line of a plan that cannot be understood on the fabric at hand. It
// wraps os.ErrInvalid.
type Error struct {
	Where  string // file and line, "" when not known
	Op     string // what was looked for
	Detail string
}

// Error says it in one line; it may hold text from the plan.
func (e *Error) Error() string {
	text := e.Op + ": " + e.Detail
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return text
}

// Unwrap gives os.ErrInvalid.
func (e *Error) Unwrap() error { return os.ErrInvalid }
