// Package cli is the ibscope program: a command with subcommands that is also
// every drop-in tool, under the tool's own name.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/applets"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/process"
	"github.com/ibscope/ibscope/internal/cli/version"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/source"
)

// Env is the world of a command; see package env.
type Env = env.Env

// Main runs the program in the world of this process and gives its exit code.
func Main() int {
	return process.Main(func(ctx context.Context, e *Env) int {
		e.Version = cmp.Or(e.Version, builtVersion())
		return Run(ctx, e)
	})
}

// Run runs the command that e.Args names: a drop-in tool by the base name of
// Args[0], else the subcommand or tool that follows it. It gives the exit code.
func Run(ctx context.Context, e *Env) int {
	if e.Sources == nil {
		e = e.WithArgs(e.Args...)
		e.Sources = source.Others
	}
	if a, inner, ok := applets.Asked(e); ok { // without making the commands
		return a.Run(ctx, inner)
	}
	args := e.Args[min(1, len(e.Args)):]
	if a, ok := applets.Find(e.Program()); ok { // a completion script asks in the name of the tool
		args = append([]string{args[0], a.Tool.Name}, args[1:]...)
	}
	if len(args) == 1 && args[0] == "--version" { // without making the commands
		fmt.Fprint(e.Stdout, version.Text(e.Version))
		return env.OK
	}
	inner := e.WithArgs(append([]string{program}, args...)...)
	code := env.OK
	root := newRoot(inner, &code)
	root.SetArgs(inner.Args[1:])
	if c, err := root.ExecuteContextC(ctx); err != nil {
		return fail(inner, c, err)
	}
	return code
}

// fail reports the error of a subcommand c. What is no ExitError comes from the
// parsing of the command line.
func fail(e *Env, c *cobra.Command, err error) int {
	var exit *env.ExitError
	if !errors.As(err, &exit) {
		fmt.Fprintf(e.Stderr, "%s: %s\nTry '%s --help'.\n", program, escape.Text(inOneLine(err)), c.CommandPath())
		return env.Usage
	}
	if exit.Err != nil {
		e.Complain("%v", exit.Err)
	}
	return exit.Code
}

// inOneLine is an error of cobra, which puts names like the mistyped one into
// lines of their own.
func inOneLine(err error) string {
	text, similar, found := strings.Cut(err.Error(), "\n\nDid you mean this?\n")
	if found {
		text += "; did you mean " + strings.Join(strings.Fields(similar), " or ") + "?"
	}
	return text
}
