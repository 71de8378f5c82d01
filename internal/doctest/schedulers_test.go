package doctest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchedulerCommands runs the commands of docs/schedulers.md and compares their
// output.
func TestSchedulerCommands(t *testing.T) {
	commands := consoleCommands(read(t, "docs/schedulers.md"))
	if len(commands) < 6 {
		t.Fatalf("found only %d commands", len(commands))
	}
	for _, c := range commands {
		if d := cmp.Diff(c.output, run(t, words(c.line))); d != "" {
			t.Errorf("docs/schedulers.md shows something else for %s (-doc +real):\n%s", c.line, d)
		}
	}
}
