package testenv

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// runTimeout ends a C tool that waits for something that will not happen.
const runTimeout = 2 * time.Minute

// attempts is how often RunC runs a tool that gives up at its own start.
const attempts = 5

// RunC runs a C tool against a simulator, attached to the node whose id or
// description is host, or to the first node of the topology if host is "". It
// returns what the tool printed and its exit code. A tool that cannot be
// started, hangs, or dies by a signal ends the test; a missing one skips it.
//
// The tool runs in a temporary directory of its own: file arguments must be
// absolute.
//
// The C tools wait one second for the answer to their first request and then
// fail for good, which happens on a busy machine; RunC then runs them again.
func RunC(t testing.TB, sim *Ibsim, host, tool string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	for range attempts {
		stdout, stderr, code = runOnce(t, sim, host, tool, args...)
		if code == 0 || !strings.Contains(stdout, "discover failed") && !strings.Contains(stdout+stderr, "resolve self") {
			break
		}
	}
	return stdout, stderr, code
}

func runOnce(t testing.TB, sim *Ibsim, host, tool string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := CommandC(t, sim, host, tool, args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || !exit.Exited()) {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, tail(errOut.String()))
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// CommandC prepares what RunC runs, for a test that wants to start it itself,
// such as a subnet manager in the background. The command is killed when the
// test ends or after two minutes.
func CommandC(t testing.TB, sim *Ibsim, host, tool string, args ...string) *exec.Cmd {
	t.Helper()
	path := Tool(t, tool)
	Need(t, "umad2sim")
	preload, err := Umad2sim()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), runTimeout)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = t.TempDir() // umad2sim makes a copy of sysfs in the working directory
	cmd.Env = append(os.Environ(),
		"LD_PRELOAD="+preload,
		"IBSIM_SOCKNAME="+sim.Name,
		"SIM_HOST="+host,
		"LC_ALL=C")
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = dieWithParent()
	return cmd
}
