// Package env is what a command sees of the world outside: its arguments,
// streams, environment and clock. Commands take all of it from here, so that a
// test can run them without a process.
package env

import (
	"fmt"
	"io"
	"path"
	"time"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/source/core"
)

// Exit codes of the commands that have no C tool to follow.
const (
	OK         = 0
	Failed     = 1
	Usage      = 2
	Incomplete = 3 // the result was printed but something of it is missing
	Findings   = 4 // the result is complete, and it is that something is not as it should be
)

// Env is the world of one command.
type Env struct {
	Args   []string // with the program name first
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time

	// IsTerminal reports whether one of the streams above is a terminal.
	IsTerminal func(stream any) bool
	// ReadPassword asks for a secret without echo.
	ReadPassword func(prompt string) (string, error)

	// Sys, Dev and Proc are where sysfs, the device files and procfs are; "" for
	// /sys, /dev and /proc.
	Sys, Dev, Proc string

	// Cache is a directory for what may be lost, which need not be there; "" for none.
	Cache string

	// Sources opens the fabrics that are no kernel ports; nil for none.
	// Package cli puts in what package source has.
	Sources core.Openers

	// Version is the version of the program, "44.0" style text. In the environment of a
	// process it is "" where the build has not set one; package cli finds out then.
	Version string
	// DiagConfig is the configuration file of the infiniband-diags tools.
	DiagConfig string

	// Fatal, where a drop-in tool has set it, tells of the error that the tool
	// ends with, in place of the C tool's words.
	Fatal func(err error)
}

// Program is the name the program was called by.
func (e *Env) Program() string {
	if len(e.Args) == 0 {
		return ""
	}
	return path.Base(e.Args[0])
}

// WithArgs is a copy of e for a command within the command.
func (e *Env) WithArgs(args ...string) *Env {
	inner := *e
	inner.Args = args
	return &inner
}

// Colour reports whether output to stream may be coloured: it goes to a
// terminal that has not been told otherwise (https://no-color.org).
func (e *Env) Colour(stream any) bool {
	return e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb" && e.IsTerminal(stream)
}

// Complain prints one line on stderr, the program name first. The text may
// hold anything.
func (e *Env) Complain(format string, args ...any) {
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Program(), escape.Text(fmt.Sprintf(format, args...)))
}
