// Package saquery is the tool of that name of infiniband-diags: queries of
// subnet administration.
package saquery

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/cli/diags"
	"github.com/ibscope/ibscope/internal/getopt"
)

// Tool declares the command.
var Tool = diags.Tool{
	Name:        "saquery",
	Summary:     "query InfiniBand subnet administration",
	OperandList: operands,
	Words:       queryNames,
	Excluded:    "DGLsy",
	Description: `saquery asks the subnet administration, which runs with the subnet manager, for
records and prints them: node records without options, else those of the query
that is named, as far as its operands select them.

The options and the output are those of saquery from infiniband-diags, with
these faults mended: replies are matched by transaction ID; requests are
repeated when no reply comes; a flow label has 20 bits, not 8; values of 255 can be
asked for; ProxyJoin is the bit that the specification has.`,
	Options: []getopt.Option{
		{Long: "p", Short: 'p', Help: "get PathRecord info"},
		{Long: "N", Short: 'N', Help: "get NodeRecord info"},
		{Long: "L", Short: 'L', Help: "return the Lids of the name specified"},
		{Long: "l", Short: 'l', Help: "return the unique Lid of the name specified"},
		{Long: "G", Short: 'G', Help: "return the Guids of the name specified"},
		{Long: "O", Short: 'O', Help: "return name for the Lid specified"},
		{Long: "U", Short: 'U', Help: "return name for the Guid specified"},
		{Long: "s", Short: 's', Help: "return the PortInfoRecords with isSM or isSMdisabled capability mask bit on"},
		{Long: "g", Short: 'g', Help: "get multicast group info"},
		{Long: "m", Short: 'm', Help: "get multicast member info (if multicast group specified, " +
			"list member GIDs only for group specified, for example 'saquery -m 0xC000')"},
		{Long: "x", Short: 'x', Help: "get LinkRecord info"},
		{Long: "c", Short: 'c', Help: "get the SA's class port info"},
		{Long: "S", Short: 'S', Help: "get ServiceRecord info"},
		{Long: "I", Short: 'I', Help: "get InformInfoRecord (subscription) info"},
		{Long: "list", Short: 'D', Help: "the node desc of the CA's"},
		{Long: "src-to-dst", Arg: "src:dst", Help: "get a PathRecord for <src:dst> where src and dst are either node names or LIDs"},
		{Long: "sgid-to-dgid", Arg: "sgid-dgid", Help: "get a PathRecord for <sgid-dgid> where sgid and dgid are addresses in IPv6 format"},
		{Long: "node-name-map", Arg: "file", Help: "specify a node name map file"},
		{Long: "smkey", Arg: "val", Help: "SA SM_Key value for the query." + prompt +
			".  Default (when not specified here or in ibdiag.conf) is to  use SM_Key == 0 (or \"untrusted\")"},
		{Long: "slid", Arg: "lid", Help: "Source LID (PathRecord)"},
		{Long: "dlid", Arg: "lid", Help: "Destination LID (PathRecord)"},
		{Long: "mlid", Arg: "lid", Help: "Multicast LID (MCMemberRecord)"},
		{Long: "sgid", Arg: "gid", Help: "Source GID (IPv6 format) (PathRecord)"},
		{Long: "dgid", Arg: "gid", Help: "Destination GID (IPv6 format) (PathRecord)"},
		{Long: "gid", Arg: "gid", Help: "Port GID (MCMemberRecord)"},
		{Long: "mgid", Arg: "gid", Help: "Multicast GID (MCMemberRecord)"},
		{Long: "reversible", Short: 'r', Arg: "val", Help: "Reversible path (PathRecord)"},
		{Long: "numb_path", Short: 'n', Arg: "val", Help: "Number of paths (PathRecord)"},
		{Long: "pkey", Arg: "val", Help: "P_Key (PathRecord, MCMemberRecord)." + prompt},
		{Long: "qos_class", Short: 'Q', Arg: "val", Help: "QoS Class (PathRecord)"},
		{Long: "sl", Arg: "val", Help: "Service level (PathRecord, MCMemberRecord)"},
		{Long: "mtu", Short: 'M', Arg: "val", Help: "MTU and selector (PathRecord, MCMemberRecord)"},
		{Long: "rate", Short: 'R', Arg: "val", Help: "Rate and selector (PathRecord, MCMemberRecord)"},
		{Long: "pkt_lifetime", Arg: "val", Help: "Packet lifetime and selector (PathRecord, MCMemberRecord)"},
		{Long: "qkey", Short: 'q', Arg: "val", Help: "Q_Key (MCMemberRecord)." + prompt},
		{Long: "tclass", Short: 'T', Arg: "val", Help: "Traffic Class (PathRecord, MCMemberRecord)"},
		{Long: "flow_label", Short: 'F', Arg: "val", Help: "Flow Label (PathRecord, MCMemberRecord)"},
		{Long: "hop_limit", Short: 'H', Arg: "val", Help: "Hop limit (PathRecord, MCMemberRecord)"},
		{Long: "scope", Arg: "val", Help: "Scope (MCMemberRecord)"},
		{Long: "join_state", Short: 'J', Arg: "val", Help: "Join state (MCMemberRecord)"},
		{Long: "proxy_join", Short: 'X', Arg: "val", Help: "Proxy join (MCMemberRecord)"},
		{Long: "service_id", Arg: "val", Help: "ServiceID (PathRecord)"},
	},
	ExitStatus: "0 when the administration answered; 2 for a mistake in the command line; an errno value " +
		"for a failed query: 5 when the administration refused it, 110 when it did not answer, 22 for an operand " +
		"that makes no sense, 64 for a name that no node has; 255 when no subnet manager is known.",
}

// prompt is what the help of keys has in common.
const prompt = " If non-numeric value (like 'x') is specified then saquery will prompt for a value"

func queryNames() []string {
	var names []string
	for i := range queries {
		names = append(names, queries[i].name)
	}
	return names
}

// operands is the part of the usage text that lists the queries.
func operands() string {
	var b strings.Builder
	b.WriteString("[query-name] [<name> | <lid> | <guid>]\n\nSupported query names (and aliases):\n")
	for i := range queries {
		fmt.Fprintf(&b, "  %s (%s) %s\n", queries[i].name, queries[i].alias, queries[i].operands)
	}
	return b.String() + "\n  Queries node records by default."
}
