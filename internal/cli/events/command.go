// Package events is the command "ibscope events".
package events

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/past"
	"github.com/ibscope/ibscope/internal/cli/report"
)

// settings are the flags of the command.
type settings struct {
	from   past.Flags
	span   past.Span
	print  report.Flags
	server string
	token  string
	follow bool
	noWait bool
	limit  int

	kinds      []string
	severities []string
	node       string
}

// The formats that are not tables: a line for each event, for people and for programs.
const (
	asText   = "text"
	asNDJSON = "ndjson"
)

// Command makes the command.
func Command(e *env.Env) *cobra.Command {
	s := &settings{print: report.Flags{Own: []string{asText, asNDJSON}, Format: asText}}
	c := &cobra.Command{
		Use:   "events",
		Short: "List what has happened in a fabric",
		Long: `Events lists the events that a service has seen: links that went down, came up or
flapped, lost width or speed, errors, nodes that came, went, were replaced or
renamed, another subnet manager. Each names both ends of the link that it is about.

They are read from the history of "ibscope serve --state DIRECTORY", or with --server
from a service that runs. --follow goes on with what happens, until it is
interrupted. A service that is not there, or goes away, is tried again; what happened
meanwhile is told when it is back. Times are in UTC.

With -o text and ndjson each event is a line; kinds and fields are in docs/json.md.
The columns of the other formats:
` + report.ColumnHelp(columns),
		Example: `  ibscope events
  ibscope events --since 7d --kind link-down,link-flap
  ibscope events --server http://monitor:9805 --token-file token --follow
  ibscope events --since 2026-03-01 -o table --node 'leaf01*'
  ibscope events --since 1h -o ndjson | jq -r .at.name | sort | uniq -c`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), e) },
		Annotations: map[string]string{env.ExitStatus: `0: the events were printed; with --follow, until it was interrupted.
1: there is no history, it cannot be read, or the service does not answer.
2: a mistake in the command line.
3: some events of that time are not stored, or not kept any more.`},
	}
	f := c.Flags()
	s.from.Register(f, "fabric")
	s.span.Register(f, "24h")
	s.print.Register(c, columns)
	f.StringVar(&s.server, "server", "", "ask the service at this `URL` in place of reading its history")
	f.StringVar(&s.token, "token-file", "", "with --server: read the token from `FILE`")
	f.BoolVarP(&s.follow, "follow", "f", false, "go on with events as they happen")
	f.BoolVar(&s.noWait, "no-wait", false, "with --follow and --server: fail if the service does not answer at the beginning")
	f.IntVarP(&s.limit, "limit", "n", defaultLimit, "the last `N` events")
	f.StringSliceVar(&s.kinds, "kind", nil, "only events of these kinds, a `LIST` with commas: link-down, link-flap …")
	f.StringSliceVar(&s.severities, "severity", nil, "only events of these severities, a `LIST` of "+strings.Join(words(severities), ", "))
	f.StringVar(&s.node, "node", "", "only events with a node at an end whose name fits the `PATTERN`, or with this GUID")
	complete(c, "kind", words(kinds))
	complete(c, "severity", words(severities))
	return c
}

func complete(c *cobra.Command, flag string, values []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("events: " + err.Error()) // the flag was added above
	}
}

func words[T ~string](list []T) []string {
	out := make([]string, 0, len(list))
	for _, w := range list {
		out = append(out, string(w))
	}
	return out
}
