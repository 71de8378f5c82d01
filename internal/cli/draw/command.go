// Package draw is the command "ibscope draw".
package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/fabric/layout"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/sweep"
)

// settings are the flags of the command.
type settings struct {
	sweep    sweep.Flags
	format   string
	file     string
	nameMap  string
	title    string
	colour   string
	collapse string
}

var (
	formats   = []string{"svg", "png", "html"}
	colours   = []string{"speed", "errors"}
	collapses = []string{"auto", "none", "hosts", "pods"}
)

// collapseOf is the way to collapse of each name in collapses.
var collapseOf = map[string]layout.Collapse{"auto": layout.Auto, "none": layout.None, "hosts": layout.Hosts, "pods": layout.Pods}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "draw",
		Short: "Draw a fabric: a picture as SVG or PNG, or a page to search and zoom in",
		Long: fmt.Sprintf(`Draw makes a picture of a fabric: switches in rows by tier, hosts below their leaves,
pods, groups, planes and rails apart, lattices as grids, dragonflies as circles. The
colour of a line is the speed of the link, its width the number of lanes; parallel
links are one line with their number. Degraded links are red and dashed, links that
are not active grey and dotted.

Beyond %d nodes the hosts of a switch are one box, beyond %d nodes so is each pod or
group; --collapse chooses. --colour errors reads the counters, and colours links by
the errors at both ends (but for PortXmitWait).

A page of HTML (-o html) stands for itself, loads nothing, and has a search for names,
GUIDs and LIDs, zoom, details of nodes and of both ends of links, and steps from pods
to switches to hosts.`, layout.HostsBeyond, layout.PodsBeyond),
		Example: `  ibscope draw --output-file fabric.svg
  ibscope draw -o html --output-file fabric.html --fabric file:fabric.topo
  ibscope draw -o png --output-file fabric.png --title 'Hall 2' --collapse hosts
  ibscope draw --colour errors --fabric file:fabric.snapshot >errors.svg`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
	}
	f := c.Flags()
	s.sweep.Register(f)
	f.StringVarP(&s.format, "output", "o", "svg", "write a `FORMAT`: "+strings.Join(formats, ", "))
	f.StringVar(&s.file, "output-file", "", "write to `FILE`, which is replaced when the output is complete")
	f.StringVar(&s.nameMap, "node-name-map", "", "read names of nodes from `FILE`")
	f.StringVar(&s.title, "title", "", "write `TEXT` above the picture (default the name of the fabric)")
	f.StringVar(&s.colour, "colour", "speed", "what the colour of a link says: `WHAT` is "+strings.Join(colours, " or "))
	f.StringVar(&s.collapse, "collapse", "auto", "draw as one box `WHAT`: "+strings.Join(collapses, ", "))
	for flag, values := range map[string][]string{"output": formats, "colour": colours, "collapse": collapses} {
		if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(fmt.Sprintf("draw: %v", err)) // the flag is one of those above
		}
	}
	return c
}

// check refuses values that no flag has.
func (s *settings) check() error {
	for _, flag := range []struct {
		name, value string
		values      []string
	}{{"output", s.format, formats}, {"colour", s.colour, colours}, {"collapse", s.collapse, collapses}} {
		if !slices.Contains(flag.values, flag.value) {
			return env.Exitf(env.Usage, "--%s %s: there are %s", flag.name, flag.value, strings.Join(flag.values, ", "))
		}
	}
	return nil
}
