package diags

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
)

// Panic is an error in the words of the C macro IBPANIC: told on standard error,
// with the process, the function and the errno in it.
type Panic struct {
	Function string // of the C program; "" for main
	Text     string
	Cause    error // gives the errno; nil prints "Success", as C does without one
}

func (p *Panic) Error() string { return p.Text }

// Unwrap gives the cause.
func (p *Panic) Unwrap() error { return p.Cause }

// print writes the message. C appends whatever errno the last failing call had
// left over; this appends the cause.
func (p *Panic) print(e *env.Env) {
	reason := "Success"
	var errno syscall.Errno
	switch {
	case errors.As(p.Cause, &errno):
		reason = Strerror(errno)
	case p.Cause != nil:
		reason = p.Cause.Error()
	}
	fmt.Fprintf(e.Stderr, "ibpanic: [%d] %s: %s: %s\n", os.Getpid(), cmp.Or(p.Function, "main"), escape.Text(p.Text), escape.Text(reason))
}

// IBWarn prints a warning as the C macro IBWARN does.
func IBWarn(e *env.Env, function, format string, args ...any) {
	fmt.Fprintf(e.Stderr, "ibwarn: [%d] %s: %s\n", os.Getpid(), function, escape.Text(fmt.Sprintf(format, args...)))
}

// Strerror is the C library's text for an errno: with a capital letter.
func Strerror(errno syscall.Errno) string {
	text := errno.Error()
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}
