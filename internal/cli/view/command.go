// Package view is the command "ibscope view".
package view

import (
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
)

// flags are the flags of the command.
type flags struct {
	sim      simworld.Flags
	listen   string
	nameMap  string
	refresh  time.Duration
	interval time.Duration
	open     bool
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	f := &flags{}
	c := &cobra.Command{
		Use:   "view [FILE|URI]",
		Short: "Look at a fabric in a browser: map, lists, events, paths",
		Long: `View shows a fabric as a page: a map that can be searched and zoomed, lists of nodes
and links, what is wrong, what happens, the path between two nodes, and what has
changed between two times. The page is for this machine: its address, which is
printed, opens once, in one browser. It loads nothing from elsewhere.

A file is shown as it is. A live or simulated fabric is watched as long as the command
runs: it is swept, refreshed and its counters are read, and the page follows. With
--scenario things happen to a simulated fabric.

To have a page that stays, for several people, run "ibscope serve".`,
		Example: `  ibscope view fabric.snapshot
  ibscope view --open
  ibscope view 'sim:fattree?levels=3&radix=16&traffic=on'
  ibscope view --scenario flapping.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), e, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0", "listen at `ADDRESS`, a loopback one, port 0 for any that is free")
	fs.BoolVar(&f.open, "open", false, "open the page in a browser")
	fs.StringVar(&f.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	fs.DurationVar(&f.refresh, "refresh", 10*time.Second, "look for changes every `TIME`")
	fs.DurationVar(&f.interval, "interval", 10*time.Second, "read counters every `TIME`")
	f.sim.Add(fs)
	return c
}

// check finds mistakes of usage.
func (f *flags) check() error {
	for _, t := range []struct {
		name  string
		value time.Duration
	}{{"refresh", f.refresh}, {"interval", f.interval}} {
		if t.value < 100*time.Millisecond || t.value > time.Hour {
			return env.Exitf(env.Usage, "--%s %v: expected a time from 100ms to 1h", t.name, t.value)
		}
	}
	host, _, err := net.SplitHostPort(f.listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return env.Exitf(env.Usage, "--listen %s: expected a loopback address as 127.0.0.1:8080; \"ibscope serve\" is for others", f.listen)
	}
	return nil
}
