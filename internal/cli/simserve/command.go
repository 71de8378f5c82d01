package simserve

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
)

// settings are the flags of the command.
type settings struct {
	world      simworld.Flags
	listen     string
	timeouts   string
	maxClients int
	readyFD    int
	verbose    bool
}

// Values of --timeouts.
const (
	timeoutsNone = "none"
	timeoutsReal = "real"
)

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "serve [flags] [URI]",
		Short: "Serve a simulated fabric to the programs that ibsim serves",
		Long: `Serve takes the place of ibsim: C programs with the preloaded library
libumad2sim, and the source ibsim: of all commands here, attach to a simulated
fabric that this process runs, any number of them at once.

URI is a simulated fabric, sim:FILE or sim:GENERATOR?ARGUMENTS. A client chooses
the node that it is attached to with SIM_HOST: the id in the topology file, the
node description, the GUID, or a name such as H-0002c90300a1b2c3. Without it, the
client gets the node that node= or host= in the URI names; else the first node of
a topology file, as from ibsim, or the default node of a generator.

A request that nothing answers is given back at once, as ibsim does, even one that
loss= has lost. With --timeouts real there is no answer, as on a real fabric;
then clients need timers of their own, which most C tools under libumad2sim have
not.

One line on standard output says when clients may come. An interrupt or SIGTERM
ends the server.`,
		Example: `  ibscope sim serve sim:fabric.topo &
  LD_PRELOAD=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so ibnetdiscover

  ibscope sim serve --listen unix:big 'sim:fattree?levels=3&radix=16' &
  IBSIM_SOCKNAME=big SIM_HOST='node0007 mlx5_0' LD_PRELOAD=… opensm
  ibscope discover --fabric ibsim:big

  ibscope sim serve --listen udp::7070 'sim:star?hosts=8&latency=50us'
  IBSIM_SERVER_NAME=server LD_PRELOAD=… iblinkinfo          # elsewhere`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return s.run(c.Context(), e, args) },
	}
	f := c.Flags()
	f.StringVar(&s.listen, "listen", "unix:sim", "`WHERE` clients come: unix:NAME, their IBSIM_SOCKNAME, or udp:HOST:PORT, their IBSIM_SERVER_NAME and _PORT")
	s.world.Add(f)
	f.StringVar(&s.timeouts, "timeouts", timeoutsNone, "`WHAT` becomes of requests without an answer: none gives them back at once, real leaves the client waiting")
	f.IntVar(&s.maxClients, "max-clients", 1024, "how many clients (`N`) may be attached at once")
	f.IntVar(&s.readyFD, "ready-fd", 0, "write a line to this open descriptor (`FD`) too, and close it, when clients may come")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "tell on standard error who comes and goes, and the counts at the end")
	return c
}
