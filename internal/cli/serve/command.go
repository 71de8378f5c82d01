// Package serve is the command "ibscope serve".
package serve

import (
	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// flags are the flags of the command.
type flags struct {
	config    string
	fabrics   []string
	listen    []string
	webConfig string
	tokens    string
	public    []string
	open      bool
	state     string
	user      string
	resets    bool
	level     string
	nameMap   string

	refresh, verify, counters string
	tables                    string
	routes                    bool
	compat                    []string
	textfile                  string
	details                   bool
	webhooks                  []string
	nats                      string

	once   bool
	check  bool
	health string

	given func(name string) bool // whether a flag is on the command line
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Keep fabrics in memory and answer: metrics, events, API, page",
		Long: `Serve watches one or several fabrics: it sweeps them, refreshes what it knows,
reads the counters, each at its own pace, and answers from memory at once:

  /                 the page for people
  /metrics          for Prometheus
  /api/v1/…         for programs; /api/v1/openapi.json describes it
  /healthz, /readyz for whoever keeps it running

It changes nothing in a fabric: whatever could is refused before it is sent.

It answers on the loopback address only, unless --listen says otherwise; then it
wants --token-file, or a --web.config.file with passwords or certificates. With
--state it keeps history in a directory, and begins with what it knew last.

A file can say all this and more, for several fabrics: --config; docs/serve.md has
all keys. SIGHUP reads the file again. SIGTERM ends the service.`,
		Example: `  ibscope serve --fabric 'sim:fattree?levels=2&radix=8&traffic=30%'
  curl http://127.0.0.1:9805/metrics
  ibscope serve --fabric compute=umad:mlx5_0 --fabric storage=umad:mlx5_1 --state /var/lib/ibscope
  ibscope serve --config /etc/ibscope/serve.yaml
  ibscope serve --once --fabric umad: > /var/lib/node_exporter/infiniband.prom`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f.given = c.Flags().Changed
			return f.run(c.Context(), e)
		},
		Annotations: map[string]string{env.ExitStatus: `0  it was told to end; with --health: the service answers
1  it could not start, or something did not end in time; with --health: no answer
2  a mistake on the command line or in the configuration
3  with --once: not all of the fabrics could be read`},
	}
	f.register(c)
	return c
}

func (f *flags) register(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.config, "config", "", "read the configuration from `FILE`; flags go before what it says")
	fs.StringArrayVar(&f.fabrics, "fabric", nil, "watch this fabric, `NAME=URI` or a URI; may be repeated (default $IBSCOPE_FABRIC, else umad:)")
	fs.StringSliceVar(&f.listen, "listen", nil, "answer at this `ADDRESS`; may be repeated (default 127.0.0.1:9805)")
	fs.StringVar(&f.webConfig, "web.config.file", "", "TLS and passwords from `FILE`, as exporters of Prometheus have it")
	fs.StringVar(&f.tokens, "token-file", "", "let in only who has one of the tokens in `FILE`")
	fs.StringSliceVar(&f.public, "public", nil, "let everybody ask for this `PATH`; with * at its end for all that begin so (default /healthz,/readyz)")
	fs.BoolVar(&f.open, "open", false, "let everybody in, also beyond the loopback address")
	fs.StringVar(&f.state, "state", "", "keep history in this `DIRECTORY`")
	fs.StringVar(&f.user, "user", "", "become this `USER` once the ports are open")
	fs.BoolVar(&f.resets, "allow-resets", false, "let counters be reset through this service")
	fs.StringVar(&f.level, "log-level", "", "tell messages from this `LEVEL` on: debug, info, warn, error (default info)")
	fs.StringVar(&f.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	fs.StringVar(&f.refresh, "refresh", "", "look for changes every `TIME` (default 30s)")
	fs.StringVar(&f.verify, "verify", "", "ask for everything every `TIME` (default 1h)")
	fs.StringVar(&f.counters, "counters", "", "read counters every `TIME`, or off (default 1m)")
	fs.StringVar(&f.tables, "tables", "", "read forwarding tables every `TIME`, and after changes, or off (default 1h)")
	fs.BoolVar(&f.routes, "routes", false, "keep forwarding tables in history and snapshots, too")
	fs.StringSliceVar(&f.compat, "compat", nil, "serve metrics also by the `NAMES` of other exporters: treydock, node, guilbaults")
	fs.StringVar(&f.textfile, "textfile", "", "write metrics to `FILE` for node_exporter")
	fs.BoolVar(&f.details, "details", false, "read also what errors were made of (default with --compat treydock or guilbaults)")
	fs.StringArrayVar(&f.webhooks, "webhook", nil, "send events to this `URL`; may be repeated")
	fs.StringVar(&f.nats, "nats", "", "publish events and snapshots at this `URL` of NATS")
	fs.BoolVar(&f.once, "once", false, "read everything once, print the metrics, and end")
	fs.BoolVar(&f.check, "check", false, "look for mistakes in the configuration, and end")
	fs.StringVar(&f.health, "health", "", "ask the service that runs at `URL` whether it answers, and end")
}
