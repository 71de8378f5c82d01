// Package simtopologies is the command "ibscope sim topologies".
package simtopologies

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/output"
	"github.com/ibscope/ibscope/sim/gen"
)

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     "topologies [NAME]…",
		Aliases: []string{"list"},
		Short:   "List the generators of simulated fabrics",
		Long: `Topologies lists the fabrics that sim:GENERATOR?NAME=VALUE&… can make, with what
their parameters may be, the defaults, and an example each; with NAMEs only those.`,
		Example: `  ibscope sim topologies
  ibscope sim topologies torus gpupod
  ibscope discover --fabric 'sim:torus?dims=4x4x2&hosts=2'`,
		ValidArgs: names(gen.Generators()),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := choose(args)
			if err != nil {
				return err
			}
			if asJSON {
				return output.JSON(e.Stdout, toJSON(list))
			}
			return write(e.Stdout, list)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func names(list []gen.Generator) []string {
	var all []string
	for _, g := range list {
		all = append(all, g.Name)
	}
	return all
}

// choose is the generators of those names, all for none.
func choose(wanted []string) ([]gen.Generator, error) {
	all := gen.Generators()
	if len(wanted) == 0 {
		return all, nil
	}
	var list []gen.Generator
	for _, name := range wanted {
		before := len(list)
		for _, g := range all {
			if g.Name == name {
				list = append(list, g)
			}
		}
		if len(list) == before {
			return nil, env.Exitf(env.Usage, "%q is not a generator: there are %s", name, strings.Join(names(all), ", "))
		}
	}
	return list, nil
}

// write prints the generators for people.
func write(out io.Writer, list []gen.Generator) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, g := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n  sim:%s\n", g.Name, g.Summary, g.Example)
		for _, p := range g.Params {
			summary := ""
			if p.Summary != "" {
				summary = p.Summary + ": "
			}
			fmt.Fprintf(w, "    %s\t%s%s; default %s\n", p.Name, summary, p.Values, p.Default)
		}
	}
	return w.Flush()
}
