// Package simctl is the command "ibscope sim ctl".
package simctl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/sim/control"
)

// settings are the flags of the command.
type settings struct {
	socket string
	json   bool
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "ctl [flags] COMMAND [ARGUMENT]…",
		Short: "Do things to a simulated fabric that is running",
		Long: `Ctl tells a simulator, ibscope sim run or another with --control, to change its
fabric, and asks how it is. The command help lists all commands; they are those of
scenarios, and queries. A COMMAND of "-" reads commands from standard input, a line
each; lines that begin with # are skipped.

Without --socket it is the simulator that IBSCOPE_CONTROL names, else the only one
of this user that runs.`,
		Example: `  ibscope sim ctl help
  ibscope sim ctl list links 'leaf*'
  ibscope sim ctl link down leaf01/5
  ibscope sim ctl set leaf01/5 SymbolErrorCounter=1000
  ibscope sim ctl --json route 1 9
  printf 'kill spine01\nwait 5\nrevive spine01\n' | ibscope sim ctl -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return s.run(c.Context(), e, args) },
	}
	f := c.Flags()
	f.SetInterspersed(false)
	f.StringVar(&s.socket, "socket", "", "the `PATH` of the simulator's control socket")
	f.BoolVar(&s.json, "json", false, "print results as JSON")
	return c
}

func (s *settings) run(ctx context.Context, e *env.Env, args []string) error {
	c, err := s.dial(ctx, e)
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	defer c.Close()
	if len(args) != 1 || args[0] != "-" {
		return s.do(ctx, e, c, join(args))
	}
	lines := bufio.NewScanner(e.Stdin)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.do(ctx, e, c, line); err != nil {
			return env.Exitf(env.Failed, "line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	return nil
}

// join makes one text of arguments. One alone is a whole command; of several,
// those with blanks are quoted.
func join(args []string) string {
	if len(args) == 1 {
		return args[0]
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		if quoted[i] = a; a == "" || strings.ContainsAny(a, " \t\"'\\") {
			quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a) + `"`
		}
	}
	return strings.Join(quoted, " ")
}

func (s *settings) do(ctx context.Context, e *env.Env, c *control.Conn, command string) error {
	reply, err := c.Do(ctx, command)
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	if !reply.OK {
		return env.Exitf(env.Failed, "%s", reply.Error)
	}
	if !s.json {
		err = printLines(e.Stdout, reply.Text)
	} else if len(reply.Result) > 0 {
		_, err = fmt.Fprintf(e.Stdout, "%s\n", escape.JSON(reply.Result))
	}
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	return nil
}

// printLines prints text that a fabric may have a say in.
func printLines(w io.Writer, text string) error {
	for line := range strings.Lines(text) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i := range columns {
			columns[i] = escape.Text(columns[i])
		}
		if _, err := fmt.Fprintln(w, strings.Join(columns, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// dial connects to the simulator that is meant.
func (s *settings) dial(ctx context.Context, e *env.Env) (*control.Conn, error) {
	if path := s.socket; path != "" {
		return control.Dial(ctx, path)
	}
	if path := e.Getenv(simworld.SocketVariable); path != "" {
		return control.Dial(ctx, path)
	}
	paths, err := filepath.Glob(filepath.Join(simworld.Directory(e), "*.sock"))
	if err != nil {
		return nil, err
	}
	var found []*control.Conn
	var names []string
	for _, path := range paths {
		if c, err := control.Dial(ctx, path); err == nil {
			found = append(found, c)
			names = append(names, strconv.Quote(path))
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	for _, c := range found {
		c.Close()
	}
	if len(found) == 0 {
		return nil, errors.New("no simulator runs with a control socket: start one with ibscope sim run, or --control auto")
	}
	return nil, fmt.Errorf("several simulators run: choose one with --socket: %s", strings.Join(names, ", "))
}
