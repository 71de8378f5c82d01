package umad

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// TestKernelOpenErrors: what open(2) says, and what there is to do about it.
func TestKernelOpenErrors(t *testing.T) {
	needKernel(t)
	stale := t.TempDir() + "/umad9"
	if err := unix.Mknod(stale, unix.S_IFCHR|0o600, int(unix.Mkdev(231, 9))); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		cause error
		hint  string
	}{
		{"/dev/infiniband/umad7", unix.ENOENT, "ib_umad"},
		{stale, unix.ENXIO, "left over"},
	} {
		p, err := OpenFile(tc.name, abiVersion)
		if err == nil {
			p.Close()
		}
		var e *Error
		if !errors.Is(err, tc.cause) || !errors.Is(err, unix.EIO) || !errors.As(err, &e) || !strings.Contains(err.Error(), tc.hint) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

// TestKernelUnprivileged opens as somebody else: the file belongs to root alone.
func TestKernelUnprivileged(t *testing.T) {
	needKernel(t)
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and not back: the thread ends with the goroutine
		unix.Setfsuid(65534)
		p, err := OpenFile(umad0, abiVersion)
		if err == nil {
			p.Close()
		}
		done <- err
	}()
	err := <-done
	if !errors.Is(err, os.ErrPermission) || !errors.Is(err, unix.EACCES) {
		t.Fatalf("opened by uid 65534: %v", err)
	}
	for _, word := range []string{umad0, "permission denied", "root", "udev"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}

// TestKernelCloseDuringRecv: Close ends a Recv that waits.
func TestKernelCloseDuringRecv(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	done := waitingRecv(p)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, os.ErrClosed) {
		t.Errorf("Recv: %v", err)
	}
	if err := p.Send(packet(mad.ClassPerf, mad.MethodGet, 1), mad.Addr{LID: 1}, 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
}

// waitingRecv starts a Recv and comes back when it waits.
func waitingRecv(p *Port) <-chan error {
	done := make(chan error, 1)
	go func() {
		var m mad.Packet
		_, err := p.Recv(&m)
		done <- err
	}()
	time.Sleep(100 * time.Millisecond)
	return done
}

// TestKernelUnplug takes a device away while it is open: the second one, which
// no other test uses.
func TestKernelUnplug(t *testing.T) {
	needKernel(t)
	const umad1 = "/dev/infiniband/umad1"
	p, err := OpenFile(umad1, abiVersion)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	agent, err := p.Register(AgentRequest{Class: mad.ClassPerf})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SetRecvDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	done := waitingRecv(p)
	command(t, "rdma", "link", "delete", "rxe1")
	t.Cleanup(func() { command(t, "rdma", "link", "add", "rxe1", "type", "rxe", "netdev", "dummy0") })

	check := func(what string, err error) {
		t.Helper()
		var e *Error
		if !errors.Is(err, unix.EIO) || !errors.As(err, &e) || !strings.Contains(err.Error(), "removed") {
			t.Errorf("%s: %v, want EIO and a hint", what, err)
		}
	}
	check("Recv that waited", <-done)
	var m mad.Packet
	_, err = p.Recv(&m)
	check("Recv", err)
	_, err = p.RecvLong()
	check("RecvLong", err)
	check("Send by an agent", agent.Send(packet(mad.ClassPerf, mad.MethodGet, 1), mad.Addr{LID: 1}, 0, 0))
	check("Send", p.Send(packet(mad.ClassPerf, mad.MethodGet, 1), mad.Addr{LID: 1}, 0))
	_, err = p.Register(AgentRequest{Class: mad.ClassSubnAdm})
	check("Register", err)
	if err := agent.Close(); !errors.Is(err, unix.EINVAL) {
		t.Errorf("closing an agent of a device that is gone: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := os.Stat(umad1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", umad1, err)
	}
}
