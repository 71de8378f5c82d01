package event_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/scenario"
	"github.com/ibscope/ibscope/sim/sm"
	"github.com/ibscope/ibscope/sim/traffic"
	"github.com/ibscope/ibscope/watch"
)

// lab is a simulated fabric that is watched, and what its Detector tells. It lives in
// the virtual time of a bubble.
type lab struct {
	*testing.T
	sim     *sim.Fabric
	runner  *scenario.Runner
	watcher *watch.Watcher
	log     *event.Log
	found   *event.Detector
	lost    error // why the port cannot be opened
	port    *sim.Port

	mu    sync.Mutex
	taken uint64 // the last event that take has given
	close func()
}

// cadence of the lab: a refresh each 30 s, a pass over the counters each minute.
const (
	refreshEvery = 30 * time.Second
	passEvery    = time.Minute
)

// run has do work on a fat tree of two levels: leaf01…leaf04, spine01, spine02, and
// node0001…node0008, two on each leaf.
func run(t *testing.T, do func(*lab)) { runWith(t, watch.Options{}, nil, do) }

func runWith(t *testing.T, w watch.Options, o *event.Options, do func(*lab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		model, err := gen.FatTree(gen.FatTreeOptions{Levels: 2, Radix: 4, Hosts: 8})
		if err != nil {
			t.Fatal(err)
		}
		l := open(t, model, w, o)
		l.pass(2 * passEvery)
		if events := l.take(); len(events) > 0 {
			t.Errorf("nothing has happened yet: %q", texts(events))
		}
		do(l)
		l.close()
	})
}

// loss is the share of packets that get lost.
const loss = 0.0001

func open(t *testing.T, model *fabric.Fabric, w watch.Options, o *event.Options) *lab {
	t.Helper()
	s, err := sim.New(model, &sim.Options{Latency: 20 * time.Microsecond, Loss: loss, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agents.Use(s, &agents.Options{Traffic: []traffic.Rule{{Load: 0.2, Wait: 0.3}}}); err != nil {
		t.Fatal(err)
	}
	manager, err := sm.Start(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{T: t, sim: s, log: event.NewLog(1<<14, 1), found: event.NewDetector(o)}
	if l.runner, err = new(scenario.Scenario).New(s, nil); err != nil {
		t.Fatal(err)
	}
	w.Name, w.Source, w.Open, w.Each = "lab", "sim:fattree", l.open, l.each
	if w.Refresh.Every == 0 {
		w.Refresh.Every = refreshEvery
	}
	if w.Counters.Every == 0 {
		w.Counters.Every = passEvery
	}
	l.watcher = watch.New(&w)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.watcher.Run(ctx) }()
	l.close = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("watching ended with %v", err)
		}
		if m, ok := s.Manager().(*sm.Manager); ok {
			manager = m
		}
		_ = manager.Close()
		_ = s.Close()
	})
	t.Cleanup(l.close)
	return l
}

func (l *lab) open(context.Context) (madrpc.Transport, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return nil, l.lost
	}
	p, err := l.sim.Attach(nil)
	l.port = p
	return p, err
}

func (l *lab) each(old, now *watch.State) { l.log.Add(l.found.Next(old, now)...) }

// do carries out commands of scenarios.
func (l *lab) do(commands ...string) {
	l.Helper()
	for _, c := range commands {
		if _, err := l.runner.Do(c); err != nil {
			l.Fatalf("%s: %v", c, err)
		}
	}
}

// pass lets time go by.
func (l *lab) pass(d time.Duration) {
	const step = time.Second
	for ; d > 0; d -= step {
		time.Sleep(min(d, step))
		l.runner.Advance(l.runner.Now() + min(d, step))
	}
	synctest.Wait()
}

// take gives the events since the last take.
func (l *lab) take() []event.Event {
	events, _ := l.log.Since(l.taken)
	l.taken = l.log.Last()
	return events
}

// text is an event in short: "link-down leaf01/3=spine01/1".
func text(e *event.Event) string {
	var b strings.Builder
	b.WriteString(string(e.Kind))
	for i, end := range [...]event.End{e.At, e.To} {
		if end.GUID == 0 {
			continue
		}
		b.WriteString([...]string{" ", "="}[i] + short(end.Name))
		if end.Port >= 0 {
			fmt.Fprintf(&b, "/%d", end.Port)
		}
	}
	if e.Field != "" {
		b.WriteString(" " + e.Field)
	}
	if e.Old != "" || e.New != "" {
		fmt.Fprintf(&b, " %q %q", e.Old, e.New)
	}
	if e.Count > 0 {
		fmt.Fprintf(&b, " n=%d", e.Count)
	}
	return b.String()
}

// short is leaf01 of "MF0;leaf01:MQM8700/U1", and node0001 of "node0001 mlx5_0".
func short(name string) string {
	name = strings.TrimPrefix(name, "MF0;")
	name, _, _ = strings.Cut(name, ":")
	name, _, _ = strings.Cut(name, " ")
	return name
}

func texts(events []event.Event) (list []string) {
	for i := range events {
		list = append(list, text(&events[i]))
	}
	return list
}

// want compares the events since the last take, in any order.
func (l *lab) want(want ...string) []event.Event {
	l.Helper()
	got := l.take()
	list := texts(got)
	slices.Sort(list)
	slices.Sort(want)
	if !slices.Equal(list, want) {
		l.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(list, "\n\t"), strings.Join(want, "\n\t"))
	}
	return got
}
