package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestMain makes the test binary behave as ibscope where a test calls it so.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "sim" || os.Args[1] == "doctor") {
		os.Exit(cli.Main())
	}
	os.Exit(m.Run())
}

// program is a copy of the test binary that every user may run.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "doctor") //nolint:usetesting // t.TempDir is for its owner only
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	name := filepath.Join(dir, "ibscope")
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(name, self, 0o755)); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestSimExec runs the command on a machine of a simulated fabric, through real
// device files: as root, and as a user who may not open them.
func TestSimExec(t *testing.T) {
	testenv.Need(t, "fuse")
	ibscope := program(t)
	for _, test := range []struct {
		name    string
		command []string
		code    int
		want    string
	}{
		{"root", []string{ibscope}, 3, "warning verbs-file; ok umad-file; ok smi; ok neighbour; ok m-key; ok link-rate; ok sm; "},
		{"nobody", []string{"setpriv", "--reuid", "65534", "--clear-groups", ibscope}, 1, "warning verbs-file; failure umad-file; "},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		args := append([]string{"sim", "exec", "sim:star?hosts=2", "--"}, append(test.command, "doctor", "-o", "json")...)
		out, err := exec.CommandContext(ctx, ibscope, args...).Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != test.code {
			t.Fatalf("%s: %v, want exit code %d\n%s", test.name, err, test.code, out)
		}
		var doc struct {
			Findings []struct{ Check, Severity string }
		}
		if err := json.Unmarshal(out, &doc); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, f := range doc.Findings {
			if strings.Contains(test.want, f.Check+"; ") || f.Severity == "failure" {
				b.WriteString(f.Severity + " " + f.Check + "; ")
			}
		}
		if diff := cmp.Diff(test.want, b.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", test.name, diff, out)
		}
	}
}
