//go:build linux

package simexec

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/compare"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestMain makes the test binary behave as ibscope where a test, or its child,
// calls it so.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "compare" || len(os.Args) > 2 && os.Args[1] == "sim" && os.Args[2] == "exec" {
		os.Exit(ibscope())
	}
	os.Exit(m.Run())
}

func ibscope() int {
	e := env.System()
	root := &cobra.Command{Use: "ibscope", SilenceErrors: true, SilenceUsage: true}
	sim := &cobra.Command{Use: "sim"}
	root.AddCommand(sim, compare.Command(e))
	sim.AddCommand(Command(e))
	err := root.ExecuteContext(context.Background())
	var exit *env.ExitError
	switch {
	case err == nil:
		return env.OK
	case !errors.As(err, &exit):
		e.Complain("%v", err)
		return env.Usage
	}
	if exit.Err != nil {
		e.Complain("%v", exit.Err)
	}
	return exit.Code
}

// simExec prepares "ibscope sim exec ARGUMENTS".
func simExec(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	testenv.Need(t, "fuse")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"sim", "exec"}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}

// result is how a command ended.
type result struct {
	stdout, stderr string
	code           int
}

func run(t *testing.T, cmd *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// runOK runs "ibscope sim exec URI -- COMMAND" and wants success.
func runOK(t *testing.T, uri string, command ...string) string {
	t.Helper()
	r := run(t, simExec(t, append([]string{uri, "--"}, command...)...))
	if r.code != 0 {
		t.Fatalf("%q: exit code %d, stderr %s", command, r.code, r.stderr)
	}
	return r.stdout
}

// machine is what a run must leave as it was: devices, classes, and no mount of
// its own. Mounts of others may come and go.
func machine(t *testing.T) []string {
	t.Helper()
	var seen []string
	for _, dir := range []string{"/dev", "/sys/class"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			seen = append(seen, dir+"/"+e.Name())
		}
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		if strings.HasPrefix(line, mountName+" ") || strings.Contains(line, "/dev/fuse") {
			seen = append(seen, line)
		}
	}
	return seen
}
