package snapshot

import (
	"context"
	"errors"
	"os"

	"github.com/ibscope/ibscope/mad"
)

// Cause is the cause of a problem that was read from a snapshot. Its text is that
// of the original; errors.Is sees mad.Status, os.ErrDeadlineExceeded,
// context.Canceled and context.DeadlineExceeded as it did there.
type Cause struct {
	Text string
	Err  error // nil when it was none of these
}

func (c *Cause) Error() string { return c.Text }

// Unwrap gives what the cause was.
func (c *Cause) Unwrap() error { return c.Err }

// causes are the words for causes that programs tell apart.
var causes = []struct {
	word string
	err  error
}{
	{"canceled", context.Canceled},
	{"context-deadline", context.DeadlineExceeded},
	{"no-reply", os.ErrDeadlineExceeded},
}

func (e *encoder) cause(err error) {
	if err == nil {
		return
	}
	e.raw("error", err.Error())
	var status mad.Status
	if errors.As(err, &status) {
		e.number("status", int64(status))
		return
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			e.text("cause", c.word)
			return
		}
	}
}
