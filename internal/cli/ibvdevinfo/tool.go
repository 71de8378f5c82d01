// Package ibvdevinfo is the tool ibv_devinfo of ibverbs-utils, which prints the
// attributes of RDMA devices.
package ibvdevinfo

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool is the tool. It shares no options with infiniband-diags.
var Tool = diags.Tool{
	Name: "ibv_devinfo", Summary: "print attributes of RDMA devices",
	Excluded: "zCPDLGtsKyevdhV",
	Description: `ibv_devinfo asks the RDMA devices of this machine, or one of them, for their
attributes and those of their ports, through /dev/infiniband/uverbsN.`,
	Options: []getopt.Option{
		{Long: "ib-dev", Short: 'd', Arg: "dev", Help: "use IB device <dev> (default first device found)"},
		{Long: "ib-port", Short: 'i', Arg: "port", Help: "use port <port> of IB device (default all ports)"},
		{Long: "list", Short: 'l', Help: "print only the IB devices names"},
		{Long: "verbose", Short: 'v', Help: "print all the attributes of the IB device(s)"},
	},
	ExitStatus: "0 when all went well; 1 for a device that cannot be opened or a port number that is none; " +
		"2 for a device without answer; 4 for a port that a device does not have; " +
		"255 for a mistake in the command line and when there is no such device. " +
		"The codes of several devices are joined by OR; that of a port without answer is its errno.",
}

// usage is the usage text, in the layout of ibverbs-utils.
func usage(program string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s             print the ca attributes\n\nOptions:\n", program)
	for _, o := range Tool.Options {
		head := fmt.Sprintf("  -%c, --%s", o.Short, o.Long)
		if o.TakesArgument() {
			head += "=<" + o.Arg + ">"
		}
		fmt.Fprintf(&b, "%-24s %s\n", head, o.Help)
	}
	return b.String()
}
