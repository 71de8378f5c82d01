// Package ibcacheedit is the tool of that name of infiniband-diags: changes GUIDs in
// the cache file of a fabric.
package ibcacheedit

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:     "ibcacheedit",
	Summary:  "change GUIDs in a cache file of ibnetdiscover",
	Operands: "<orig.cache> <new.cache>",
	Excluded: "CDdeGKLPstvy",
	Description: `ibcacheedit reads a cache file that ibnetdiscover --cache has written, replaces
GUIDs in it, and writes another one: after a device has been replaced, so that
a later comparison does not report it. The two may be the same file. The changes
are made in the order of the options below, each kind once.

The options and the new file are those of ibcacheedit from infiniband-diags. Unlike
there, the new file is complete or not there, and a file that contradicts itself is
edited as it is.`,
	Options: []getopt.Option{
		{Long: "switchguid", Arg: "BEFOREGUID:AFTERGUID", Bare: true, Help: "Specify before and after switchguid to edit"},
		{Long: "caguid", Arg: "BEFOREGUID:AFTERGUID", Bare: true, Help: "Specify before and after caguid to edit"},
		{Long: "sysimgguid", Arg: "BEFOREGUID:AFTERGUID", Bare: true, Help: "Specify before and after sysimgguid to edit"},
		{Long: "portguid", Arg: "NODEGUID:BEFOREGUID:AFTERGUID", Bare: true, Help: "Specify before and after port guid to edit"},
	},
	ExitStatus: "0 when the new file is written; 2 for a mistake in the command line; " +
		"255 for a fatal error, which is told on standard output.",
}
