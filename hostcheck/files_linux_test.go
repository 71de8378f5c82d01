package hostcheck

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
)

// fifo makes a FIFO, which opens as a device file does and answers nothing.
func (f *fixture) fifo(name string, mode uint32) {
	f.t.Helper()
	f.Mkdir(filepath.Dir(name))
	path := filepath.Join(f.Root, name)
	f.Remove(name)
	if err := unix.Mkfifo(path, mode); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Chmod(path, os.FileMode(mode)); err != nil {
		f.t.Fatal(err)
	}
}

// letIn opens the folders that the testing package makes to other users.
func (f *fixture) letIn() {
	f.t.Helper()
	for dir := f.Root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			f.t.Fatal(err)
		}
	}
}

// asNobody runs g in a thread whose user for files is nobody. The thread ends
// with g.
func asNobody(t testing.TB, g func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread is not used again
		if _, err := unix.SetfsuidRetUid(65534); err != nil {
			t.Error(err)
			return
		}
		g()
	}()
	<-done
}

// TestRights opens real files that belong to root, as another user.
func TestRights(t *testing.T) {
	testenv.Need(t, "root")
	f := newFixture(t, hca("mlx5_0", infiniBand(1)))
	f.fifo("dev/infiniband/umad0", 0o600)
	f.fifo("dev/infiniband/uverbs0", 0o600)
	f.letIn()
	f.opt.Connect = func(ctx context.Context, p *rdma.Port) (tr madrpc.Transport, err error) {
		asNobody(t, func() { tr, err = f.host().umad().Open(ctx, p.Device, p.Num) })
		return tr, err
	}
	var r *Report
	asNobody(t, func() { r = f.check() })
	expect(t, r, "warning verbs-file mlx5_0\nfailure umad-file mlx5_0/1\n", []string{
		"permission denied (EACCES)", "umad0: mode 0600, owner 0, group 0",
		fmt.Sprintf("this process: user 0, groups %d", os.Getegid()),
		`SUBSYSTEM=="infiniband_mad", KERNEL=="umad*", GROUP="rdma", MODE="0660"`,
		`SUBSYSTEM=="infiniband_verbs", KERNEL=="uverbs*", MODE="0666"`,
		"udevadm control --reload", "usermod -a -G rdma",
	})
}

// TestMute asks a file that takes nothing: a FIFO in place of the device file.
func TestMute(t *testing.T) {
	f := newFixture(t, hca("mlx5_0", infiniBand(1)))
	f.fifo("dev/infiniband/umad0", 0o600)
	r := f.host().Check(t.Context(), nil)
	expect(t, r, "failure smi mlx5_0/1\n", []string{filepath.Join("infiniband", "umad0") + ": success"})
}
