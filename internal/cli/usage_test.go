package cli

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// runBare runs a C tool without any fabric, under its plain name.
func runBare(t *testing.T, tool string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(testenv.Tool(t, tool), args...)
	cmd.Args[0] = tool
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// TestCommandLineLikeC compares usage texts, the messages about mistakes and
// the exit codes with the C tools, on command lines that need no fabric.
func TestCommandLineLikeC(t *testing.T) {
	for _, line := range []string{
		"ibnetdiscover -h",
		"ibnetdiscover --help",
		"ibnetdiscover --he",
		"ibnetdiscover -fh",
		"ibnetdiscover --x",
		"ibnetdiscover --x=3",
		"ibnetdiscover -Z",
		"ibnetdiscover -D",
		"ibnetdiscover -G",
		"ibnetdiscover -K",
		"ibnetdiscover -L",
		"ibnetdiscover --Direct",
		"ibnetdiscover -C",
		"ibnetdiscover -lC",
		"ibnetdiscover --cache",
		"ibnetdiscover --cach",
		"ibnetdiscover --c=1",
		"ibnetdiscover --di=3 x y",
		"ibnetdiscover --full=3",
		"ibnetdiscover -t abc",
		"ibnetdiscover -t 0",
		"ibnetdiscover -t 3000000000",
		"ibnetdiscover -t 10x",
		"ibnetdiscover --timeout=",
		"ibnetdiscover --diffcheck foo",
		"ibnetdiscover --diffcheck sw,foo,ca",
		"ibnetdiscover -l /nonexistent/file",
		"ibnetdiscover --load-cache /nonexistent",
		"ibnetdiscover -l --diff /nonexistent",
		"ibstat -h",
		"ibstat --help",
		"ibstat -C x",
		"ibstat --list",
		"ibstat -t 5",
		"ibstat mlx5_0 -1",
		"ibstatus -h",
		"ibaddr -h",
		"ibaddr -K",
		"ibaddr --Lid=3",
		"ibaddr --lid_show=3",
		"ibaddr -t x",
		"smpquery -h", "smpquery", "smpquery NI", "smpquery --combined=3", "smpquery nosuch 1", "smpquery -t x",
		"sminfo -h", "sminfo -K", "sminfo -s", "smpdump -h", "smpdump 1", "smpdump -G", "smpdump --str=1",
		"ibroute -h", "ibroute", "ibroute -K", "dump_fts -h", "dump_fts -D", "dump_fts --no",
		"ibtracert -h", "ibtracert 1", "ibtracert -D", "ibtracert --ports-file", "ibtracert -m",
		"ibhosts -h",
		"ibhosts --help",
		"ibswitches -x",
		"ibrouters -y",
		"ibrouters -y -C",
		"ibnodes -h",
		"ibhosts a b",
		"ibhosts -P",
		"ibhosts -Px",
		"ibhosts -t abc",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(line)
			wantOut, wantErr, wantCode := runBare(t, args[0], args[1:]...)
			stdout, stderr, code := run(t, args...)
			if code != wantCode {
				t.Errorf("exit code %d, C has %d", code, wantCode)
			}
			wantOut = strings.ReplaceAll(wantOut, "/usr/sbin/", "") // the scripts call it so
			if diff := cmp.Diff(wantOut, stdout); diff != "" {
				t.Errorf("stdout differs (-C +ours):\n%s", diff)
			}
			if isUsage(wantErr) {
				if diff := cmp.Diff(wantErr, stderr); diff != "" {
					t.Errorf("stderr differs (-C +ours):\n%s", diff)
				}
			}
		})
	}
}

// isUsage tells texts about the command line from others on stderr, where we
// have more to say than C.
func isUsage(stderr string) bool { return strings.Contains(stderr, "Usage:") }

func TestUsageThroughIbscope(t *testing.T) {
	_, direct, _ := run(t, "ibnetdiscover", "-h")
	for _, line := range []string{"ibscope ibnetdiscover -h", "/usr/bin/ibscope ibnetdiscover --help", "ibscope help ibnetdiscover"} {
		_, stderr, code := run(t, strings.Fields(line)...)
		if code != 2 || stderr != direct {
			t.Errorf("%s: exit code %d, stderr\n%s", line, code, stderr)
		}
	}
}

func TestVersion(t *testing.T) {
	if _, stderr, code := run(t, "ibnetdiscover", "-V"); code != 0 || stderr != "ibnetdiscover BUILD VERSION: 1.2.3\n" {
		t.Errorf("ibnetdiscover -V: %d, %q", code, stderr)
	}
	if stdout, _, code := run(t, "ibscope", "--version"); code != 0 || stdout != "ibscope version 1.2.3\n" {
		t.Errorf("ibscope --version: %d, %q", code, stdout)
	}
}
