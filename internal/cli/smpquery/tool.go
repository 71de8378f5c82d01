// Package smpquery is the tool of that name of infiniband-diags: attributes of
// subnet management, one device at a time.
package smpquery

import (
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:        "smpquery",
	Summary:     "ask a device for an attribute of subnet management",
	OperandList: operands,
	Words:       operationNames,
	Description: `smpquery asks the subnet management agent of a device for one of the attributes
below, and prints its fields. The device is named by LID, with -D by a directed
route, with -G by a port GUID, with -c by the LID of a switch and a directed route
that starts there.

The options and the output are those of smpquery from infiniband-diags, but for
the fields of PortInfoExtended for HDR and NDR, which the C tool takes from wrong
places, and descriptions of full 64 bytes, behind which it prints what follows.`,
	Options: []getopt.Option{
		{Long: "combined", Short: 'c', Help: "use Combined route address argument"},
		{Long: "node-name-map", Arg: "file", Help: "node name map file"},
		{Long: "extended", Short: 'x', Help: "use extended speeds"},
	},
	Examples: []string{
		"portinfo 3 1\t\t\t\t# portinfo by lid, with port modifier",
		"-G switchinfo 0x2C9000100D051 1\t# switchinfo by guid",
		"-D nodeinfo 0\t\t\t\t# nodeinfo by direct route",
		"-c nodeinfo 6 0,12\t\t\t# nodeinfo by combined route",
	},
	ExitStatus: "0 when the device answered; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}

func operationNames() []string {
	var names []string
	for i := range operations {
		names = append(names, operations[i].name)
	}
	return names
}

func operands() string {
	var b strings.Builder
	b.WriteString("<op> <dest dr_path|lid|guid> [op params]\n\nSupported ops (and aliases, case insensitive):\n")
	for _, o := range operations {
		b.WriteString("  " + o.name + " (" + o.alias + ") <addr>")
		if o.port {
			b.WriteString(" [<portnum>]")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
