package testenv

import (
	"os"
	"os/exec"
	"syscall"
)

// canMountFUSE tries what takes privileges: a mount namespace and /dev/fuse.
func canMountFUSE() bool {
	f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	return os.Geteuid() == 0 && cmd.Run() == nil
}
