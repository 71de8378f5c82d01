package ibvdevinfo

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
)

// run runs the tool on a tree of its own.
func run(sys, dev string, args ...string) (stdout, stderr string, code int) {
	var out, errOut bytes.Buffer
	e := &env.Env{
		Args: append([]string{"ibv_devinfo"}, args...), Stdout: &out, Stderr: &errOut,
		Getenv: func(string) string { return "" }, Sys: sys, Dev: dev,
	}
	code = Run(context.Background(), e)
	return out.String(), errOut.String(), code
}

// TestCommandLineLikeC needs no device: all of these end before one is looked for.
func TestCommandLineLikeC(t *testing.T) {
	for _, line := range []string{
		"-h", "--help", "-Z", "-d", "--ib-dev", "-i", "-i 0", "-i abc", "-i -3 -l", "-i 4294967296", "-i 0x", "--ib-port=00",
		"--list=3", "--verbose=x", "--ib", "--ib-d", "-vi0", "foo -i 0", "-v --x",
	} {
		args := strings.Fields(line)
		cmd := exec.Command(testenv.Tool(t, "ibv_devinfo"), args...)
		cmd.Args[0] = "ibv_devinfo"
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		stdout, stderr, code := run(t.TempDir(), "", args...)
		if want := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit code %d, C has %d", line, code, want)
		}
		if diff := cmp.Diff(out.String(), stdout); diff != "" {
			t.Errorf("%s: stdout (-C +ours):\n%s", line, diff)
		}
		if diff := cmp.Diff(errOut.String(), stderr); diff != "" {
			t.Errorf("%s: stderr (-C +ours):\n%s", line, diff)
		}
	}
}

// tree is a host with one device, whose device file is none that answers.
func tree(t *testing.T) (sys, dev string) {
	t.Helper()
	s := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_0", Ports: []testenv.SysfsPort{{Num: 1}}})
	s.Write("class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n")
	s.Write("class/infiniband_verbs/uverbs0/dev", "231:192\n")
	dev = t.TempDir()
	if err := os.Mkdir(filepath.Join(dev, "infiniband"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dev, "infiniband/uverbs0"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return s.Root, dev
}

func TestMessages(t *testing.T) {
	sys, dev := tree(t)
	noDevice := testenv.NewSysfs(t).Root
	for _, test := range []struct {
		name, sys, dev, line string
		stdout, stderr       string
		code                 int
	}{
		{"no RDMA", t.TempDir(), dev, "", "", "Failed to get IB devices list: Function not implemented\n", 255},
		{"no RDMA, list", t.TempDir(), dev, "-l", "", "Failed to get IB devices list: Function not implemented\n", 255},
		{"no device", noDevice, dev, "-v", "", "No IB devices found\n", 255},
		{"no device, list", noDevice, dev, "-l", "0 HCAs found:\n\n", "", 0},
		{"no device of that name", noDevice, dev, "-d x", "", "IB device 'x' wasn't found\n", 255},
		{"other name", sys, dev, "-d mlx5_1", "", "IB device 'mlx5_1' wasn't found\n", 255},
		{"hostile name", sys, dev, "-d \x1b[31m", "", "IB device '\\x1b[31m' wasn't found\n", 255},
		{"list", sys, dev, "-v --li -i 0", "1 HCA found:\n\tmlx5_0\n\n", "", 0},
		{"no device file", sys, t.TempDir(), "-l", "0 HCAs found:\n\n", "", 0},
	} {
		stdout, stderr, code := run(test.sys, test.dev, strings.Fields(test.line)...)
		if stdout != test.stdout || stderr != test.stderr || code != test.code {
			t.Errorf("%s: %d, stdout %q, stderr %q", test.name, code, stdout, stderr)
		}
	}
}

// TestOpenFails: the C message, then the reason.
func TestOpenFails(t *testing.T) {
	sys, dev := tree(t)
	stdout, stderr, code := run(sys, dev)
	lines := strings.Split(stderr, "\n")
	if code != 1 || stdout != "" || len(lines) != 3 || lines[0] != "Failed to open device" ||
		!strings.HasPrefix(lines[1], "ibv_devinfo: uverbs: identify mlx5_0") {
		t.Errorf("%d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestUnwritableOutput(t *testing.T) {
	var errOut bytes.Buffer
	e := &env.Env{Args: []string{"ibv_devinfo", "-h"}, Stdout: full{}, Stderr: &errOut, Getenv: func(string) string { return "" }}
	if code := Run(context.Background(), e); code == 0 || !strings.Contains(errOut.String(), "no room") {
		t.Errorf("exit code %d, stderr %q", code, &errOut)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }
