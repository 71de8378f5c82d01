// Package simrun is the command "ibscope sim run".
package simrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
	"github.com/ibscope/ibscope/internal/escape"
)

// settings are the flags of the command.
type settings struct {
	world   simworld.Flags
	listen  string
	check   bool
	verbose bool
	serve   func(*env.Env) *cobra.Command
	exec    func(*env.Env) *cobra.Command
}

// Command makes the command. Serve and exec make those that do its work.
func Command(e *env.Env, serve, exec func(*env.Env) *cobra.Command) *cobra.Command {
	s := &settings{serve: serve, exec: exec}
	c := &cobra.Command{
		Use:   "run [flags] FILE [URI] [-- COMMAND [ARGUMENT]…]",
		Short: "Let a scenario happen to a simulated fabric",
		Long: `Run reads a scenario, a YAML file that tells what happens to a fabric and when:
links that go down, switches that are replaced, errors that are counted, a subnet
manager that vanishes. docs/simulator.md describes the file. URI takes the place of
its topology.

With a COMMAND that program runs on a machine of the fabric, as by ibscope sim
exec; else the fabric is served to others, as by ibscope sim serve. Both while the
scenario goes on; each thing that happens is a line on standard error. What else
may be done to the fabric meanwhile: ibscope sim ctl help.`,
		Example: `  ibscope sim run --check chaos.yaml
  ibscope sim run --listen unix:lab chaos.yaml &
  ibscope sim ctl link down leaf01/5
  ibscope discover --fabric ibsim:lab
  ibscope sim run --speed 60x maintenance.yaml -- sh -c 'while sleep 1; do ibnetdiscover; done'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			program := []string(nil)
			if n := c.ArgsLenAtDash(); n >= 0 {
				args, program = args[:n], args[n:]
			}
			return s.run(c.Context(), e, args, program)
		},
	}
	f := c.Flags()
	f.StringVar(&s.listen, "listen", "unix:sim", "where clients come: unix:`NAME`, their IBSIM_SOCKNAME, or udp:HOST:PORT")
	f.StringVar(&s.world.Speed, "speed", "", "how many `times` as fast as the clock, as 60x, instead of the speed in the file")
	f.StringVar(&s.world.Control, "control", simworld.Auto, "offer a control socket at a `PATH`; auto: one where sim ctl looks for it; none")
	f.BoolVar(&s.check, "check", false, "say whether the file, and the names in it, are good; nothing runs")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "tell on standard error who comes and goes")
	return c
}

func (s *settings) run(ctx context.Context, e *env.Env, args, program []string) error {
	if len(args) < 1 || len(args) > 2 {
		return env.Exitf(env.Usage, "found %d arguments, expected FILE and maybe the URI of a simulated fabric", len(args))
	}
	s.world.Scenario = args[0]
	if s.world.Control == "none" {
		s.world.Control = ""
	}
	if s.check {
		return s.checkOnly(e, args[1:])
	}
	if _, err := s.world.Load(); err != nil {
		return complain(e, err)
	}
	work := []string{"--scenario", args[0], "--control", s.world.Control, "--speed", s.world.Speed}
	c := s.serve(e)
	switch {
	case program != nil:
		c = s.exec(e)
		work = slices.Concat(work, args[1:], []string{"--"}, program)
	default:
		work = slices.Concat(work, []string{"--listen", s.listen, fmt.Sprintf("--verbose=%v", s.verbose)}, args[1:])
	}
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(work)
	return c.ExecuteContext(ctx)
}

// checkOnly makes the fabric, so that names are looked up, and runs nothing.
func (s *settings) checkOnly(e *env.Env, uri []string) error {
	w, err := s.world.Open(uri)
	if err == nil {
		err = w.Check()
	}
	if err != nil {
		return complain(e, err)
	}
	length, ends := w.Scenario().Length()
	end := "without an end"
	if ends {
		end = "the last event at " + length.String()
	}
	_, err = fmt.Fprintf(e.Stdout, "%s: good, %d nodes, %s\n", s.world.Scenario, w.Fabric.Model().NumNodes(), end)
	return err
}

// complain prints each of several mistakes in a line of its own.
func complain(e *env.Env, err error) error {
	var exit *env.ExitError
	if errors.As(err, &exit) {
		return err
	}
	code := env.Usage
	if errors.Is(err, os.ErrNotExist) && !isJoined(err) {
		code = env.Failed
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range list.Unwrap() {
			fmt.Fprintln(e.Stderr, escape.Text(one.Error()))
		}
		return &env.ExitError{Code: code}
	}
	return &env.ExitError{Code: code, Err: err}
}

func isJoined(err error) bool {
	_, ok := err.(interface{ Unwrap() []error })
	return ok
}
