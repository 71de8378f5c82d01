package spool

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRestart: what waits outlives the process, though a line that was not written to
// its end does not; what came in between is not sent.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	q, err := Open(dir, MinBytes)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, MinBytes); err == nil {
		t.Error("two processes have one queue")
	}
	for i := range uint64(20) {
		if err := q.Put(fmt.Appendf(nil, "{\"id\":%d}\n", i+1), 1, i+1); err != nil {
			t.Fatal(err)
		}
	}
	_, at, err := q.Take(5, 1000)
	if err != nil || q.Finish(at) != nil {
		t.Fatal(err)
	}
	q.Close()
	name := q.path(q.segments[len(q.segments)-1].number)
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"id":21`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if q, err = Open(dir, MinBytes); err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	lines, _, err := q.Take(100, 1000)
	if n, _, _ := q.Waiting(); err != nil || len(lines) != 15 || n != 15 || string(lines[0]) != `{"id":6}` || q.Newest() != 20 {
		t.Errorf("%d lines, from %s on, the newest %d, %v", len(lines), lines[0], q.Newest(), err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}
