package lab

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// debianPackages are what the service needs of a Debian system, and what looks at it.
const debianPackages = "systemd,systemd-sysv,udev,dbus,procps,curl,strace,util-linux"

// debianRoot is an archive of a small Debian with systemd. It is made once, of the
// packages that apt knows, and kept beside the kernels.
func debianRoot(ctx context.Context, t *testing.T) string {
	t.Helper()
	testenv.Need(t, "mmdebstrap")
	cache, err := cacheDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(cache, "debian-"+debianPackages+".tar")
	if exists(path) {
		return path
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	tmp, err := os.MkdirTemp(cache, "tmp-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tmp)
	made := filepath.Join(tmp, "root.tar")
	_, err = output(ctx, "", "mmdebstrap", "--variant=minbase", "--include="+debianPackages,
		"--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
		"--dpkgopt=path-exclude=/usr/share/locale/*", "--dpkgopt=path-exclude=/usr/lib/udev/hwdb.d/*", "bookworm", made)
	if err != nil {
		testenv.Lack(t, "mmdebstrap", "no Debian system could be made: "+err.Error())
	}
	if err := os.Rename(made, path); err != nil {
		t.Fatal(err)
	}
	return path
}
