// Package ibroute is the tools ibroute, dump_fts, dump_lfts and dump_mfts of
// infiniband-diags: the forwarding tables of one switch, or of all.
package ibroute

import (
	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// options are those of all tools of this package.
var options = []getopt.Option{
	{Long: "all", Short: 'a', Help: "show all lids, even invalid entries"},
	{Long: "no_dests", Short: 'n', Help: "do not try to resolve destinations"},
	{Long: "Multicast", Short: 'M', Help: "show multicast forwarding tables"},
	{Long: "node-name-map", Arg: "file", Help: "node name map file"},
}

const exitStatus = "0 when the tables are complete; 2 for a mistake in the command line; " +
	"255 for a fatal error, and when a part of a table could not be read, which is told on standard error."

const operands = "[<dest dr_path|lid|guid> [<startlid> [<endlid>]]]"

const mended = `Unlike the C tool it shows the last LID where that is a multiple of 64, and
the exit status tells that a part of a table is missing.`

// Tool declares ibroute.
var Tool = diags.Tool{
	Name:     "ibroute",
	Summary:  "show the forwarding tables of a switch",
	Operands: operands,
	Excluded: "K",
	Description: `ibroute reads the linear forwarding table of a switch, or with -M the
multicast forwarding table, and prints the output port for each LID, and which port
has the LID. Several requests are in flight.

The options and the output are those of ibroute from infiniband-diags. ` + mended,
	Options: options,
	Examples: []string{
		" -- Unicast examples:",
		"4\t# dump all lids with valid out ports of switch with lid 4",
		"-a 4\t# same, but dump all lids, even with invalid out ports",
		"-n 4\t# simple dump format - no destination resolving",
		"4 10\t# dump lids starting from 10",
		"4 0x10 0x20\t# dump lid range",
		"-G 0x08f1040023\t# resolve switch by GUID",
		"-D 0,1\t# resolve switch by direct path",
		" -- Multicast examples:",
		"-M 4\t# dump all non empty mlids of switch with lid 4",
		"-M 4 0xc010 0xc020\t# same, but with range",
		"-M -n 4\t# simple dump format",
	},
	ExitStatus: exitStatus,
}

// The tools that dump the tables of all switches. The latter two are old names of the
// first.
var (
	DumpTool = diags.Tool{
		Name: "dump_fts", Summary: "show the forwarding tables of all switches",
		Description: "dump_fts" + dumps,
		Operands:    operands, Excluded: dumpExcluded, Options: options, Examples: dumpExamples, ExitStatus: exitStatus,
	}
	DumpLFTsTool = diags.Tool{
		Name: "dump_lfts", Summary: "show the linear forwarding tables of all switches",
		Description: "dump_lfts" + dumps + "\n\nIt is an old name of dump_fts, and says so behind its output. The exit\n" +
			"status is that of dump_fts, where the script of that name always ends with 0.",
		Operands: operands, Excluded: dumpExcluded, Options: options, Examples: dumpExamples, ExitStatus: exitStatus,
	}
	DumpMFTsTool = diags.Tool{
		Name: "dump_mfts", Summary: "show the multicast forwarding tables of all switches",
		Description: "dump_mfts" + dumps + "\n\nIt is an old name of dump_fts -M, and says so behind its output. The exit\n" +
			"status is that of dump_fts -M, where the script of that name always ends with 0.",
		Operands: operands, Excluded: dumpExcluded, Options: options, Examples: dumpExamples, ExitStatus: exitStatus,
	}
	dumpExamples = []string{
		" -- Unicast examples:",
		"-a\t# same, but dump all lids, even with invalid out ports",
		"-n\t# simple dump format - no destination resolving",
		"10\t# dump lids starting from 10",
		"0x10 0x20\t# dump lid range",
		" -- Multicast examples:",
		"-M\t# dump all non empty mlids of switch with lid 4",
		"-M 0xc010 0xc020\t# same, but with range",
		"-M -n\t# simple dump format",
	}
)

const (
	dumpExcluded = "KGDLs"
	dumps        = ` sweeps the fabric and prints the forwarding tables of all switches as
ibroute does. The operands are the first and the last LID to show; the usage text
names another one before them, as that of the C tool does, which takes none either.

` + mended
)
