package fleet

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestFleet has three collectors share the counters of a fabric; each is killed and
// started again, and one is cut off. No share is unread for more than three intervals,
// or read by two at the same time; no event is lost, and of each one only is no
// duplicate.
func TestFleet(t *testing.T) {
	testenv.Need(t, "root", "ip", "nats-server")
	s := startServer(t)
	cut := newCable(t)
	w := &watchers{t: t, reads: map[int][]read{}, seen: map[int]int{}}
	a, b := w.add("a", s.url), w.add("b", s.url)
	c := w.add("c", fmt.Sprintf("nats://%s:%d", cut.host, s.port), "ip", "netns", "exec", cut.name)
	all := []*collector{a, b, c}
	w.settled(all...)
	began, happened := time.Now(), 1
	w.happens(happened, all...)
	for i, dead := range all {
		others := []*collector{all[(i+1)%3], all[(i+2)%3]}
		dead.kill()
		w.settled(others...)
		happened++
		w.happens(happened, others...)
		dead.start()
		w.settled(all...)
		happened++
		w.happens(happened, all...)
	}
	cut.set("down")
	w.settled(a, b)
	happened++
	w.happens(happened, all...)
	cut.set("up")
	w.settled(all...)
	w.checkReads(began, time.Now())
	w.checkEvents(s, happened)
	for _, c := range all {
		c.kill()
	}
}

// checkReads looks at who has read what when. How late a busy machine was is allowed for.
func (w *watchers) checkReads(from, to time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	most := 3*testInterval + 2*w.late
	var longest time.Duration
	for share := range testShares {
		var before read
		reads := append(w.reads[share], read{at: to, since: to})
		slices.SortFunc(reads, func(a, b read) int { return a.at.Compare(b.at) }) // they came by several pipes
		for _, r := range reads {
			if gap := r.at.Sub(before.at); r.at.After(from) && !before.at.IsZero() {
				longest = max(longest, gap)
				if gap > most {
					w.t.Errorf("share %d was not read for %v after %v", share, gap, before.at.Sub(from))
				}
			}
			if before.by != r.by && r.since.Before(before.at) {
				w.t.Errorf("share %d was %s's and %s's at the same time, %v after the begin", share, before.by, r.by, r.at.Sub(from))
			}
			before = r
		}
	}
	w.t.Logf("in %v no share was unread for more than %v; collectors were late by %v at most", to.Sub(from).Round(time.Second), longest, w.late)
}

// checkEvents compares what is in the stream with what was seen.
func (w *watchers) checkEvents(s *server, happened int) {
	js := s.client()
	count := func() (all, original map[int]int) {
		all, original = map[int]int{}, map[int]int{}
		for _, m := range s.stored(js) {
			var e event.Event
			if err := json.Unmarshal(m.Data(), &e); err != nil {
				w.t.Fatal(err)
			}
			if e.Kind == event.LinkDown {
				all[e.At.Port]++
				if !e.Duplicate {
					original[e.At.Port]++
				}
			}
		}
		return all, original
	}
	var all, original map[int]int
	eventually(w.t, "all events are published", func() bool {
		all, original = count()
		n := 0
		for port, seen := range w.seen {
			if all[port] >= seen-1 && original[port] > 0 { // a duplicate may have died with who had it
				n++
			}
		}
		return n == happened
	})
	again := 0
	for port := 1; port <= happened; port++ {
		again += original[port] - 1
	}
	if again > 1 { // by who dies when an event is in the stream, and nobody knows yet
		w.t.Errorf("%d events were told more than once: %v", again, original)
	}
}

// cable leads to a network namespace.
type cable struct {
	t          *testing.T
	name, link string
	host       string // the address of this side
}

// newCable makes a network namespace, and a cable to it. The test is skipped where that
// cannot be.
func newCable(t *testing.T) *cable {
	t.Helper()
	id := os.Getpid() % 60000
	c := &cable{t: t, name: fmt.Sprintf("ibscope-%d", id), link: fmt.Sprintf("ibs%da", id)}
	net := fmt.Sprintf("10.%d.%d", 200+id%50, id/256)
	c.host = net + ".1"
	far := fmt.Sprintf("ibs%db", id)
	if out, err := exec.Command("ip", "netns", "add", c.name).CombinedOutput(); err != nil {
		testenv.Lack(t, "network-namespace", fmt.Sprintf("no network namespace can be made: %s", out))
	}
	t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", c.name).Run() })
	c.ip("link", "add", c.link, "type", "veth", "peer", "name", far, "netns", c.name)
	t.Cleanup(func() { _ = exec.Command("ip", "link", "del", c.link).Run() })
	c.ip("addr", "add", net+".1/24", "dev", c.link)
	c.ip("link", "set", c.link, "up")
	c.ip("-n", c.name, "addr", "add", net+".2/24", "dev", far)
	c.ip("-n", c.name, "link", "set", far, "up")
	return c
}

func (c *cable) ip(args ...string) {
	c.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		c.t.Fatalf("ip %v: %v: %s", args, err, out)
	}
}

// set plugs the cable in ("up") or pulls it ("down").
func (c *cable) set(state string) { c.ip("link", "set", c.link, state) }
