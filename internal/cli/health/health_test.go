package health

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
)

// run runs a command line and gives what it prints.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: time.Now,
		Getenv: func(name string) string {
			if name == "COLUMNS" {
				return "80"
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
	c := Command(e)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(t.Context())
	var exit *env.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.Code
		if exit.Err != nil {
			e.Complain("%v", exit.Err)
		}
	case err != nil:
		t.Fatal(err)
	}
	return out.String(), told.String(), code
}

// star is a topology of ibsim, whose links run at four of twelve lanes.
func star(t *testing.T, hosts int) string {
	t.Helper()
	var topology strings.Builder
	topology.WriteString("Switch 36 \"Switch1\"\n")
	for i := range hosts {
		fmt.Fprintf(&topology, "[%d] \"Hca%d\"[1]\n", i+1, i+1)
	}
	for i := range hosts {
		fmt.Fprintf(&topology, "\nHca 2 \"Hca%d\"\n[1] \"Switch1\"[%d]\n", i+1, i+1)
	}
	file := filepath.Join(t.TempDir(), "star.topo")
	if err := os.WriteFile(file, []byte(topology.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestHealthy(t *testing.T) {
	stdout, stderr, code := run(t, "--fabric", "sim:fattree?levels=2&radix=4", "--routes", "--firmware")
	if code != env.OK || stderr != "" {
		t.Errorf("exit %d, %s", code, stderr)
	}
	if !strings.Contains(stdout, "HEALTHY  ") || !strings.Contains(stdout, "[no-standby]") || strings.Contains(stdout, "\nnot ") {
		t.Errorf("%s", stdout)
	}
	for line := range strings.Lines(stdout) {
		if len([]rune(line)) > 81 {
			t.Errorf("too long: %q", line)
		}
	}
}

func TestFindings(t *testing.T) {
	file := star(t, 2)
	stdout, stderr, code := run(t, "--fabric", "file:"+file, "-o", "json")
	if code != env.Findings {
		t.Errorf("exit %d, %s", code, stderr)
	}
	var document struct {
		Schema, Verdict string
		Complete        bool
		Findings        []struct {
			Severity, Kind, Text, Remedy string
			At, To                       struct {
				Name string
				Port int
			}
		}
		Checks []struct{ Check, Skipped string }
	}
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		t.Fatalf("%v in %s", err, stdout)
	}
	if document.Schema != "ibscope.health" || document.Verdict == "healthy" || !document.Complete {
		t.Errorf("%+v", document)
	}
	found := false
	for _, f := range document.Findings {
		found = found || f.Kind == "narrow" && f.At.Port == 2 && f.To.Name == "Hca2" && f.Remedy != ""
	}
	if !found {
		t.Errorf("the narrow link is not told of: %+v", document.Findings)
	}
	for _, c := range document.Checks {
		if c.Check == "counters" && c.Skipped == "" {
			t.Error("counters of a file are said to be read")
		}
	}
}

// TestManyOfAKind: text has the first of a kind, --all and JSON all of them.
func TestManyOfAKind(t *testing.T) {
	file := star(t, 9)
	some, _, _ := run(t, "--fabric", "file:"+file)
	all, _, _ := run(t, "--fabric", "file:"+file, "--all")
	if n := strings.Count(some, "[narrow]"); n != maxOfKind || !strings.Contains(some, "… and 4 more of the kind narrow") {
		t.Errorf("%d findings printed:\n%s", n, some)
	}
	if n := strings.Count(all, "[narrow]"); n != 9 {
		t.Errorf("--all prints %d", n)
	}
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{
		{"--counters", "maybe"},
		{"--counters", "off", "--threshold", "PortRcvErrors=1"},
		{"--columns", "kind"},
		{"-o", "xml"},
		{"-o", "table", "--columns", "nothing"},
		{"--threshold", "Nonsense=1"},
	} {
		args = append(args, "--fabric", "sim:star?hosts=4")
		if _, stderr, code := run(t, args...); code != env.Usage || stderr == "" {
			t.Errorf("%q: exit %d, %q", args, code, stderr)
		}
	}
}
