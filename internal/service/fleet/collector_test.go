package fleet

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/nats"
)

// childEnv tells the test binary to be a collector.
const childEnv = "IBSCOPE_FLEET_CHILD"

const (
	testShares   = 32
	testInterval = time.Second
)

// TestMain is a collector, or the tests.
func TestMain(m *testing.M) {
	if url := os.Getenv(childEnv); url != "" {
		child(url, os.Args[1], os.Args[2])
	}
	os.Exit(m.Run())
}

// child reads the counters of its shares at each interval, and at once when it gets
// more; it says which and when, and how late it was. A number on its input is something
// that happens in the fabric.
func child(url, name, dir string) {
	acquired := make(chan struct{}, 1)
	f, err := New(&Options{
		URL: url, Name: name, Dir: dir, Fabrics: []string{"rail1"}, Share: true, Shares: testShares, Interval: testInterval, Alone: -1,
		NATS: nats.Options{PingInterval: 200 * time.Millisecond, RetryWait: 100 * time.Millisecond, Timeout: time.Second},
		Acquired: func(string) {
			select {
			case acquired <- struct{}{}:
			default:
			}
		},
	})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	log := event.NewLog(1000, uint64(time.Now().UnixNano()))
	go f.Run(context.Background(), log)
	log.Add(event.Event{Fabric: "rail1", Kind: event.FabricBack, Time: time.Now()})
	go watchInput(f, log)
	next := time.Now()
	for {
		late := time.Since(next)
		var list []string
		for share := range testShares {
			if f.leases["rail1"].owns(share) {
				list = append(list, fmt.Sprintf("%d:%d", share, f.leases["rail1"].since(share).UnixNano()))
			}
		}
		fmt.Println("pass", time.Now().UnixNano(), late.Nanoseconds(), strings.Join(list, ","))
		next = time.Now().Add(testInterval)
		select {
		case <-time.After(testInterval):
		case <-acquired:
			next = time.Now()
		}
	}
}

// since is when a share was taken.
func (l *leases) since(share int) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held[share].since
}

// watchInput is the Detector of a child.
func watchInput(f *Fleet, log *event.Log) {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		port, _ := strconv.Atoi(lines.Text())
		now := time.Now()
		events := []event.Event{{
			Fabric: "rail1", Kind: event.LinkDown, Severity: event.Critical, At: event.End{GUID: 1, Port: port}, To: event.End{GUID: 2, Port: port},
			Since: now.Add(-30 * time.Second), Time: now,
		}}
		_ = f.Mark(context.Background(), events) // it is marked later
		log.Add(events...)
		fmt.Println("seen", port)
	}
	os.Exit(0) // the test is over
}

// collector is a child.
type collector struct {
	w    *watchers
	name string
	dir  string
	url  string
	pre  []string // what runs it, as "ip netns exec NAME"

	cmd  *exec.Cmd
	in   *os.File
	last []int // shares in its last pass; the lock of w is held
	done chan struct{}
}

// watchers are the children, and what they say.
type watchers struct {
	t *testing.T

	mu    sync.Mutex
	all   []*collector
	reads map[int][]read // of each share
	late  time.Duration
	seen  map[int]int // how many have seen what happened
}

// read is when a share was read, by who has had it since another time.
type read struct {
	at, since time.Time
	by        string
}

func (w *watchers) add(name, url string, pre ...string) *collector {
	c := &collector{w: w, name: name, url: url, dir: w.t.TempDir(), pre: pre}
	w.all = append(w.all, c)
	c.start()
	return c
}

func (c *collector) start() {
	t := c.w.t
	t.Helper()
	args := append(slices.Clone(c.pre), os.Args[0], c.name, c.dir)
	c.cmd = exec.CommandContext(t.Context(), args[0], args[1:]...)
	c.cmd.Env = append(os.Environ(), childEnv+"="+c.url)
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.cmd.Stdin, c.in, c.done = in, write, make(chan struct{})
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	go func() {
		defer close(c.done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.w.take(c, lines.Text())
		}
	}()
}

// kill ends a child without a word.
func (c *collector) kill() {
	_ = c.cmd.Process.Kill()
	<-c.done
	_ = c.cmd.Wait()
	c.in.Close()
	c.w.mu.Lock()
	c.last = nil
	c.w.mu.Unlock()
}

// take takes in what a child says.
func (w *watchers) take(c *collector, line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	words := strings.Split(line, " ")
	switch {
	case words[0] == "pass" && len(words) == 4:
		ns, _ := strconv.ParseInt(words[1], 10, 64)
		late, _ := strconv.ParseInt(words[2], 10, 64)
		w.late = max(w.late, time.Duration(late))
		c.last = nil
		for text := range strings.SplitSeq(words[3], ",") {
			first, since, _ := strings.Cut(text, ":")
			if share, err := strconv.Atoi(first); err == nil {
				taken, _ := strconv.ParseInt(since, 10, 64)
				c.last = append(c.last, share)
				w.reads[share] = append(w.reads[share], read{time.Unix(0, ns), time.Unix(0, taken), c.name})
			}
		}
	case words[0] == "seen":
		port, _ := strconv.Atoi(words[1])
		w.seen[port]++
	default:
		w.t.Errorf("%s says %q", c.name, line)
	}
}

// settled waits until some collectors, each of them, share everything among them.
func (w *watchers) settled(who ...*collector) {
	w.t.Helper()
	eventually(w.t, fmt.Sprintf("%d collectors share all", len(who)), func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		count := map[int]int{}
		for _, c := range who {
			if len(c.last) == 0 {
				return false
			}
			for _, share := range c.last {
				count[share]++
			}
		}
		for _, n := range count {
			if n > 1 {
				return false
			}
		}
		return len(count) == testShares
	})
}

// happens lets something happen in the fabric that some collectors see.
func (w *watchers) happens(port int, who ...*collector) {
	w.t.Helper()
	for _, c := range who {
		if _, err := fmt.Fprintln(c.in, port); err != nil {
			w.t.Fatal(err)
		}
	}
	eventually(w.t, "it is seen", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.seen[port] == len(who)
	})
}
