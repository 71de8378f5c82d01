// Package pcap is the command "ibscope pcap".
package pcap

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// settings are the flags of the command.
type settings struct {
	output   string
	verbose  bool
	showKeys bool
	summary  bool
	class    string
	attr     string
	lid      string
	tid      string
}

var outputs = []string{"text", "json", "ndjson"}

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{}
	c := &cobra.Command{
		Use:   "pcap FILE",
		Short: "Print the MADs of a capture",
		Long: `Pcap prints the management datagrams of a capture, one line each: when, in which
direction, to or from where, what was asked, and of replies the status and how long
they took. At the end it counts requests, replies and what was not answered.

It reads the captures that --pcap of the other commands writes, and those of other
programs, pcap or pcapng, of InfiniBand frames or ERF records. Packets that are no
MADs are left out and counted. FILE may be "-" for standard input.

The latency of a reply is the time since its request was sent last. A request
without a reply in the capture counts as unanswered.`,
		Example: `  ibscope discover --pcap sweep.pcapng >/dev/null; ibscope pcap sweep.pcapng
  ibscope pcap -v --attr PortInfo sweep.pcapng
  ibscope pcap --summary sweep.pcapng
  ibscope pcap -o ndjson sweep.pcapng | jq 'select(.latency_seconds > 0.1)'`,
		Args:        cobra.ExactArgs(1),
		RunE:        func(_ *cobra.Command, args []string) error { return s.run(e, args[0]) },
		Annotations: map[string]string{env.ExitStatus: exitStatus},
	}
	f := c.Flags()
	f.StringVarP(&s.output, "output", "o", "text", "print a `FORMAT`: "+strings.Join(outputs, ", "))
	f.BoolVarP(&s.verbose, "verbose", "v", false, "print the fields of the attributes, too")
	f.BoolVar(&s.showKeys, "show-keys", false, "print keys among the fields")
	f.BoolVar(&s.summary, "summary", false, "print what was counted only")
	f.StringVar(&s.class, "class", "", "only MADs of `CLASS`: Subn, SubnDirected, SubnAdm, Perf … or a number")
	f.StringVar(&s.attr, "attr", "", "only MADs with `ATTRIBUTE`: a name, as NodeInfo, or a number")
	f.StringVar(&s.lid, "lid", "", "only MADs from or to `LID`")
	f.StringVar(&s.tid, "tid", "", "only MADs with the transaction ID `NUMBER`, or its lower 32 bits")
	if err := c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(outputs, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(fmt.Sprintf("pcap: %v", err)) // the flag is the one above
	}
	return c
}

const exitStatus = `0: the capture was printed.
1: the file cannot be read, or is no capture.
2: a mistake in the command line.
3: the capture is damaged or cut off; what stands before that was printed.`
