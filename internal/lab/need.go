package lab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// ErrMissing is what errors.Is finds when this machine lacks what the lab needs.
var ErrMissing = errors.New("the kernel lab cannot run here")

// needs are the programs that the lab runs on the host, and the packages of
// Debian that bring them.
var needs = []struct{ program, pkg string }{
	{"qemu-system-x86_64", "qemu-system-x86"},
	{"dpkg-deb", "dpkg"},
	{"apt-get", "apt"},
	{"xz", "xz-utils"},
	{busybox, "busybox-static"},
	{"rdma", "iproute2"},
	{"ibv_devices", "ibverbs-utils"},
	{"ibstat", "infiniband-diags"},
}

// busybox must be the static one: nothing else is there when init starts.
const busybox = "/bin/busybox"

// Missing says what must be installed before the lab can run, as an error that
// wraps ErrMissing and tells the command for it; nil when all is there.
func Missing() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return fmt.Errorf("%w: it needs Linux on amd64, this is %s on %s", ErrMissing, runtime.GOOS, runtime.GOARCH)
	}
	var programs, pkgs []string
	for _, n := range needs {
		if _, err := findProgram(n.program); err != nil {
			programs = append(programs, n.program)
			pkgs = append(pkgs, n.pkg)
		}
	}
	if len(programs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: no %s; on Debian: apt-get install --no-install-recommends %s",
		ErrMissing, strings.Join(programs, ", "), strings.Join(pkgs, " "))
}

// findProgram looks in PATH and then in the directories for administrators.
func findProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil || strings.Contains(name, "/") {
		return path, err
	}
	for _, dir := range []string{"/usr/sbin/", "/sbin/"} {
		if fi, err := os.Stat(dir + name); err == nil && fi.Mode().IsRegular() {
			return dir + name, nil
		}
	}
	return "", err
}
