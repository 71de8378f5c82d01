package diff

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service/history/historytest"
	"github.com/ibscope/ibscope/internal/source"
)

// run runs the command at the end of the history.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Sources: source.Others,
		Args:    []string{"ibscope"}, Stdout: &out, Stderr: &told, Now: func() time.Time { return historytest.End },
		Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
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

const topology = "sim:fattree?levels=2&radix=4&hosts=4"

// TestSince compares what a history has with the last of it, with another time, and with
// a fabric of today.
func TestSince(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for _, tt := range []struct {
		args []string
		code int
		want []string // in the lines, which are as many
	}{
		{[]string{"--since", "1h"}, env.OK, nil},
		{[]string{"--since", "4h"}, env.Findings, []string{`db1 mlx5_0`}},
		{[]string{"--since", "8h"}, env.Findings, []string{`db1 mlx5_0`, `Initialize`, `Initialize`}},
		{[]string{"--since", "8h", "--at", "2026-03-01 02:15"}, env.Findings, []string{`spine01`}},
		{[]string{"--since", "2026-03-01 00:00", "--at", "7h"}, env.OK, nil},
		{[]string{"--since", "1h", topology}, env.Findings, []string{`db1 mlx5_0`, `Active`, `Active`}},
		{[]string{"--since", "8h", "--fabric", topology}, env.OK, nil},
		{[]string{"--since", "8h", "--without=description,state"}, env.OK, nil},
	} {
		stdout, stderr, code := run(t, append(tt.args, "-o", "text", "--db", dir, "--history-fabric", "lab")...)
		if code != tt.code || stderr != "" {
			t.Errorf("%q: exit code %d, %s", tt.args, code, stderr)
		}
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if tt.want != nil && len(lines) < len(tt.want) {
			t.Errorf("%q prints\n%s", tt.args, stdout)
			continue
		}
		for i, want := range tt.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%q: %q has no %s", tt.args, lines[i], want)
			}
		}
	}
}

func TestSinceMistakes(t *testing.T) {
	dir := t.TempDir()
	historytest.Make(t, dir, historytest.Options{})
	for _, tt := range []struct {
		code int
		want string
		args []string
	}{
		{env.Usage, "arg(s)", nil},
		{env.Usage, "--since", []string{"--at", "1h", "a"}},
		{env.Usage, "arg(s)", []string{"--since", "1h", "a", "b"}},
		{env.Usage, "unknown command", []string{"--since", "1h", "--at", "1h", "a"}},
		{env.Usage, "--since", []string{"--since", "x"}},
		{env.Usage, "--at", []string{"--since", "1h", "--at", "x"}},
		{env.Failed, "begins at", []string{"--since", "9h"}},
		{env.Failed, "named", []string{"--since", "1h", "--history-fabric", "other"}},
		{env.Failed, "--state", []string{"--since", "1h", "--db", filepath.Join(dir, "none")}},
		{env.Failed, "no forwarding tables", []string{"--since", "1h", "--routes"}},
	} {
		args := append([]string{"--db", dir}, tt.args...)
		if stdout, stderr, code := run(t, args...); code != tt.code || !strings.Contains(stderr, tt.want) || stdout != "" {
			t.Errorf("%q: exit code %d, %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
}
