package simexec

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// becomeProgram runs in the child: it makes the view of the machine and becomes
// the program. It returns only when that fails; the parent prints why.
func becomeProgram(ctx context.Context, fd int, argv []string) error {
	ctx, cancel := context.WithCancel(ctx) // from here on signals end ctx, not this process
	defer cancel()
	l := &link{fd}
	if err := unix.SetNonblock(fd, false); err != nil {
		return env.Exitf(env.Usage, "--%s is for ibscope itself", insideFlag)
	}
	unix.CloseOnExec(fd)
	err := makeView(l)
	if err == nil {
		err = ctx.Err() // a signal came before the program was there to get it
	}
	if err == nil {
		err = execute(argv)
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{Code: codeFailed, Op: "start", Path: argv[0], Err: int(syscall.EINTR)}
	}
	return &env.ExitError{Code: f.Code, Err: l.sendFailure(f)}
}

// execute becomes the program, without the capability that mounting took.
func execute(argv []string) error {
	path, err := exec.LookPath(argv[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return notRun(argv[0], err)
	}
	// The thread that becomes the program has capabilities and a signal of its own.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := dropCapability(); err != nil {
		return failed("drop capabilities for", argv[0], err)
	}
	if err := endWithParent(); err != nil {
		return failed("follow the simulator with", argv[0], err)
	}
	return notRun(argv[0], syscall.Exec(path, argv, os.Environ()))
}

// endWithParent has this thread, and the program that it becomes, terminated at the
// end of the parent, without which the devices are dead. The parent asks for the same
// when it starts the child, but that holds for the first thread only.
func endWithParent() error {
	parent := os.Getppid()
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGTERM), 0, 0, 0); err != nil {
		return err
	}
	if os.Getppid() != parent {
		return unix.ESRCH
	}
	return nil
}

// dropCapability undoes the ambient capability that the child was started
// with. Taking it out of the inheritable set takes it out of the ambient one.
func dropCapability() error {
	isSet, err := unix.PrctlRetInt(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_IS_SET, unix.CAP_SYS_ADMIN, 0, 0)
	if err != nil || isSet == 0 {
		return nil // none was given, or the kernel has none to give
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	data[0].Inheritable &^= 1 << unix.CAP_SYS_ADMIN
	return unix.Capset(&header, &data[0])
}

// notRun is the failure to start a program, with the exit code that says how.
func notRun(name string, err error) *failure {
	f := &failure{Code: codeCannotRun, Op: "run", Path: name, Err: int(syscall.EACCES)}
	errno := syscall.Errno(0)
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		f.Code, f.Err = codeNotFound, int(syscall.ENOENT)
	case errors.As(err, &errno):
		f.Err = int(errno)
	}
	return f
}
