package ibcheck

// What the manual pages say of the tools, behind their names.
const (
	oneNode = `asks a node for its NodeInfo, and says whether it answered.` + one

	onePort = `asks for the PortInfo of a port. It fails when the physical state is not LinkUp,
when the logical state is not Active, and when the port runs at one lane.` + one

	onePortState = `asks for the PortInfo of a port. It fails when the physical state is not LinkUp,
and when the logical state is not Active.` + one

	onePortWidth = `asks for the PortInfo of a port. It fails when the port runs at one lane and
supports more.` + one

	oneErrors = `reads PortCounters of a port, or of all ports together (255) if the agent can,
and fails when a counter has reached its threshold; a threshold of 0 is none. A file
of thresholds has lines like SymbolErrorCounter=10; the script runs it as a shell,
which ibscope does not.` + one

	oneData = `reads PortCounters of a port, or of all ports together (255) if the agent can,
and prints those of data and packets. The script of 2.x prints those of received
ones only, because perfquery has changed names; ibscope prints all four.` + one

	one = `

It takes the place of the script of that name of infiniband-diags, with its options
and output. Options stand alone, each with its own "-", before the operands. Colours
are for terminals only, where the script has them in files too. The port GUID of -G is looked up by the subnet administration.`

	wholeNet = `looks at all nodes of a fabric: whether they answer, the state and width of their
cabled ports, and their error counters.` + whole

	wholeState = `looks at the states of all cabled ports of a fabric.` + whole

	wholeWidth = `looks for cabled ports of a fabric that run at one lane and support more.` + whole

	wholeErrors = `looks at the error counters of a fabric. Of a switch whose counters of all ports
together are beyond a threshold, each port is read.` + whole

	wholeData = `prints the counters of data and packets of a fabric: of switches those of all
ports together if their agents can, of other nodes those of each port.` + whole

	whole = `

It takes the place of the script of that name of infiniband-diags, with its options
and output, in one process: one sweep, or a file of any format that ibscope reads,
and then many nodes at the same time, reported in order. Nodes are reached by their
LIDs. ibscope health tells more.`
)

var (
	nodeProgram = program{
		tool: &Node, letters: "hvNGS", check: (*checker).node, instead: "smpquery nodeinfo",
		usage: "[-h] [-v] [-N | -nocolor] [-G] [-C ca_name] [-P ca_port] [-t(imeout) timeout_ms] <lid|guid>",
	}
	portProgram   = portCheck(&Port, (*checker).port)
	stateProgram  = portCheck(&PortState, (*checker).state)
	widthProgram  = portCheck(&PortWidth, (*checker).width)
	errorsProgram = program{
		tool: &Errors, letters: "hbvNGSs", port: mayPort, check: (*checker).errors, instead: "ibqueryerrors",
		usage: "[-h] [-b] [-v] [-G] [-T <threshold_file>] [-s(how_thresholds)] [-N | -nocolor] [-C ca_name] [-P ca_port] [-t(imeout) timeout_ms] <lid|guid> [<port>]",
	}
	dataProgram = program{
		tool: &Data, letters: "hbvNGS", port: mayPort, check: (*checker).data, instead: "ibqueryerrors --counters",
		usage: "[-h] [-b] [-v] [-G] [-N | -nocolor] [-C ca_name] [-P ca_port] [-t(imeout) timeout_ms] <lid|guid> [<port>]",
	}
)

func portCheck(tool *toolOf, check checkFunc) program {
	return program{
		tool: tool, letters: "hvNGS", port: mustPort, check: check,
		usage: "[-h] [-v] [-N | -nocolor] [-G] [-C ca_name] [-P ca_port] [-t(imeout) timeout_ms] <lid|guid> <port>",
	}
}

const topologyUsage = "[-N | -nocolor] [<topology-file> | -C ca_name -P ca_port -t(imeout) timeout_ms]"

var (
	netWalk = program{tool: &Net, letters: "hvN", usage: "[-h] [-v] " + topologyUsage, walk: &walk{
		ask: (*checker).errors, port: (*checker).port, headers: withoutSwitches, pair: true,
		warning: "\n*** WARNING ***: this command is deprecated; Please use \"ibqueryerrors -f\"",
		bad:     "%d ports checked, %d bad ports found\n", beyond: "##          %d ports have errors beyond threshold\n",
	}}
	stateWalk = program{tool: &State, letters: "hvN", usage: "[-h] [-v] " + topologyUsage, walk: &walk{
		port: (*checker).state, warning: "\n*** WARNING ***: this command is deprecated\n",
		bad: "%d ports checked, %d ports with bad state found\n",
	}}
	widthWalk = program{tool: &Width, letters: "hvN", usage: "[-h] [-v] " + topologyUsage, walk: &walk{
		port: (*checker).width, warning: "\n*** WARNING ***: this command is deprecated\n",
		bad: "%d ports checked, %d ports with 1x width in error found\n",
	}}
	errorsWalk = program{tool: &FabricError, letters: "hbvN", usage: "[-h] [-b] [-v] " + topologyUsage, walk: &walk{
		ask: (*checker).errors, pair: true,
		warning: "\n*** WARNING ***: this command is deprecated; Please use \"ibqueryerrors\"",
		beyond:  "##          %d ports checked, %d ports have errors beyond threshold\n",
	}}
	dataWalk = program{tool: &FabricData, letters: "hbvN", usage: "[-h] [-b] [-v] " + topologyUsage, walk: &walk{
		ask: (*checker).data, pair: true,
		warning: "*** WARNING ***: this command is deprecated; Please use \"ibqueryerrors --counters\n",
	}}
)
