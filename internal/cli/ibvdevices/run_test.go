package ibvdevices

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/testenv"
)

func run(sys, dev string, args ...string) (stdout, stderr string, code int) {
	var out, errOut bytes.Buffer
	e := &env.Env{Args: append([]string{"ibv_devices"}, args...), Stdout: &out, Stderr: &errOut, Sys: sys, Dev: dev}
	code = Run(context.Background(), e)
	return out.String(), errOut.String(), code
}

// TestListLikeC lists a device that the C tool sees too.
func TestListLikeC(t *testing.T) {
	testenv.Need(t, "gcc", "ibv_devices")
	for _, name := range []string{"rxe0", "rxe_of_a_long_name_0"} {
		fake := testenv.NewFakeVerbs(t)
		fake.Name, fake.ABI = name, 2
		want, _, code := fake.Run(t, "ibv_devices")
		if code != 0 {
			t.Fatal("C fails")
		}
		s := testenv.NewSysfs(t, testenv.SysfsCA{Name: name, GUID: "0002:c903:00fe:1234"})
		s.Write("class/infiniband_verbs/uverbs0/ibdev", name)
		s.Write("class/infiniband_verbs/uverbs0/dev", "231:192")
		dev := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dev, "infiniband/uverbs0"), 0o755); err != nil {
			t.Fatal(err)
		}
		got, stderr, code := run(s.Root, dev, "ignored", "-h")
		if diff := cmp.Diff(want, got); diff != "" || stderr != "" || code != 0 {
			t.Errorf("exit code %d, stderr %q, stdout (-C +ours):\n%s", code, stderr, diff)
		}
	}
}

func TestNoRDMA(t *testing.T) {
	stdout, stderr, code := run(t.TempDir(), "")
	if stdout != "" || stderr != "Failed to get IB devices list: Function not implemented\n" || code != 1 {
		t.Errorf("%d, %q, %q", code, stdout, stderr)
	}
}
