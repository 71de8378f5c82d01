package ibclear

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
)

// Agents are reached by their LIDs alone: nodes without are not cleared.
func TestNodesWithoutLIDsAreNotCleared(t *testing.T) {
	for _, c := range []struct {
		uri, args string
		code      int
		stdout    string
		untold    int // ports that stderr tells of
	}{
		{"sim:star?hosts=2", "", 0, "\n## Summary: 3 nodes cleared 0 errors\n", 0},
		{"sim:star?hosts=2&sm=off", "", 1, "\n## Summary: 0 nodes cleared 3 errors\n", 3},
		{"sim:star?hosts=2", "--dry-run", 0, "Dry run: would reset counters of 3 nodes, 5 ports; nothing was sent to them\n", 0},
		{"sim:star?hosts=2&sm=off", "--dry-run", 0, "Dry run: would reset counters of 0 nodes, 0 ports; nothing was sent to them\n", 0},
	} {
		var out, errOut bytes.Buffer
		e := &env.Env{
			Sources: source.Others,
			Args:    append([]string{"ibclearcounters", "--fabric", c.uri}, strings.Fields(c.args)...), Stdout: &out, Stderr: &errOut,
			Now: time.Now, IsTerminal: func(any) bool { return false }, Getenv: func(string) string { return "" },
		}
		if code := RunCounters(t.Context(), e); code != c.code || out.String() != c.stdout {
			t.Errorf("%s %s: exit code %d, expected %d; prints %q, expected %q; stderr %s", c.uri, c.args, code, c.code, out.String(), c.stdout, errOut.String())
		}
		if n := strings.Count(errOut.String(), "not reset, because the port has no LID"); n != c.untold {
			t.Errorf("%s %s: tells of %d ports, expected %d: %s", c.uri, c.args, n, c.untold, errOut.String())
		}
	}
}
