package oracle_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/testenv"
)

// result is what a run of a command gave.
type result struct {
	stdout, stderr string
	code           int
}

// ours runs one of our commands on a fabric.
func ours(t *testing.T, uri string, args ...string) result {
	t.Helper()
	return oursAt(t, uri, "", args...)
}

// oursAt attaches to the node with that id or description.
func oursAt(t *testing.T, uri, host string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	e := &cli.Env{
		Args: args, Stdin: bytes.NewReader(nil), Stdout: &stdout, Stderr: &stderr, Now: time.Now,
		Getenv: func(name string) string {
			switch name {
			case "IBSCOPE_FABRIC":
				return uri
			case "SIM_HOST":
				return host
			}
			return ""
		},
		IsTerminal: func(any) bool { return false }, ReadPassword: func(string) (string, error) { return "", io.EOF },
		DiagConfig: "/nonexistent",
	}
	code := cli.Run(t.Context(), e)
	return result{stdout.String(), stderr.String(), code}
}

// c runs one of the C tools on a running ibsim.
func c(t *testing.T, sim *testenv.Ibsim, host string, args ...string) result {
	t.Helper()
	stdout, stderr, code := testenv.RunC(t, sim, host, args[0], args[1:]...)
	return result{stdout, stderr, code}
}

var dateLine = regexp.MustCompile(`(?m)^# Topology file: generated on .*$`)

// undated takes out the one line that differs from run to run.
func undated(s string) string {
	return dateLine.ReplaceAllString(s, "# Topology file: generated on DATE")
}

// firstDifference shows the first line in which two texts differ, with its number.
func firstDifference(want, got string) string {
	w, g := bytes.Split([]byte(want), []byte("\n")), bytes.Split([]byte(got), []byte("\n"))
	for i := range max(len(w), len(g)) {
		var a, b []byte
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if !bytes.Equal(a, b) {
			return fmt.Sprintf("line %d:\nC:    %s\nours: %s", i+1, a, b)
		}
	}
	return "none"
}

func readFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
