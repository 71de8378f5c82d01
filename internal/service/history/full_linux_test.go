package history

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/watch"
)

// TestDiskFull fills the file system of a database: the writer tells it and goes on, and
// stores all that it has when there is room again.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small file system cannot be mounted, as only root can: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	db, err := Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := newWriter(db)
	log := event.NewLog(1000, 1)
	l := newLab(t, "star?hosts=3")
	n := 0
	next := func() *watch.State {
		n++
		at := begin.Add(time.Duration(n) * time.Minute)
		log.Add(event.Event{Kind: event.LinkUp, Time: at})
		return &watch.State{Name: "a", Fabric: l.sweep(), At: at, Totals: table(at, time.Minute, 20, 8, func(_, port int) float64 { return float64(n * port * 1234567) })}
	}
	store(t, w, log, next())
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	for range 20 { // what is free inside of the file and its journal is used at first
		db.Record(next())
		err = w.work(t.Context(), log)
	}
	if s := db.Status(); !errors.Is(err, syscall.ENOSPC) || !errors.Is(s.Err, syscall.ENOSPC) || s.Failures == 0 || s.Failing.IsZero() {
		t.Fatalf("on a full disk: %v, %+v", err, s)
	}
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) == 0 {
		t.Errorf("reading on a full disk: %d events, %v", len(list), err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	store(t, w, log, next())
	s := db.Status()
	if s.Err != nil || s.LostEvents != 0 || s.Event != uint64(n) {
		t.Errorf("after that: %+v", s)
	}
	list, err := db.Events(t.Context(), nil)
	if err != nil || len(list) != n {
		t.Errorf("%d events of %d, %v", len(list), n, err)
	}
	if _, snap, err := db.FabricAt(t.Context(), "", time.Time{}); err != nil || !snap.Until.Equal(begin.Add(time.Duration(n)*time.Minute)) {
		t.Errorf("%+v, %v", snap, err)
	}
	var integrity string
	if err := db.read.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
		t.Errorf("integrity: %s, %v", integrity, err)
	}
}

// TestRunOnFullDisk: Run tries again by itself.
func TestRunOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small file system cannot be mounted, as only root can: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	}()
	db, err := Open(t.Context(), dir, &Options{retry: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log := event.NewLog(10000, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- db.Run(ctx, log) }()
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	until := func(what string, is func(Status) bool) {
		t.Helper()
		for range 10000 {
			if is(db.Status()) {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Fatalf("%s: %+v", what, db.Status())
	}
	n := 0
	until("it never fails", func(s Status) bool {
		for ; s.Err == nil && n < 9000 && uint64(n) <= s.Event; n += 100 {
			for range 100 {
				log.Add(event.Event{Kind: event.LinkUp, Time: begin})
			}
		}
		return errors.Is(s.Err, syscall.ENOSPC)
	})
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	until("it never stores again", func(s Status) bool {
		return s.Err == nil && s.Event == uint64(n) && s.LostEvents == 0 && s.Failures > 0
	})
	cancel()
	<-ended
	if list, err := db.Events(t.Context(), nil); err != nil || len(list) != n {
		t.Errorf("%d events of %d, %v", len(list), n, err)
	}
}
