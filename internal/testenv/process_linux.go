package testenv

import "syscall"

// dieWithParent makes the kernel kill the child when the test binary is killed,
// so that an interrupted run leaves no simulator behind.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
