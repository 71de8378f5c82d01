package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/history/historytest"
	"github.com/ibscope/ibscope/internal/testenv"
)

// run runs the command at the end of the history, in a terminal of a width, 0 for none.
func run(t *testing.T, width int, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Args: []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: func() time.Time { return historytest.End },
		Getenv: func(name string) string {
			if name == "COLUMNS" && width > 0 {
				return strconv.Itoa(width)
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	c := Command(e)
	c.SetArgs(append([]string{}, args...))
	c.SilenceErrors, c.SilenceUsage = true, true
	var exit *env.ExitError
	if err := c.ExecuteContext(t.Context()); errors.As(err, &exit) {
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	} else if err != nil {
		return out.String(), err.Error(), env.Usage
	}
	return out.String(), told.String(), code
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	path := historytest.Make(t, dir, historytest.Options{})
	for name, args := range map[string][]string{
		"summary":   nil,
		"node":      {"node", "leaf01"},
		"port":      {"port", "leaf01", "3", "--since", "3h", "--until", "1h"},
		"renamed":   {"node", "db1*", "--since", "2026-03-01 04:00"},
		"snapshots": {"snapshots", "--since", "6h"},
	} {
		for _, width := range []int{80, 160} {
			stdout, stderr, code := run(t, width, append(args, "--db", dir)...)
			if code != env.OK || stderr != "" {
				t.Errorf("%s: exit code %d, %s", name, code, stderr)
			}
			stdout = strings.ReplaceAll(stdout, path, "DIR/history.db")
			if name != "summary" { // the path may be of any length
				for line := range strings.Lines(stdout) {
					if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width && !strings.Contains(line, "known by") {
						t.Errorf("%s: %q has %d characters, more than %d", name, line, n, width)
					}
				}
			}
			testenv.Golden(t, fmt.Sprintf("%s.%d", name, width), []byte(withoutSizes(name, stdout)))
		}
	}
}

// withoutSizes leaves out what depends on the moment of a sweep, which is stored too.
func withoutSizes(name, s string) string {
	if name != "summary" && name != "snapshots" {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		words := strings.Fields(line)
		for i := range words {
			if i+1 < len(words) && (words[i+1] == "B" || words[i+1] == "kB") {
				words[i] = "#"
			}
		}
		b.WriteString(strings.Join(words, " ") + "\n")
	}
	return b.String()
}

func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for schema, args := range map[string][]string{
		"ibscope.history":           nil,
		"ibscope.history.node":      {"node", "leaf01"},
		"ibscope.history.port":      {"port", "leaf01", "3"},
		"ibscope.history.snapshots": {"snapshots"},
	} {
		stdout, stderr, code := run(t, 0, append(args, "--db", dir, "-o", "json")...)
		var doc struct {
			Schema   string
			Complete bool
			Events   []struct {
				Kind string
				ID   int
			}
			Counts map[string]int64
		}
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != env.OK || doc.Schema != schema || !doc.Complete {
			t.Errorf("%s: %v, exit code %d, %+v, %s", schema, err, code, doc, stderr)
		}
		if want := map[string]int{"ibscope.history": 3, "ibscope.history.node": 2}[schema]; len(doc.Events) != want {
			t.Errorf("%s: %d events, want %d", schema, len(doc.Events), want)
		}
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	t.Chdir(t.TempDir())
	stdout, stderr, code := run(t, 0, "save", "--db", dir, "--at", "2026-03-01 02:15")
	if code != env.OK || stdout != "lab-20260301T020000Z.json.gz\n" {
		t.Fatalf("exit code %d, %s%s", code, stdout, stderr)
	}
	out, _, code := run(t, 0, "save", "--db", dir, "--at", "2026-03-01 02:15", "--output-file", "-")
	shot, err := snapshot.Read(strings.NewReader(out), "")
	if code != env.OK || err != nil {
		t.Fatal(code, err)
	}
	links := 0
	for range shot.Fabric.Links() {
		links++
	}
	named, err := format.Load(strings.TrimSpace(stdout))
	if err != nil || named.NumNodes() != shot.Fabric.NumNodes() || links == 0 {
		t.Errorf("%v, %d links", err, links)
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{Describe: func(int) string { return "twin" }})
	for _, tt := range []struct {
		code int
		want string
		args []string
	}{
		{env.Usage, "PORT", []string{"port", "leaf01"}},
		{env.Usage, "255", []string{"port", "leaf01", "300"}},
		{env.Usage, "no time", []string{"snapshots", "--since", "yesterday"}},
		{env.Usage, "not before", []string{"snapshots", "--since", "1h", "--until", "2h"}},
		{env.Usage, "no time", []string{"save", "--at", "x"}},
		{env.Usage, "there are", []string{"-o", "text"}},
		{env.Failed, "fits", []string{"node", "twin"}},
		{env.Failed, "no node", []string{"node", "leaf99"}},
		{env.Failed, "nothing of a fabric", []string{"--fabric", "other"}},
		{env.Failed, "nothing is stored", []string{"snapshots", "--fabric", "other"}},
		{env.Failed, "begins at 2026-03-01", []string{"save", "--at", "2026-02-01", "--output-file", "-"}},
	} {
		args := tt.args
		args = append(args, "--db", dir)
		if stdout, stderr, code := run(t, 0, args...); tt.code == env.Usage && tt.want == "PORT" {
			if code != env.Usage {
				t.Errorf("%q: exit code %d", tt.args, code)
			}
		} else if code != tt.code || !strings.Contains(stderr, tt.want) || (stdout != "" && tt.want != "nothing is stored") {
			t.Errorf("%q: exit code %d, %q, %q", tt.args, code, stdout, stderr)
		}
	}
	_, stderr, code := run(t, 0, "--db", filepath.Join(dir, "none"))
	if code != env.Failed || !strings.Contains(stderr, "--state") {
		t.Errorf("no history: exit code %d, %s", code, stderr)
	}
}

// TestHostile: names that attack what is printed do not.
func TestHostile(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{Describe: func(i int) string {
		return []string{"\x1b[31mred", "a\"b|c<d>\\", "new\nline", "\u202eleft"}[i%4]
	}})
	for _, output := range []string{"table", "json", "csv", "markdown", "html"} {
		for _, args := range [][]string{nil, {"node", "0xfc6a1c0300000040"}, {"port", "0xfc6a1c0300000040", "3"}, {"snapshots"}} {
			stdout, stderr, code := run(t, 0, append(args, "--db", dir, "-o", output)...)
			if code != env.OK {
				t.Errorf("%q: exit code %d, %s", args, code, stderr)
			}
			for _, r := range stdout {
				if !strconv.IsPrint(r) && r != '\n' && (r != '\r' || output != "csv") {
					t.Errorf("%q: %s has %U", args, output, r)
				}
			}
		}
	}
}

func TestScaled(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 999: "999", 1000: "1.00 k", 0.25: "0.25", 12345: "12.3 k", 999499: "999 k", 999600: "1.00 M", 5e13: "50.0 T", 7.5e9: "7.50 G", 123456789: "123 M",
	} {
		if got := strings.TrimSpace(scaled(v)); got != want {
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}
