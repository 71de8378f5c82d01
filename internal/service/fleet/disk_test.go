package fleet

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/testenv"
)

// smallDisk mounts a file system of a few pages.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		testenv.Lack(t, "mount-namespace", "no file system can be mounted: "+err.Error())
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestFullDisk: when events cannot be written to disk any more the collector says so, does
// all else, and loses nothing.
func TestFullDisk(t *testing.T) {
	testenv.Need(t, "root", "nats-server")
	dir := smallDisk(t)
	s := startServer(t)
	log := &testenv.Buffer{}
	a := join(t, s, "a", func(o *Options) {
		o.Dir, o.Share, o.Interval = filepath.Join(dir, "fleet"), true, time.Second
		o.Logger = slog.New(slog.NewTextHandler(log, nil))
	})
	down := event.Event{Fabric: "rail1", Kind: event.LinkDown, At: event.End{GUID: 1, Port: 1}, Time: time.Now()}
	eventually(t, "Run follows the log", func() bool { a.log.Add(down); time.Sleep(5 * time.Millisecond); return a.queue.Newest() > 0 })
	eventually(t, "they are published", func() bool { return a.Stats().Queued == 0 && a.queue.Newest() == a.log.Last() })
	before := a.Stats().Published
	rest := filepath.Join(dir, "rest")
	f, err := os.Create(rest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, io.LimitReader(zeros{}, 1<<20)); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	f.Close()
	const more = 200 // of more than a page
	for i := range more {
		down.At.Port = i
		a.log.Add(down)
	}
	eventually(t, "it says so", func() bool {
		return strings.Contains(log.String(), "the queue cannot be written; events wait in memory")
	})
	revision := a.leases["rail1"].revision()
	eventually(t, "leases are kept", func() bool { return a.leases["rail1"].revision() > revision })
	other := []event.Event{{Fabric: "rail1", Kind: event.LinkUp, At: event.End{GUID: 9, Port: 1}, Time: time.Now()}}
	if err := a.Mark(t.Context(), other); err != nil {
		t.Error(err)
	}
	if err := os.Remove(rest); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all are published", func() bool { return a.Stats().Queued == 0 && a.Stats().Published == before+more })
	if lost := a.Stats().Dropped; lost > 0 {
		t.Errorf("%d events are lost", lost)
	}
}

// TestReadOnlyDisk: a collector that could keep no event says so before it begins.
func TestReadOnlyDisk(t *testing.T) {
	testenv.Need(t, "root")
	dir := smallDisk(t)
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err := New(&Options{URL: "nats://127.0.0.1:1", Name: "a", Dir: filepath.Join(dir, "fleet"), Fabrics: []string{"rail1"}})
	var of *Error
	if !errors.Is(err, unix.EROFS) || !errors.As(err, &of) || !strings.Contains(err.Error(), dir) {
		t.Error(err)
	}
}

// zeros is a reader without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// revision is that of the last renewal of the membership.
func (l *leases) revision() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.member.revision
}
