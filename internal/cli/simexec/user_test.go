//go:build linux

package simexec

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestUserNamespace: root may ask for a user namespace, and keeps its number.
func TestUserNamespace(t *testing.T) {
	needUserNamespace(t)
	testenv.Need(t, "smpquery")
	r := run(t, simExec(t, "--user-namespace", star, "--", "sh", "-c", "id -u; smpquery nodedesc -D 0,1,2"))
	if r.code != 0 || !strings.HasPrefix(r.stdout, "0\n") || !strings.Contains(r.stdout, "node0002") {
		t.Errorf("exit code %d, %s%s", r.code, r.stdout, r.stderr)
	}
}

// TestUnprivileged runs as user 65534, who gets a /dev/fuse that all may open in
// a mount namespace of the test's own. The program has that user, and no
// capability.
func TestUnprivileged(t *testing.T) {
	needUserNamespace(t)
	testenv.Need(t, "unshare", "setpriv", "smpquery")
	before := machine(t)
	const script = `mount -t tmpfs -o dev,mode=755 tmpfs /mnt && mknod -m 666 /mnt/fuse c 10 229 && mount --bind /mnt/fuse /dev/fuse &&
exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"`
	self := selfForAll(t)
	args := []string{
		"-m", "sh", "-c", script, "sh", self, "sim", "exec", star, "--", "sh", "-c",
		"id -u; id -g; grep -E '^Cap(Inh|Prm|Eff|Amb)' /proc/self/status | cut -f2 | uniq; stat -c %u /dev/infiniband/umad0; smpquery nodedesc -D 0,1,2",
	}
	r := run(t, exec.CommandContext(t.Context(), "unshare", args...))
	want := "65534\n65534\n0000000000000000\n65534\n" + "Node Description:" + strings.Repeat(".", 17) + "node0002 mlx5_0\n"
	if diff := cmp.Diff(result{want, "", 0}, r, cmp.AllowUnexported(result{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if diff := cmp.Diff(before, machine(t)); diff != "" {
		t.Errorf("the machine has changed (-before +after)\n%s", diff)
	}
}

// TestNotPermitted: without access to /dev/fuse there is one line that says
// what to do.
func TestNotPermitted(t *testing.T) {
	testenv.Need(t, "setpriv")
	if fi, err := os.Stat("/dev/fuse"); err != nil || fi.Mode()&0o006 != 0 {
		t.Skip("everybody may open /dev/fuse here")
	}
	needUserNamespace(t)
	self := selfForAll(t)
	r := run(t, exec.CommandContext(t.Context(), "setpriv", "--reuid", "65534", "--clear-groups", self, "sim", "exec", star, "--", "true"))
	if r.code != 125 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "/dev/fuse: permission denied; run as root") {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
}

// TestNoNamespaces: a user who may not make a user namespace is told so.
func TestNoNamespaces(t *testing.T) {
	testenv.Need(t, "fuse", "setpriv", "unshare")
	self := selfForAll(t)
	// In a user namespace of its own this limit touches nobody else.
	r := run(t, exec.CommandContext(t.Context(), "unshare", "-Ur", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"`, "sh",
		self, "sim", "exec", "--user-namespace", star, "--", "true"))
	if strings.Contains(r.stderr, "read-only") || strings.Contains(r.stderr, "unshare:") {
		t.Skipf("the limit cannot be set: %s", r.stderr)
	}
	if r.code != 125 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, "user.max_user_namespaces") {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
}

// selfForAll is the test binary where every user may run it.
func selfForAll(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "simexec") //nolint:usetesting // t.TempDir lies in a folder that other users may not enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ibscope")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// needUserNamespace skips the test where nobody may make one.
func needUserNamespace(t *testing.T) {
	t.Helper()
	testenv.Need(t, "fuse", "unshare")
	if out, err := exec.CommandContext(t.Context(), "unshare", "-Urm", "true").CombinedOutput(); err != nil {
		t.Skipf("user namespaces are not permitted here: %s", out)
	}
}
