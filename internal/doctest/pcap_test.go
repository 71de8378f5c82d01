package doctest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// measured is what differs between two captures of the same: times, transaction
// IDs, and with them the width of columns.
var measured = regexp.MustCompile(`\b\d+\.\d{6}\b|tid 0x[0-9a-f]+|\b[0-9.]+ ?(ns|µs|ms|s)\b`)

var blanks = regexp.MustCompile(` +`)

func unmeasured(s string) string {
	return blanks.ReplaceAllString(measured.ReplaceAllString(s, "#"), " ")
}

// TestCaptureCommands runs the commands of docs/pcap.md one after the other, in a
// folder of their own, and compares their output. A last
// line "…" stands for the rest of the output.
func TestCaptureCommands(t *testing.T) {
	text := read(t, "docs/pcap.md")
	t.Chdir(t.TempDir())
	commands := consoleCommands(text)
	if len(commands) < 4 {
		t.Fatalf("found only %d commands", len(commands))
	}
	for _, c := range commands {
		want, got := unmeasured(c.output), unmeasured(run(t, words(c.line)))
		if head, cut := strings.CutSuffix(want, "…\n"); cut {
			want, got = head, got[:min(len(head), len(got))]
		}
		if want != got {
			t.Errorf("docs/pcap.md shows something else for %s (-doc +real):\n%s", c.line, cmp.Diff(want, got))
		}
	}
}
