// Package ibcheck is the checking scripts of older infiniband-diags: those that look
// at one node or port, ibchecknode, ibcheckport, ibcheckportstate, ibcheckportwidth,
// ibcheckerrs and ibdatacounts, and those that go through a fabric with them,
// ibchecknet, ibcheckstate, ibcheckwidth, ibcheckerrors and ibdatacounters.
package ibcheck

import (
	"context"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/getopt"
)

// program is one of the scripts.
type program struct {
	tool    *diags.Tool
	letters string // its options without a value
	port    need   // what it wants of a port operand
	usage   string
	instead string // what its warning recommends; "" for nothing
	check   func(*checker, context.Context, place, int) *outcome
	walk    *walk // of a script that goes through a fabric
}

// need is whether there is a port operand.
type need int

const (
	noPort need = iota
	mayPort
	mustPort
)

// The tools that look at one node or port.
var (
	Node = diags.Tool{
		Name: "ibchecknode", Summary: "check that a node answers",
		Operands: "<lid|guid>", Description: "ibchecknode " + oneNode, Letters: "hvNGS" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
	Port = diags.Tool{
		Name: "ibcheckport", Summary: "check the state and the width of a port",
		Operands: "<lid|guid> <port>", Description: "ibcheckport " + onePort, Letters: "hvNGS" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
	PortState = diags.Tool{
		Name: "ibcheckportstate", Summary: "check the state of a port",
		Operands: "<lid|guid> <port>", Description: "ibcheckportstate " + onePortState, Letters: "hvNGS" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
	PortWidth = diags.Tool{
		Name: "ibcheckportwidth", Summary: "check that a port does not run at one lane",
		Operands: "<lid|guid> <port>", Description: "ibcheckportwidth " + onePortWidth, Letters: "hvNGS" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
	Errors = diags.Tool{
		Name: "ibcheckerrs", Summary: "check the error counters of a node or port",
		Operands: "<lid|guid> [<port>]", Description: "ibcheckerrs " + oneErrors, Letters: "hbvNGSsT" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
	Data = diags.Tool{
		Name: "ibdatacounts", Summary: "print the data counters of a node or port",
		Operands: "<lid|guid> [<port>]", Description: "ibdatacounts " + oneData, Letters: "hbvNGS" + valued,
		Options: options, Excluded: excluded, ExitStatus: oneStatus,
	}
)

// The tools that go through a fabric.
var (
	Net = diags.Tool{
		Name: "ibchecknet", Summary: "check nodes, ports and error counters of a fabric",
		Operands: "[<topology-file>]", Description: "ibchecknet " + wholeNet, Letters: "hvN" + valued,
		Options: options, Excluded: excluded, ExitStatus: netStatus,
	}
	State = diags.Tool{
		Name: "ibcheckstate", Summary: "check the states of all ports of a fabric",
		Operands: "[<topology-file>]", Description: "ibcheckstate " + wholeState, Letters: "hvN" + valued,
		Options: options, Excluded: excluded, ExitStatus: wholeStatus,
	}
	Width = diags.Tool{
		Name: "ibcheckwidth", Summary: "find links of a fabric that run at one lane",
		Operands: "[<topology-file>]", Description: "ibcheckwidth " + wholeWidth, Letters: "hvN" + valued,
		Options: options, Excluded: excluded, ExitStatus: wholeStatus,
	}
	FabricError = diags.Tool{
		Name: "ibcheckerrors", Summary: "check the error counters of a fabric",
		Operands: "[<topology-file>]", Description: "ibcheckerrors " + wholeErrors, Letters: "hbvN" + valued,
		Options: options, Excluded: excluded, ExitStatus: wholeStatus,
	}
	FabricData = diags.Tool{
		Name: "ibdatacounters", Summary: "print the data counters of a fabric",
		Operands: "[<topology-file>]", Description: "ibdatacounters " + wholeData, Letters: "hbvN" + valued,
		Options: options, Excluded: excluded, ExitStatus: wholeStatus,
	}
)

const (
	excluded = "zDLGsKyevdV"
	valued   = "CPt" // the options that all tools have

	oneStatus   = "0 when all is well; 255 when it is not, for a node that does not answer, and for a mistake in the command line."
	netStatus   = "the number of bad nodes, bad ports, and ports with errors, at most 254; 255 for a mistake in the command line, or a fabric or file that cannot be read."
	wholeStatus = "0 when the fabric was gone through, whatever was found; 255 for a mistake in the command line, or a fabric or file that cannot be read."
)

// options are all that there are; a tool has those of its letters.
var options = []getopt.Option{
	{Long: "help", Short: 'h', Help: "print the usage text"},
	{Long: "brief", Short: 'b', Help: "do not tell what the errors are"},
	{Long: "verbose", Short: 'v', Help: "tell of what is well, too"},
	{Long: "nocolor", Short: 'N', Help: "no colours; -nocolor is the same"},
	{Long: "Guid", Short: 'G', Help: "the operand is a port GUID"},
	{Long: "thresholds", Short: 'T', Arg: "threshold_file", Help: "file of thresholds, lines like SymbolErrorCounter=10"},
	{Long: "show", Short: 's', Help: "print the thresholds, and end"},
	{Long: "silent", Short: 'S', Help: "do not tell that the command is deprecated"},
	{Long: "Ca", Short: 'C', Arg: "ca_name", Help: "CA name to use"},
	{Long: "Port", Short: 'P', Arg: "ca_port", Help: "CA port number to use"},
	{Long: "timeout", Short: 't', Arg: "timeout_ms", Help: "timeout in ms; -timeout is the same"},
}

func has(letters string, letter byte) bool {
	for i := range len(letters) {
		if letters[i] == letter {
			return true
		}
	}
	return false
}

// Runs of the tools; each gives the exit code.

// RunNode runs ibchecknode.
func RunNode(ctx context.Context, e *env.Env) int { return nodeProgram.run(ctx, e) }

// RunPort runs ibcheckport.
func RunPort(ctx context.Context, e *env.Env) int { return portProgram.run(ctx, e) }

// RunPortState runs ibcheckportstate.
func RunPortState(ctx context.Context, e *env.Env) int { return stateProgram.run(ctx, e) }

// RunPortWidth runs ibcheckportwidth.
func RunPortWidth(ctx context.Context, e *env.Env) int { return widthProgram.run(ctx, e) }

// RunErrors runs ibcheckerrs.
func RunErrors(ctx context.Context, e *env.Env) int { return errorsProgram.run(ctx, e) }

// RunData runs ibdatacounts.
func RunData(ctx context.Context, e *env.Env) int { return dataProgram.run(ctx, e) }

// RunNet runs ibchecknet.
func RunNet(ctx context.Context, e *env.Env) int { return netWalk.run(ctx, e) }

// RunState runs ibcheckstate.
func RunState(ctx context.Context, e *env.Env) int { return stateWalk.run(ctx, e) }

// RunWidth runs ibcheckwidth.
func RunWidth(ctx context.Context, e *env.Env) int { return widthWalk.run(ctx, e) }

// RunFabricErrors runs ibcheckerrors.
func RunFabricErrors(ctx context.Context, e *env.Env) int { return errorsWalk.run(ctx, e) }

// RunFabricData runs ibdatacounters.
func RunFabricData(ctx context.Context, e *env.Env) int { return dataWalk.run(ctx, e) }
