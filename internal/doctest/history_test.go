package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/service/history/historytest"
)

// sizes are those of files and of what is in them, which depend on how long a sweep took.
var sizes = regexp.MustCompile(`\b[0-9.]+ k?B\b`)

// TestHistoryCommands runs the commands of docs/history.md on a history that a service
// could have kept, in a terminal of 80 columns. A last line "…" stands for the rest of
// the output.
func TestHistoryCommands(t *testing.T) {
	commands := consoleCommands(read(t, "docs/history.md"))
	if len(commands) < 8 {
		t.Fatalf("found only %d commands", len(commands))
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("state", 0o700); err != nil {
		t.Fatal(err)
	}
	historytest.Make(t, "state", historytest.Options{})
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		got := runNarrow(t, words(c.line))
		got = strings.ReplaceAll(strings.ReplaceAll(got, dir, "/srv"), real, "/srv")
		want, got := withoutSizes(c.output), withoutSizes(got)
		if head, cut := strings.CutSuffix(want, "…"); cut {
			want, got = head, got[:min(len(head), len(got))]
		}
		if want != got {
			t.Errorf("docs/history.md shows something else for %s (-doc +real):\n%s", c.line, cmp.Diff(want, got))
		}
	}
}

// withoutSizes has no line ends either: the name of the file is in a line that wraps.
func withoutSizes(s string) string {
	return strings.Join(strings.Fields(sizes.ReplaceAllString(s, "# B")), " ")
}
