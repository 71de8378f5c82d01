package webhook

import (
	"bufio"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
)

// childEnv tells the test binary to be the process that is killed.
const childEnv = "IBSCOPE_WEBHOOK_CHILD"

// TestMain is that process, or the tests.
func TestMain(m *testing.M) {
	if url := os.Getenv(childEnv); url != "" {
		child(url, os.Args[1], os.Args[2])
	}
	os.Exit(m.Run())
}

// child adds events from a number on, and says which ones are in the queue.
func child(url, dir, first string) {
	next, _ := strconv.ParseUint(first, 10, 64)
	s, err := New(&Options{Dir: dir, Targets: []Target{{Name: "pager", URL: url, MaxBatch: 7}}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	t, log := s.targets[0], event.NewLog(1000, next)
	go s.Run(context.Background(), log)
	if t.queue.Newest() >= next {
		fmt.Println("the queue is ahead of the log")
		os.Exit(1)
	}
	for t.queue.Newest() < next { // Run has not begun
		log.Add(down("a"))
		time.Sleep(time.Millisecond)
	}
	for {
		log.Add(down("a"))
		for t.queue.Newest() < log.Last() {
			time.Sleep(100 * time.Microsecond)
		}
		if _, err := fmt.Println(log.Last()); err != nil {
			os.Exit(1) // nobody listens any more
		}
	}
}

// TestKill kills a process again and again, at any time: all events that were in its
// queue come, and the queue opens each time.
func TestKill(t *testing.T) {
	r := newReceiver()
	r.took = make(chan struct{}, 1<<20)
	server := httptest.NewServer(r)
	defer server.Close()
	dir, last := t.TempDir(), uint64(0)
	put := map[uint64]bool{}
	for i := range 25 {
		c := exec.CommandContext(t.Context(), os.Args[0], dir, strconv.FormatUint(last+1000, 10))
		c.Env = append(os.Environ(), childEnv+"="+server.URL)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			id, err := strconv.ParseUint(lines.Text(), 10, 64)
			if err != nil {
				t.Fatalf("life %d: %s", i, lines.Text())
			}
			put[id], last = true, id
			if n == i {
				if err := c.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = c.Wait()
	}
	s, err := New(&Options{Dir: dir, Targets: []Target{{Name: "pager", URL: server.URL}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx, event.NewLog(1, 1)) }()
	for s.Stats()[0].Queued > 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	for _, id := range r.ids() {
		delete(put, id)
	}
	if len(put) > 0 {
		t.Errorf("%d events were lost", len(put))
	}
	t.Logf("%d events, %d received", last, len(r.ids()))
}
