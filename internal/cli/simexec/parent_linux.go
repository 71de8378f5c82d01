package simexec

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/simworld"
	"github.com/ibscope/ibscope/sim/fuse"
	"github.com/ibscope/ibscope/sim/hostfs"
)

// runOn runs a program on a machine and gives its exit code. With an error the
// program has not run.
func runOn(e *env.Env, h *hostfs.Host, user bool, socket string, argv []string) (int, error) {
	if uid := os.Geteuid(); uid != 0 {
		user = true
	}
	link, theirs, err := newLink()
	if err != nil {
		return codeFailed, err
	}
	defer link.close()
	cmd := child(e, theirs.fd, user, argv)
	if socket != "" {
		cmd.Env = append(os.Environ(), simworld.SocketVariable+"="+socket)
	}
	runtime.LockOSThread() // the end of the thread counts as that of the parent
	defer runtime.UnlockOSThread()
	caught := catchSignals()
	err = cmd.Start()
	defer caught.passTo(cmd.Process)()
	theirs.close()
	if err != nil {
		return codeFailed, failed(opUnshare, "the program", err)
	}
	served, err := connect(h, link)
	if err == nil {
		err = link.receiveFailure() // nil once the program has started
	}
	waitErr := cmd.Wait()
	if served != nil {
		if serveErr := served.end(); serveErr != nil {
			e.Complain("the simulated devices broke: %v", serveErr)
		}
	}
	var f *failure
	if errors.As(err, &f) {
		return f.Code, f
	}
	if err != nil {
		return codeFailed, err
	}
	return exitCode(cmd.ProcessState, waitErr)
}

// exitCode is the exit code that a shell would give. An error that is not about
// the status concerns the copying of streams that are no files.
func exitCode(state *os.ProcessState, err error) (int, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return codeFailed, err
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return codeSignal + int(status.Signal()), nil
	}
	return state.ExitCode(), nil
}

// child is the command that becomes the program: this program again.
func child(e *env.Env, link int, user bool, argv []string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", append([]string{"sim", "exec", "--" + insideFlag, strconv.Itoa(link), "--"}, argv...)...)
	cmd.Args[0] = "ibscope"
	cmd.Stdin, cmd.Stdout, cmd.Stderr = e.Stdin, e.Stdout, e.Stderr
	// Without this process the devices are dead: a program that waits for them, or
	// for anything, should not stay behind.
	attr := &syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	if user {
		// The program keeps its user and group. The capability serves for
		// mounting, and does not reach the program.
		uid, gid := os.Geteuid(), os.Getegid()
		attr.Cloneflags = unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN}
	}
	cmd.SysProcAttr = attr
	return cmd
}

// session is the serving of a machine's files.
type session struct {
	server *fuse.Server
	done   chan error
}

// connect gets the descriptor of the child's mount and begins to serve there.
func connect(h *hostfs.Host, l *link) (*session, error) {
	fd, err := l.receiveDescriptor()
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(failed("open", fuseDevice, err), unix.Close(fd))
	}
	owner := fuse.Owner{UID: uint32(os.Geteuid()), GID: uint32(os.Getegid())}
	s := &session{fuse.New(os.NewFile(uintptr(fd), fuseDevice), h.Tree(), owner), make(chan error, 1)}
	go func() { s.done <- s.server.Serve() }()
	return s, nil
}

func (s *session) end() error {
	return errors.Join(s.server.Close(), <-s.done)
}
