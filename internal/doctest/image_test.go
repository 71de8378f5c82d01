package doctest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
)

// containers is podman with a store of its own.
type containers struct {
	t    *testing.T
	args []string
}

// newContainers makes the image, and looks whether this machine can run it at all.
func newContainers(t *testing.T) *containers {
	t.Helper()
	testenv.Need(t, "root", "podman", "runc")
	dir := t.TempDir()
	c := &containers{t, []string{
		"--root", filepath.Join(dir, "root"), "--runroot", filepath.Join(dir, "run"),
		"--storage-driver", "vfs", "--cgroup-manager", "cgroupfs", "--runtime", "runc",
	}}
	t.Setenv("DISABLE_HC_SYSTEMD", "true") // its timers; without systemd they fail
	makeTarget(t, "image", "IMAGE_TOOL=podman "+strings.Join(c.args, " "))
	t.Cleanup(func() { c.try("rm", "-f", "-a") })
	if out, err := c.try("run", "--rm", "--network", "host", "ibscope", "--version"); err != nil {
		testenv.Lack(t, "containers", fmt.Sprintf("podman cannot run a container here: %v\n%s", err, out))
	}
	return c
}

// try runs podman.
func (c *containers) try(args ...string) (string, error) {
	command := exec.Command("podman", append(append([]string{}, c.args...), limits(args)...)...)
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// limits keeps podman from raising limits, which not every root may do.
func limits(args []string) []string {
	if args[0] != "run" {
		return args
	}
	var most unix.Rlimit
	_ = unix.Getrlimit(unix.RLIMIT_NOFILE, &most)
	n := min(most.Max, 4096)
	return append([]string{"run", fmt.Sprintf("--ulimit=nofile=%d:%d", n, n), "--ulimit=nproc=4096:4096"}, args[1:]...)
}

func (c *containers) podman(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("podman %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// documented is a command of docs/deploy.md that begins with a text, as words.
func documented(t *testing.T, begin string, without string) []string {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(read(t, "docs/deploy.md"), -1) {
		if strings.HasPrefix(m[1], begin) && !strings.Contains(m[1], without) {
			var words []string
			for _, w := range strings.Fields(strings.ReplaceAll(m[1], "\\\n", " ")) {
				words = append(words, strings.Trim(w, "'"))
			}
			return words
		}
	}
	t.Fatalf("docs/deploy.md has no %q", begin)
	return nil
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestImage builds the image, runs it as docs/deploy.md tells, and ends it.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds an image")
	}
	c := newContainers(t)
	words := documented(t, "docker run", "--device")
	address := freePort(t)
	url := "http://" + address
	args := append(append([]string{"run", "--health-cmd", `["/ibscope", "serve", "--health", "` + url + `"]`}, words[2:]...), "--listen", address)
	c.podman(args...)
	healthy := func() bool { _, err := c.try("healthcheck", "run", "ibscope"); return err == nil }
	for !healthy() {
		if state := c.podman("inspect", "-f", "{{.State.Status}}", "ibscope"); state != "running" {
			t.Fatalf("it is %s\n%s", state, c.podman("logs", "ibscope"))
		}
		time.Sleep(20 * time.Millisecond)
	}
	answers := func(path string) bool {
		_, err := c.try("exec", "ibscope", "/ibscope", "serve", "--health", url+path)
		return err == nil
	}
	for !answers("/readyz") {
		time.Sleep(20 * time.Millisecond)
	}
	if !answers("/metrics") || !answers("/api/v1/fabrics/demo/nodes") || answers("/nothing") {
		t.Error("it answers something else")
	}
	status, err := os.ReadFile("/proc/" + c.podman("inspect", "-f", "{{.State.Pid}}", "ibscope") + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Uid:\t65532\t65532\t65532\t65532\n", "CapPrm:\t0000000000000000\n", "CapEff:\t0000000000000000\n", "CapBnd:\t0000000000000000\n", "NoNewPrivs:\t1\n"} {
		if !strings.Contains(string(status), want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
	c.podman("stop", "--time", "60", "ibscope")
	if code := c.podman("inspect", "-f", "{{.State.ExitCode}}", "ibscope"); code != "0" {
		t.Errorf("it ended with %s\n%s", code, c.podman("logs", "ibscope"))
	}
	if log := c.podman("logs", "ibscope"); !strings.Contains(log, `"msg":"the end"`) {
		t.Errorf("it does not say that it ends:\n%s", log)
	}
	history := filepath.Join(c.podman("volume", "inspect", "-f", "{{.Mountpoint}}", "ibscope-state"), "history.db")
	if info, err := os.Stat(history); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o640 {
		t.Errorf("the history: %v %v", info, err)
	}
	t.Run("device", func(t *testing.T) { imageDevice(t, c) })
}

// imageDevice gives the image a device that a group may open: /dev/null by another name,
// which reads as an empty configuration.
func imageDevice(t *testing.T, c *containers) {
	device := filepath.Join(t.TempDir(), "umad0")
	const group = 4242
	if err := unix.Mknod(device, unix.S_IFCHR|0o660, int(unix.Mkdev(1, 3))); err != nil {
		t.Skipf("no device can be made: %v", err)
	}
	if err := os.Chmod(device, 0o660); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(device, 0, group); err != nil {
		t.Fatal(err)
	}
	run := []string{"run", "--rm", "--network", "host", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--device", device + ":/dev/infiniband/umad0"}
	check := []string{"ibscope", "serve", "--check", "--config", "/dev/infiniband/umad0"}
	if out, err := c.try(append(append([]string{}, run...), check...)...); err == nil || !strings.Contains(out, "permission denied") {
		t.Errorf("without the group: %v %s", err, out)
	}
	with := append(append([]string{}, run...), "--group-add", fmt.Sprint(group))
	if out, _ := c.try(append(with, check...)...); !strings.Contains(out, "umad0:1:1: found nothing") {
		t.Errorf("with the group: %s", out)
	}
}
