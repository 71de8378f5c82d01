//go:build linux

package simrun_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simctl"
	"github.com/ibscope/ibscope/internal/cli/simexec"
	"github.com/ibscope/ibscope/internal/cli/simrun"
	"github.com/ibscope/ibscope/internal/cli/simserve"
	"github.com/ibscope/ibscope/internal/testenv"
)

// terminal is the world of the commands of a test: a runtime directory of its
// own, and no other environment.
type terminal struct {
	*testing.T
	runtime string
}

func (t *terminal) environment(out, errs io.Writer, stdin string) *env.Env {
	return &env.Env{
		Args: []string{"ibscope"}, Stdin: strings.NewReader(stdin), Stdout: out, Stderr: errs, Now: time.Now,
		Getenv: func(key string) string {
			if key == "XDG_RUNTIME_DIR" {
				return t.runtime
			}
			return ""
		},
		IsTerminal: func(any) bool { return false },
	}
}

// run runs a command to its end, and gives what it printed and its exit code.
func (t *terminal) run(ctx context.Context, stdin string, command func(*env.Env) *cobra.Command, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e testenv.Buffer
	c := command(t.environment(&o, &e, stdin))
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(ctx)
	var exit *env.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.Code
		if exit.Err != nil {
			fmt.Fprintln(&e, exit.Err)
		}
	case err != nil:
		t.Fatal(err)
	}
	return o.String(), e.String(), code
}

func runCommand(e *env.Env) *cobra.Command {
	return simrun.Command(e, simserve.Command, simexec.Command)
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "scenario.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestCheck(t *testing.T) {
	term := &terminal{t, t.TempDir()}
	good := write(t, "topology: sim:line?switches=3\ntimeline:\n  - {at: 5s, do: kill switch02}\n")
	out, errs, code := term.run(t.Context(), "", runCommand, "--check", good)
	if code != env.OK || errs != "" || out != good+": good, 6 nodes, the last event at 5s\n" {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
	for text, want := range map[string][]string{
		"nam: x\nseed: y\n": {":1:1: found", ":2:7: found"},
		"topology: sim:line\ntimeline: [{at: 1s, do: [kill a, kill b]}]": {`:2:31: no node fits "a"`, `:2:39: no node fits "b"`},
		"seed: 1\n":            {"no fabric is named: expected a topology in"},
		"topology: sim:nope\n": {"nope"},
	} {
		out, errs, code := term.run(t.Context(), "", runCommand, "--check", write(t, text))
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		if code != env.Usage || out != "" || len(lines) != len(want) {
			t.Errorf("%q: %d, %q, %q", text, code, out, errs)
			continue
		}
		for i := range want {
			if !strings.Contains(lines[i], want[i]) {
				t.Errorf("%q: %q, want …%s", text, lines[i], want[i])
			}
		}
	}
	// A file without an end is read as far as a scenario may be large.
	if _, errs, code := term.run(t.Context(), "", runCommand, "--check", "/dev/zero"); code != env.Usage || !strings.Contains(errs, "larger than") {
		t.Errorf("/dev/zero: exit code %d, %q", code, errs)
	}
	if _, _, code := term.run(t.Context(), "", runCommand, "--check", filepath.Join(t.TempDir(), "none")); code != env.Failed {
		t.Errorf("a file that is not there: exit code %d", code)
	}
}

// A scenario is served, changed through the socket that sim ctl finds, and ended.
func TestServeAndControl(t *testing.T) {
	term := &terminal{t, t.TempDir()}
	file := write(t, "topology: sim:line?switches=3\nspeed: 100x\ntimeline:\n  - {at: 1s, do: [note first, link down node0002/1]}\n")
	reader, writer := io.Pipe()
	var errs testenv.Buffer
	c := runCommand(term.environment(writer, &errs, ""))
	c.SetArgs([]string{"--listen", fmt.Sprintf("unix:simrun-%d", os.Getpid()), file})
	done := make(chan error, 1)
	go func() {
		err := c.ExecuteContext(t.Context())
		writer.Close()
		done <- err
	}()
	lines := bufio.NewScanner(reader)
	if !lines.Scan() || !strings.Contains(lines.Text(), ", control at "+filepath.Join(term.runtime, "ibscope")) {
		t.Fatalf("the first line is %q; %s", lines.Text(), errs.String())
	}
	go io.Copy(io.Discard, reader)
	ctl := func(stdin string, args ...string) (string, string, int) {
		return term.run(t.Context(), stdin, simctl.Command, args...)
	}
	for deadline := time.Now().Add(10 * time.Second); strings.Count(errs.String(), "\n") < 2 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	if got := errs.String(); !strings.HasPrefix(got, "0:01.000  note  first\n0:01.000  link down  \"node0002 mlx5_0\"/1 (0x") || !strings.Contains(got, " – \"MF0;switch02") {
		t.Errorf("the log is %q", got)
	}
	if out, _, code := ctl("", "list", "ports", "node0002"); code != 0 || !strings.Contains(out, "[1]\tDown/Polling") {
		t.Errorf("%d, %q", code, out)
	}
	if out, e, code := ctl("", "rename", "node0002", "a \"new\" name"); code != 0 || !strings.Contains(out, `now "a \"new\" name"`) {
		t.Errorf("%d, %q, %q", code, out, e)
	}
	if out, _, code := ctl("", "--json", "list", "nodes", "a \"new\" name"); code != 0 || !strings.Contains(out, `"ports":1`) || !strings.HasPrefix(out, "[{") {
		t.Errorf("%d, %q", code, out)
	}
	if out, e, code := ctl("# a comment\nlink up node0003/1\n\nkill nobody\nnote x\n", "-"); code != env.Failed || !strings.HasPrefix(e, "line 4: column 6: no node fits") || strings.Contains(out, "note") {
		t.Errorf("%d, %q, %q", code, out, e)
	}
	if _, e, code := ctl("", "quit"); code != 0 {
		t.Errorf("%d, %q", code, e)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, e, code := ctl("", "status"); code != env.Failed || !strings.Contains(e, "no simulator runs") {
		t.Errorf("%d, %q", code, e)
	}
	if left, _ := filepath.Glob(filepath.Join(term.runtime, "ibscope", "*")); len(left) != 0 {
		t.Errorf("there remains %v", left)
	}
}

// A runtime directory that others can use is refused.
func TestPublicDirectory(t *testing.T) {
	term := &terminal{t, t.TempDir()}
	dir := filepath.Join(term.runtime, "ibscope")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := write(t, "topology: sim:line\n")
	_, errs, code := term.run(t.Context(), "", runCommand, "--listen", fmt.Sprintf("unix:simrun-public-%d", os.Getpid()), file)
	if code != env.Failed || !strings.Contains(errs, "not a directory that only you can use") {
		t.Errorf("%d, %q", code, errs)
	}
}
