package topology

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/fabric/hosttree"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// complain tells which hosts are in no tree.
func complain(e *env.Env, forest *hosttree.Forest) {
	for _, kind := range leftKinds {
		var list []hosttree.Left
		for _, l := range forest.Left {
			if l.Reason == kind.reason {
				list = append(list, l)
			}
		}
		if len(list) > 0 {
			e.Complain("%s left out: %s (%s)", count(len(list), "host"), kind.text, examples(list))
		}
	}
}

var leftKinds = []struct {
	reason hosttree.Reason
	text   string
}{
	{hosttree.NoName, "no name; --node-name-map gives one"},
	{hosttree.BadName, "a name that schedulers do not take; --rename changes it"},
	{hosttree.OtherRole, "not there to compute, by their names; --roles or --nodes add them"},
	{hosttree.NoLink, "no link to a switch"},
	{hosttree.NotFound, "in --nodes, but not in the fabric"},
}

// maxExamples bounds the hosts that are named on stderr.
const maxExamples = 5

func examples(list []hosttree.Left) string {
	var texts []string
	for _, l := range list[:min(len(list), maxExamples)] {
		switch {
		case l.Name != "":
			texts = append(texts, fmt.Sprintf("%q", l.Name))
		case len(l.Adapters) > 0:
			texts = append(texts, l.Adapters[0].String())
		}
	}
	if len(list) > maxExamples {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}

// count is "1 host", "2 hosts".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
