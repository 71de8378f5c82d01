package doctest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCookbook runs the commands of docs/cookbook.md one after the other, in a folder
// of their own and a terminal of 80 columns, and compares their output. A last line
// "…" stands for the rest of it.
func TestCookbook(t *testing.T) {
	text := read(t, "docs/cookbook.md")
	if n := strings.Count(text, "\n## "); n != 12 {
		t.Errorf("%d questions, the first lines say twelve", n)
	}
	t.Chdir(t.TempDir())
	same := func(s string) string { return uncounted(normal(s)) }
	for _, c := range consoleCommands(text) {
		want, got := same(c.output), same(runNarrow(t, words(c.line)))
		if head, cut := strings.CutSuffix(want, "…\n"); cut {
			want, got = head, got[:min(len(head), len(got))]
		}
		if want != got {
			t.Errorf("docs/cookbook.md shows something else for %s (-doc +real):\n%s", c.line, cmp.Diff(want, got))
		}
	}
}
