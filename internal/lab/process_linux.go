package lab

import "syscall"

// dieWithParent makes the kernel kill qemu when this process is killed.
func dieWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
