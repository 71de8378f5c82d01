package umad

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
)

// device makes a device file of a FIFO, on which Recv can be tried: what is
// written to it is received. The tree says ABI 6, for which no ioctl is needed.
func device(t *testing.T, tree *testenv.Sysfs, name string) (path string) {
	t.Helper()
	tree.Write("class/infiniband_mad/abi_version", "6")
	path = filepath.Join(tree.Root, "infiniband", name)
	tree.Mkdir("infiniband")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenErrors(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("mlx5_0", "4/5", "4/5", "4/5"))
	tree.Remove("class/infiniband_mad/umad1")
	h := Host{Sys: tree.Root, Dev: tree.Root}
	locked := device(t, tree, "umad0")
	if err := os.Chmod(filepath.Dir(tree.Root), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mknod(filepath.Join(filepath.Dir(locked), "umad2"), unix.S_IFSOCK|0o600, 0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		ca          string
		num         int
		class, also error
		part        string
	}{
		{"mlx5_9", 1, unix.ENODEV, nil, "there are mlx5_0"},
		{"mlx5_0", 4, unix.EINVAL, nil, "ports 1, 2, 3"},
		{"mlx5_0", 2, unix.EINVAL, nil, "no umad device file"},
		{"mlx5_0", 1, unix.EIO, fs.ErrPermission, "udev rule"},
		{"mlx5_0", 3, unix.EIO, unix.EACCES, "umad2"},
	} {
		var err error
		dropRights(t, func() { _, err = h.Open(t.Context(), test.ca, test.num) })
		var e *Error
		if !errors.Is(err, test.class) || test.also != nil && !errors.Is(err, test.also) || !errors.As(err, &e) || !strings.Contains(err.Error(), test.part) {
			t.Errorf("%s/%d: %v", test.ca, test.num, err)
		}
	}
	if _, err := h.Open(t.Context(), "mlx5_0", 3); !errors.Is(err, unix.EIO) || !errors.Is(err, unix.ENXIO) || !strings.Contains(err.Error(), "left over") {
		t.Errorf("socket: %v", err)
	}
	tree.Remove("infiniband/umad0")
	if _, err := h.Open(t.Context(), "", 0); !errors.Is(err, unix.EIO) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "container") {
		t.Errorf("no device file: %v", err)
	}
}

func TestOpen(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("mlx4_0", "4/5d"), hca("mlx5_0", "1/2", "4/5"))
	device(t, tree, "umad0")
	device(t, tree, "umad2")
	h := Host{Sys: tree.Root, Dev: tree.Root}
	p, err := h.Open(t.Context(), "", 0)
	if err != nil || p.Device() != "mlx4_0" || p.Num() != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	p.Close()
	p, err = h.OpenSMI(t.Context(), "", 0)
	if err != nil || p.Device() != "mlx5_0" || p.Num() != 2 || !p.HasPKeyIndex() {
		t.Fatalf("%+v, %v", p, err)
	}
	p.Close()
}

// arrive makes a MAD with that TID arrive at a device.
func arrive(t *testing.T, path string, tid uint64, status uint32) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, headerSize+mad.Size)
	binary.NativeEndian.PutUint32(b[4:], status)
	var m mad.Packet
	m.SetTID(tid)
	copy(b[headerSize:], m[:])
	if _, err := f.Write(b); err != nil {
		t.Fatal(err)
	}
}

// TestPortPair opens both halves of a planarised HCA and receives from both.
func TestPortPair(t *testing.T) {
	tree := testenv.NewSysfs(t, planarised()...)
	gsi, smi := device(t, tree, "umad0"), device(t, tree, "umad3")
	pair, err := Host{Sys: tree.Root, Dev: tree.Root}.OpenPair(t.Context(), "mlx5_0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if pair.SMI == pair.GSI || pair.SMI.Num() != 3 || pair.GSI.Num() != 1 {
		t.Errorf("SMI %v, GSI %v", pair.SMI, pair.GSI)
	}
	arrive(t, gsi, 1, 0)
	arrive(t, smi, 2, 0)
	arrive(t, smi, 3, uint32(unix.ETIMEDOUT))
	tids := map[uint64]error{}
	for range 3 {
		var m mad.Packet
		_, err := pair.Recv(&m)
		tids[m.TID()] = err
	}
	if len(tids) != 3 || tids[1] != nil || tids[2] != nil || !errors.Is(tids[3], unix.ETIMEDOUT) {
		t.Errorf("received %v", tids)
	}
	var waiting sync.WaitGroup
	waiting.Go(func() {
		var m mad.Packet
		if _, err := pair.Recv(&m); !errors.Is(err, os.ErrClosed) {
			t.Errorf("Recv on a closed pair: %v", err)
		}
	})
	time.Sleep(time.Millisecond)
	if err := pair.Close(); err != nil {
		t.Error(err)
	}
	waiting.Wait()
	if err := pair.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

func TestPortPairWithoutSMI(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("roce", "4/5e"))
	path := device(t, tree, "umad0")
	pair, err := Host{Sys: tree.Root, Dev: tree.Root}.OpenPair(t.Context(), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pair.Close()
	var m mad.Packet
	m.Init(mad.ClassSubnLID, mad.MethodGet, 0x11, 0)
	err = pair.Send(&m, mad.Addr{LID: 1}, time.Second)
	if !errors.Is(err, unix.EPROTONOSUPPORT) || !strings.Contains(err.Error(), "roce port 1") {
		t.Errorf("SMP: %v", err)
	}
	arrive(t, path, 7, 0)
	if _, err := pair.Recv(&m); err != nil || m.TID() != 7 {
		t.Errorf("TID %d, %v", m.TID(), err)
	}
}

// TestPortPairHalf leaves no port open when the other one does not open.
func TestPortPairHalf(t *testing.T) {
	tree := testenv.NewSysfs(t, planarised()...)
	device(t, tree, "umad0")
	before := openFiles(t)
	_, err := Host{Sys: tree.Root, Dev: tree.Root}.OpenPair(t.Context(), "", 0)
	if !errors.Is(err, unix.EIO) || !strings.Contains(err.Error(), "umad3") {
		t.Errorf("error %v", err)
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d open files, %d before", after, before)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if target, _ := os.Readlink("/proc/self/fd/" + f.Name()); strings.Contains(target, "umad") {
			n++
		}
	}
	return n
}

func TestISSM(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("a", "4/5d"), hca("b", "4/5"), hca("c", "4/5e"))
	tree.Remove("class/infiniband_mad/issm2")
	h := Host{Sys: tree.Root, Dev: tree.Root}
	tree.Write("infiniband/issm1", "")
	i, err := h.OpenISSM(t.Context(), "", 0) // a has no SMI
	if err != nil {
		t.Fatal(err)
	}
	if got := i.file.Name(); got != filepath.Join(tree.Root, "infiniband/issm1") {
		t.Errorf("opened %s", got)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if err := i.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	if _, err := h.OpenISSM(t.Context(), "c", 1); !errors.Is(err, unix.EINVAL) || !strings.Contains(err.Error(), "only InfiniBand") {
		t.Errorf("RoCE: %v", err)
	}
	if _, err := h.OpenISSM(t.Context(), "a", 1); !errors.Is(err, unix.EIO) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	busy := withClass(unix.EIO, unix.EAGAIN)
	if hint := issmHint(busy); !strings.Contains(hint, "subnet manager") || !errors.Is(busy, unix.EAGAIN) {
		t.Errorf("busy: %v; %s", busy, hint)
	}
}

// TestClosed asks a closed port for everything.
func TestClosed(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("mlx5_0", "4/5"))
	device(t, tree, "umad0")
	p, err := Host{Sys: tree.Root, Dev: tree.Root}.Open(t.Context(), "mlx5_0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.SetRecvDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Error(err)
	}
	var m mad.Packet
	if _, err := p.Recv(&m); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("Recv after its deadline: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	m.Init(mad.ClassSubnLID, mad.MethodGet, 0x11, 0)
	_, recvErr := p.Recv(&m)
	_, registerErr := p.Register(AgentRequest{Class: mad.ClassSubnLID})
	for name, err := range map[string]error{
		"Recv": recvErr, "Register": registerErr, "Close": p.Close(),
		"Send": p.Send(&m, mad.Addr{LID: 1}, time.Second), "SetRecvDeadline": p.SetRecvDeadline(time.Time{}),
	} {
		if !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s on a closed port: %v", name, err)
		}
	}
}
