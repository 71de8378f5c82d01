// Package top is the command "ibscope top".
package top

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// flags are the flags of the command.
type flags struct {
	sweep    sweep.Flags
	server   string
	token    string
	name     string
	nameMap  string
	interval time.Duration
	batch    int
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "top",
		Short: "Watch the busiest, the worst and the flapping links in a terminal",
		Long: `Top fills the terminal with what moves in a fabric: the busiest links, those that
count errors, ports that wait for credits, links that are down or slow, and what has
happened since it began. Each link has both its ends. A key sorts, filters, freezes
the screen, or goes into a node; ? lists the keys.

It reads the fabric itself, politely: a sweep at the beginning, a refresh every half
minute, the counters every --interval. With --server it asks a running "ibscope
serve" in place of the fabric, which costs the fabric nothing.

Where the output is no terminal, or with --batch, screens are printed one below the
other, without colours.`,
		Example: `  ibscope top
  ibscope top --fabric 'sim:fattree?levels=2&radix=16&traffic=load:30%25' --interval 2s
  ibscope top --server http://fabric-watch:9805
  ibscope top --batch 1 --interval 10s > busy.txt`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), e) },
	}
	fs := c.Flags()
	f.sweep.Register(fs)
	fs.StringVar(&f.server, "server", "", "ask the service at `URL` in place of the fabric")
	fs.StringVar(&f.token, "token-file", "", "with --server: read its token from `FILE`")
	fs.StringVar(&f.name, "name", "", "with --server: the `NAME` of the fabric, if it has several")
	fs.StringVar(&f.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	fs.DurationVar(&f.interval, "interval", 5*time.Second, "read counters every `TIME`")
	fs.IntVar(&f.batch, "batch", 0, "print `N` screens and end")
	return c
}

// check finds mistakes of usage.
func (f *flags) check() error {
	switch {
	case f.interval < 100*time.Millisecond || f.interval > time.Hour:
		return env.Exitf(env.Usage, "--interval %v: expected a time from 100ms to 1h", f.interval)
	case f.batch < 0:
		return env.Exitf(env.Usage, "--batch %d: expected a number of screens", f.batch)
	case f.server == "" && (f.token != "" || f.name != ""):
		return env.Exitf(env.Usage, "--token-file and --name are about a service: give --server too")
	case f.server != "" && f.sweep.Fabric != "":
		return env.Exitf(env.Usage, "--server and --fabric: expected one of them")
	}
	return nil
}
