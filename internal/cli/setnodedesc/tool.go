// Package setnodedesc is the tool set_nodedesc of older infiniband-diags: it sets the
// description of the adapters of this host.
package setnodedesc

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "set_nodedesc",
	Summary:  "set the node description of all adapters of this host",
	Operands: "[name]",
	Excluded: "zCPDLGtsKyevdV",
	Description: `set_nodedesc writes a name into the node_desc file of each adapter in sysfs: the
operand, else the host name. The driver cuts it at 64 bytes; ibscope refuses longer
ones, and those with control characters. It wants to be root. Where the daemon rdma-ndd
of rdma-core runs, it sets descriptions itself, again whenever the host name changes.

It takes the place of the script set_nodedesc.sh of infiniband-diags, with its options
and output. Unlike there the host name is that of the kernel where HOSTNAME is not
set and the file /etc/sysconfig/network is not read; --dry-run writes nothing; and an
adapter whose description could not be set makes the exit code 1.`,
	Options: []getopt.Option{
		{Long: "help", Short: 'h', Help: "help message"},
		{Long: "view", Short: 'v', Help: "view all node descriptions"},
	},
	Shared:     []*getopt.Option{&diags.DryRunOption},
	ExitStatus: "0 when all was done; 1 when a description could not be read or set; 2 for a mistake in the command line.",
}

const usage = `[-hv] [<name>]
   set the node_desc field of all hca's found in "/sys/class/infiniband"
   -h this help
   -v view all node descriptors
   [<name>] set name to name specified.
      Default is to use the hostname
`
