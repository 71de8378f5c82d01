package doctest

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// counted is what differs between two readings of counters that count.
var counted = regexp.MustCompile(`\b\d{4,}(\.\d+)?\b`)

func uncounted(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n") // of CSV
	return blanks.ReplaceAllString(counted.ReplaceAllString(unmeasured(s), "#"), " ")
}

// TestReportCommands runs the commands of docs/reports.md in a terminal of 80
// columns and compares their output. A last line "…" stands for the rest of it.
func TestReportCommands(t *testing.T) {
	commands := consoleCommands(read(t, "docs/reports.md"))
	if len(commands) < 6 {
		t.Fatalf("found only %d commands", len(commands))
	}
	t.Chdir(t.TempDir())
	for _, c := range commands {
		want, got := uncounted(c.output), uncounted(runNarrow(t, words(c.line)))
		if head, cut := strings.CutSuffix(want, "…\n"); cut {
			want, got = head, got[:min(len(head), len(got))]
		}
		if want != got {
			t.Errorf("docs/reports.md shows something else for %s (-doc +real):\n%s", c.line, cmp.Diff(want, got))
		}
	}
}

// runNarrow runs the program in a terminal of 80 columns; findings are no failure, nor
// is what could not be read.
func runNarrow(t *testing.T, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := cli.Run(ctx, &env.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(name string) string { return map[string]string{"COLUMNS": "80"}[name] }, Now: time.Now,
		IsTerminal: func(any) bool { return false },
		Version:    "test", DiagConfig: os.DevNull,
	})
	if code != env.OK && code != env.Findings && code != env.Incomplete {
		t.Fatalf("%q: exit code %d\n%s", args, code, stderr.String())
	}
	return stdout.String()
}
