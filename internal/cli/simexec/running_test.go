//go:build linux

package simexec

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// running is a command that has been started.
type running struct {
	*exec.Cmd
	out   *bufio.Reader
	first string // its first line
}

// line is the next line of its output.
func (r *running) line(t *testing.T) string {
	t.Helper()
	s, err := r.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %v", r.Args, err)
	}
	return strings.TrimSuffix(s, "\n")
}

// end waits for the end of output and command, and gives the exit code.
func (r *running) end() int {
	io.Copy(io.Discard, r.out)
	r.Wait() // its error is the exit code
	return r.ProcessState.ExitCode()
}

// startedPython runs a Python program on the star.
func startedPython(t *testing.T, program string) *running {
	t.Helper()
	testenv.Need(t, "python3")
	return started(t, star, "--", "python3", "-c", program)
}

// shell runs a script outside.
func shell(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", script}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return cmd
}
