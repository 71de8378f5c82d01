package setnodedesc

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
)

func try(t *testing.T, sys string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, told bytes.Buffer
	e := &env.Env{
		Args: append([]string{"set_nodedesc"}, args...), Stdout: &out, Stderr: &told, Now: time.Now, Sys: sys,
		Getenv: func(name string) string { return map[string]string{"HOSTNAME": "node7"}[name] }, IsTerminal: func(any) bool { return false },
	}
	code = Run(t.Context(), e)
	return out.String(), told.String(), code
}

// host is a sysfs with two devices, of which one has no description.
func host(t *testing.T) (sys, file string) {
	t.Helper()
	sys = t.TempDir()
	dir := filepath.Join(sys, "class/infiniband")
	for _, name := range []string{"mlx5_0", "mlx5_1"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "mlx5_0/node_desc")
	if err := os.WriteFile(file, []byte("old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return sys, file
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSet(t *testing.T) {
	sys, file := host(t)
	if out, _, code := try(t, sys, "-v"); code != exitFailed || !strings.HasSuffix(out, "mlx5_0: old\n") {
		t.Errorf("-v: exit %d, %q", code, out)
	}
	if try(t, sys, "--dry-run", "new"); content(t, file) != "old\n" {
		t.Errorf("a dry run has written %q", content(t, file))
	}
	_, told, code := try(t, sys)
	if content(t, file) != "node7" || code != exitFailed || !strings.Contains(told, "Failed to set node_desc for : mlx5_1") {
		t.Errorf("exit %d, %q, %s", code, content(t, file), told)
	}
	if try(t, sys, "storage 1"); content(t, file) != "storage 1" {
		t.Errorf("set to %q", content(t, file))
	}
	for _, bad := range []string{strings.Repeat("x", 65), "a\nb"} {
		if _, told, code := try(t, sys, bad); code != 2 || told == "" || content(t, file) != "storage 1" {
			t.Errorf("%.8q: exit %d, %s", bad, code, told)
		}
	}
	if out, _, code := try(t, sys, "-h"); code != 2 || !strings.Contains(out, "Usage: set_nodedesc [-hv] [<name>]") {
		t.Errorf("-h: exit %d, %s", code, out)
	}
	if _, told, code := try(t, t.TempDir(), "x"); code != 0 || told != "" {
		t.Errorf("a host without devices: exit %d, %s", code, told)
	}
}
