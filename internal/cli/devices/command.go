// Package devices is the command "ibscope devices".
package devices

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// settings are the flags of the command.
type settings struct {
	output   string
	counters bool
}

var outputs = []string{"table", "json"}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "devices",
		Short: "List the RDMA devices of this host and their ports",
		Long: `Devices lists the RDMA devices of this host with a line for each port: link
layer, state, rate, LID, port GUID (on RoCE the first GID), network device, NUMA
node, firmware, board and type of the adapter. Columns that no device has a value
for are left out; on a narrow terminal the last columns stand on a second line.

It reads sysfs and RDMA netlink only: no privileges and no device files are
needed, and nothing is sent. What cannot be read is listed on standard error, and
the exit status is 3. A host without RDMA devices is no failure: the likely
reason is told on standard error, and "ibscope doctor" tells more.`,
		Example: `  ibscope devices
  ibscope devices --counters
  ibscope devices -o json | jq -r '.devices[].ports[] | select(.state != "Active") | .umad'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
	}
	c.Flags().StringVarP(&s.output, "output", "o", "table", "print a `FORMAT`: "+strings.Join(outputs, ", "))
	c.Flags().BoolVar(&s.counters, "counters", false, "print the counters, too")
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputs, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("devices: %v", err)) // the flag is the one above
	}
	return c
}
