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

// changing is what differs from run to run: dates, durations, and how many
// requests a sweep took, which depends on the order of replies.
var changing = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|\b[0-9.]+ ?(µs|ms|s|SMPs|resent)\b`)

func normal(s string) string { return changing.ReplaceAllString(s, "#") }

// TestReadmeCommands runs the commands of README.md's console blocks that begin
// with "$ ibscope" or "$ bin/ibscope" and compares their output, up to what
// changes from run to run. A last line "…" stands for the rest of the output.
func TestReadmeCommands(t *testing.T) {
	commands := consoleCommands(read(t, "README.md"))
	if len(commands) < 2 {
		t.Fatalf("found only %d commands", len(commands))
	}
	for _, c := range commands {
		t.Run(c.line, func(t *testing.T) {
			want, got := normal(c.output), normal(run(t, words(c.line)))
			if head, cut := strings.CutSuffix(want, "…\n"); cut {
				want, got = head, got[:min(len(head), len(got))]
			}
			if want != got {
				t.Errorf("README.md shows something else (-README +real):\n%s", cmp.Diff(want, got))
			}
		})
	}
}

// TestDemo makes sure that make demo runs what README.md shows, on a fabric of
// at least 500 nodes.
func TestDemo(t *testing.T) {
	m := regexp.MustCompile(`(?m)^DEMO \?= (.*)$`).FindStringSubmatch(read(t, "Makefile"))
	if m == nil {
		t.Fatal("Makefile has no DEMO")
	}
	line := "ibscope discover --fabric '" + m[1] + "'"
	if !strings.Contains(read(t, "README.md"), line) {
		t.Errorf("README.md does not show %s", line)
	}
	out := run(t, append(words(line), "-o", "ndjson"))
	if n := strings.Count(out, `{"record":"node",`); n < 500 {
		t.Errorf("the demo has only %d nodes", n)
	}
}

// TestReadmeExample compares the library example with the one that compiles.
func TestReadmeExample(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "internal/doctest/example_test.go"), "// begin README\n")
	body, _, ok := strings.Cut(rest, "\t// end README\n")
	if !ok {
		t.Fatal("example_test.go has no marks")
	}
	body = strings.ReplaceAll("\n"+body, "\n\t", "\n")
	if !strings.Contains(read(t, "README.md"), body) {
		t.Errorf("README.md does not have the example of example_test.go:\n%s", body)
	}
}

// TestReadmeTools compares the list of drop-in names with the program's.
func TestReadmeTools(t *testing.T) {
	readme := read(t, "README.md")
	for name := range strings.FieldsSeq(run(t, []string{"ibscope", "tools"})) {
		if !strings.Contains(readme, "`"+name+"`") {
			t.Errorf("README.md does not name the drop-in tool %s", name)
		}
	}
}

type command struct{ line, output string }

// consoleCommands finds the commands in the console blocks of a document.
func consoleCommands(text string) []command {
	var list []command
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split("\n"+strings.TrimSuffix(block[1], "\n"), "\n$ ")[1:] {
			line, output, _ := strings.Cut(part+"\n", "\n")
			if strings.HasPrefix(line, "ibscope ") || strings.HasPrefix(line, "bin/ibscope ") {
				list = append(list, command{strings.TrimPrefix(line, "bin/"), output})
			}
		}
	}
	return list
}

// words splits a command line at blanks; single quotes hold words together.
func words(line string) []string {
	var list []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
		} else {
			list = append(list, strings.Fields(part)...)
		}
	}
	return list
}

// run runs the program in this process, without a terminal.
func run(t *testing.T, args []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := cli.Run(ctx, &env.Env{
		Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now,
		IsTerminal: func(any) bool { return false },
		Version:    "test", DiagConfig: os.DevNull,
	})
	if code != env.OK {
		t.Fatalf("%q: exit code %d\n%s", args, code, stderr.String())
	}
	return stdout.String()
}
