package simexec

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
	"github.com/ibscope/ibscope/sim/hostfs"
)

// Exit codes beside those of the program, as env(1) and timeout(1) have them.
const (
	codeFailed    = 125 // this command itself failed
	codeCannotRun = 126 // the program is there but cannot be executed
	codeNotFound  = 127
	codeSignal    = 128 // plus the number of the signal that killed the program
)

// settings are the flags of the command.
type settings struct {
	world  simworld.Flags
	hcas   []string
	user   bool
	inside int // in the child: the descriptor of the link to the parent
}

// insideFlag marks the child's command line.
const insideFlag = "inside-namespace"

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "exec [flags] [URI] -- COMMAND [ARGUMENT]…",
		Short: "Run a program on a machine of a simulated fabric",
		Long: `Exec runs any program, as it is, on a machine that is attached to a simulated
fabric: /dev/infiniband/umadN and issmN, /sys/class/infiniband, infiniband_mad
and infiniband_verbs are those of the machine, and /var/cache/opensm, where OpenSM
remembers its fabric, is empty. Everything else is as it was: other files, the
user, the terminal, the working directory. Nothing outside the program sees a
difference, and nothing remains afterwards.

URI is a simulated fabric, sim:FILE or sim:GENERATOR?ARGUMENTS. Its arguments
choose the machine:

  host=NAME    the machine of the adapter with that description or GUID, with
               all adapters that have the name of the host or the system image
               GUID in common, the named one first; the default is the machine of
               the default node
  node=NAME    a machine with that node only; it may be a switch
  adapters=A,B a machine with these nodes, by GUID or description

Two more bring the fabric to life:

  traffic=RULES  what moves the counters beside the packets of the program:
                 load:30%,wait:2%,symbol-errors:3/h and more, each for all links or,
                 with on:GUID/PORT, for one; rules are joined by |
  ping=NAMES     where ibping and ibsysstat have servers: all, or descriptions
                 and GUIDs joined by commas

It takes Linux, FUSE, and root or user namespaces. Requests that get lost
(loss=), and those of classes that nobody answers, time out.

The exit status is that of the program, 128+N when signal N killed it, 127 when
it is not there, 126 when it cannot be run, and 125 when exec itself failed.`,
		Example: `  ibscope sim exec 'sim:fattree?levels=2&radix=8' -- ibnetdiscover
  ibscope sim exec 'sim:yesterday.topo?host=node0003 mlx5_0' -- ibstat
  ibscope sim exec 'sim:star?hosts=8&loss=1%' -- sh -c 'smpquery nodeinfo -D 0,1; iblinkinfo'
  ibscope sim exec --hca 'node0001 mlx5_0' --hca 'node0002 mlx5_0' sim:star -- ibstat -l
  ibscope sim exec sim:ring -- bash              # look around`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return s.run(c, e, args) },
	}
	s.world.Add(c.Flags())
	c.Flags().StringArrayVar(&s.hcas, "hca", nil, "an adapter of the machine, by GUID or description `NAME`; may be repeated")
	c.Flags().BoolVar(&s.user, "user-namespace", false, "use a user namespace also as root")
	c.Flags().IntVar(&s.inside, insideFlag, 0, "")
	if err := c.Flags().MarkHidden(insideFlag); err != nil {
		panic(fmt.Sprintf("simexec: %v", err)) // the flag is the one above
	}
	return c
}

func (s *settings) run(c *cobra.Command, e *env.Env, args []string) error {
	before := c.ArgsLenAtDash()
	if before < 0 || len(args) == before {
		return env.Exitf(env.Usage, "the program to run is missing: put it behind --, as in: ibscope sim exec sim:ring -- ibstat")
	}
	uri, argv := args[:before], args[before:]
	if s.inside != 0 {
		return becomeProgram(c.Context(), s.inside, argv)
	}
	if len(uri) > 1 || len(uri) == 0 && s.world.Scenario == "" {
		return env.Exitf(env.Usage, "found %d arguments before --, expected one: the URI of a simulated fabric", len(uri))
	}
	w, err := s.world.Open(uri)
	if err != nil {
		return env.Exitf(codeFailed, "%w", err)
	}
	h, err := s.openHost(w)
	if err != nil {
		return env.Exitf(codeFailed, "%w", err)
	}
	running, err := w.Start(c.Context(), e, nil)
	if err != nil {
		return env.Exitf(codeFailed, "%w", errors.Join(err, h.Close()))
	}
	defer running.Close()
	code, err := runOn(e, h, s.user, running.Socket, argv)
	if closeErr := h.Close(); err == nil && closeErr != nil {
		code, err = codeFailed, closeErr
	}
	if code == 0 {
		return nil
	}
	return &env.ExitError{Code: code, Err: err}
}

// openHost makes the machine that the URI and the flags choose.
func (s *settings) openHost(f *simworld.World) (*hostfs.Host, error) {
	nodes := f.HCAs
	for _, name := range s.hcas {
		n, err := f.Node(name)
		if err != nil {
			return nil, fmt.Errorf("--hca: %w", err)
		}
		nodes = append(nodes, n)
	}
	switch {
	case len(nodes) > 0:
	case f.Exact:
		nodes = []*fabric.Node{f.At}
	default:
		nodes = hostfs.Siblings(f.Fabric.Model(), f.At)
	}
	return hostfs.New(f.Fabric, nodes)
}
