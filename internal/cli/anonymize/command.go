// Package anonymize is the command "ibscope anonymize".
package anonymize

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// settings are the flags of the command.
type settings struct {
	file        string
	as          string
	seed        string
	hideVendors bool
}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "anonymize [flags] [FILE]",
		Short: "Take names, GUIDs and LIDs out of a stored fabric",
		Long: `Anonymize reads a stored fabric and writes it in the same format without what
identifies its owner, so that it can be shown to others.

  replaced  node names, GUIDs, LIDs, also in forwarding tables, subnet prefixes
  removed   M_Keys, the texts of problems, where the fabric was read, what this
            program does not understand
  kept      nodes, links, chassis, ports and routes; vendors and models; states,
            rates and counters; the time

What was alike stays alike: the ports and the system image of a device have GUIDs as
near to its own as before, the LIDs of a port stay together, node-001 and node-017
become host-1 and host-17 if all in between exist. Makers' texts and the device in a
description ("node-001 mlx5_0") stay.

Every format that can be written back is read, compressed or not; FILE may be - or
absent, for standard input. With --seed the same fabric gives the same output. Keep
the seed: who knows it can test whether a GUID that he guesses was there.`,
		Example: `  ibscope anonymize monday.json.gz -o public.json.gz
  ibnetdiscover | ibscope anonymize >public.topo
  ibscope anonymize --as ibnetdiscover monday.json.gz -o public.topo
  ibscope anonymize --seed "$SECRET" tuesday.json.gz -o public2.json.gz`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			file := "-"
			if len(args) > 0 {
				file = args[0]
			}
			return s.run(e, file)
		},
	}
	kinds := kindNames()
	c.Flags().StringVarP(&s.file, "output", "o", "", "write to `FILE`, which is replaced when it is complete (default standard output)")
	c.Flags().StringVar(&s.as, "as", "", "write a `FORMAT`: "+strings.Join(kinds, ", ")+" (default that of the input)")
	c.Flags().StringVar(&s.seed, "seed", "", "a secret `TEXT`: the same gives the same output (default random)")
	c.Flags().BoolVar(&s.hideVendors, "hide-vendors", false, "replace vendors, device IDs and makers' texts too")
	if err := c.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("anonymize: %v", err)) // the flag is the one above
	}
	return c
}

func kindNames() []string {
	var list []string
	for _, k := range format.Writable() {
		list = append(list, string(k))
	}
	return list
}
