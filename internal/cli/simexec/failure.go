package simexec

import (
	"errors"
	"fmt"
	"syscall"
)

// failure is a step that did not work; the child sends it to the parent.
type failure struct {
	Code int    `json:"code"` // exit code
	Op   string `json:"op"`   // "open", "mount tmpfs", "unshare" …
	Path string `json:"path"`
	Err  int    `json:"errno"`
}

func (f *failure) Error() string {
	text := fmt.Sprintf("%s %s: %v", f.Op, f.Path, syscall.Errno(f.Err))
	if hint := f.hint(); hint != "" {
		text += "; " + hint
	}
	return text
}

// Unwrap gives the errno.
func (f *failure) Unwrap() error { return syscall.Errno(f.Err) }

// failed makes a failure of the error of a system call, nil of nil.
func failed(op, path string, err error) error {
	if err == nil {
		return nil
	}
	errno := syscall.EIO
	errors.As(err, &errno)
	return &failure{Code: codeFailed, Op: op, Path: path, Err: int(errno)}
}

const (
	opUnshare   = "make namespaces for"
	opMountFUSE = "mount FUSE on"
	fuseDevice  = "/dev/fuse"
)

// hint says what to do about it.
func (f *failure) hint() string {
	errno := syscall.Errno(f.Err)
	denied := errno == syscall.EPERM || errno == syscall.EACCES
	switch {
	case f.Path == fuseDevice && errno == syscall.ENOENT:
		return "load the module (modprobe fuse), or give the container the device (--device /dev/fuse)"
	case f.Path == fuseDevice && denied:
		return "run as root, or give your user the device: chmod 666 /dev/fuse"
	case f.Path == fuseDevice, f.Op == opMountFUSE && errno == syscall.ENODEV:
		return "this kernel has no FUSE: modprobe fuse"
	case f.Op == opUnshare && errno == syscall.ENOSPC:
		return "user namespaces are used up or turned off: sysctl user.max_user_namespaces"
	case denied && f.Code == codeFailed:
		return "namespaces are not permitted: run as root with CAP_SYS_ADMIN (in a container: --privileged), or allow user namespaces " +
			"(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0)"
	}
	return ""
}
