package lab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// need skips a test on a machine that cannot run the lab.
func need(t *testing.T) {
	t.Helper()
	if err := Missing(); err != nil {
		testenv.Lack(t, "lab", err.Error())
	}
	if testing.Short() {
		t.Skip("boots a machine")
	}
}

// runGuest runs a guest, and keeps what it left until the test ends.
func runGuest(t *testing.T, g *Guest) *Result {
	t.Helper()
	r, err := Run(t.Context(), t.TempDir(), g)
	if err != nil {
		t.Fatalf("%v\nthe script came as far as %s", err, lastWritten(r))
	}
	t.Logf("%s", r.Stdout)
	if r.Boots > 1 {
		t.Log("the first boot hung")
	}
	if r.Code != 0 {
		t.Fatalf("the script ended with %d\n%s\n%s", r.Code, r.Stdout, r.Stderr)
	}
	return r
}

// lastWritten is the newest entry of /out.
func lastWritten(r *Result) string {
	if r == nil {
		return "nothing"
	}
	names, _ := filepath.Glob(filepath.Join(r.Out, "*", "*"))
	if len(names) == 0 {
		return "nothing"
	}
	return slices.MaxFunc(names, func(a, b string) int { return modified(a).Compare(modified(b)) })
}

// file reads what the guest has left in /out.
func (r *Result) file(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(r.Out, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGuestFailures: how a script ends, and that a guest that panics is told
// from one that is done.
func TestGuestFailures(t *testing.T) {
	need(t)
	r, err := Run(t.Context(), t.TempDir(), &Guest{Script: "echo out; echo err >&2; exit 7"})
	if err != nil || r.Code != 7 || string(r.Stdout) != "out\n" || string(r.Stderr) != "err\n" || r.Boots != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Run(t.Context(), t.TempDir(), &Guest{NoRXE: true, Script: "echo before; echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger"})
	var e *Error
	if !errors.As(err, &e) || e.Op != "script" || errors.Is(err, ErrBoot) || !strings.Contains(string(e.Console), "panic") {
		t.Errorf("a panic: %v", err)
	}
	if r == nil || string(r.Stdout) != "before\n" {
		t.Errorf("a panic left %+v", r)
	}
}

// TestBootRepeated: a boot that takes too long is tried once more, and no oftener.
func TestBootRepeated(t *testing.T) {
	need(t)
	r, err := Run(t.Context(), t.TempDir(), &Guest{Script: "true", Boot: 50 * time.Millisecond})
	if r == nil || r.Boots != 2 || !errors.Is(err, ErrBoot) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Run(t.Context(), t.TempDir(), &Guest{NoRXE: true, Script: "echo out; sleep 100", Limit: time.Second})
	if r == nil || r.Boots != 1 || string(r.Stdout) != "out\n" || errors.Is(err, ErrBoot) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a b": "'a b'", "it's": `'it'\''s'`} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}
