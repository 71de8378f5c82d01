package metrics

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sm"
	"github.com/ibscope/ibscope/sim/traffic"
	"github.com/ibscope/ibscope/watch"
)

// A live fabric is simulated, watched and served: traffic flows, one link is below its
// best, one flaps.
type live struct {
	*world
	watcher   *watch.Watcher
	collector *Collector
	url       string        // of the metrics
	trouble   chan struct{} // closed when the link may begin to flap
}

func newLive(t *testing.T) *live {
	t.Helper()
	model, err := gen.Parse("fattree?levels=2&radix=8&hosts=24")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := traffic.ParseRules("load:30%,spread:0.5,wait:5%,size:2048,multicast:1%")
	if err != nil {
		t.Fatal(err)
	}
	a, err := agents.Use(s, &agents.Options{Traffic: rules, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	manager, err := sm.Start(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &live{world: &world{t: t, sim: s, truth: a.Counters, model: model}, trouble: make(chan struct{})}
	l.spoil()
	log, detector := event.NewLog(10000, 1), event.NewDetector(nil)
	l.watcher = watch.New(&watch.Options{
		Name: "test", Source: "sim:test",
		Open:    func(context.Context) (madrpc.Transport, error) { return s.Attach(nil) },
		Refresh: watch.Pace{Every: 300 * time.Millisecond}, Verify: watch.Pace{Every: time.Second}, Counters: watch.Pace{Every: 300 * time.Millisecond},
		Each: func(old, now *watch.State) { log.Add(detector.Next(old, now)...) },
	})
	l.collector = New(func() []*watch.State { return []*watch.State{l.watcher.State()} }, log,
		&Options{Sets: []Set{Treydock, Guilbaults, Node}, Every: 100 * time.Millisecond, Version: "test"})
	server := httptest.NewServer(l.collector.Handler())
	l.url = server.URL + "/metrics"
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for _, run := range []func(context.Context) error{l.watcher.Run, l.collector.Run, l.flap} {
		go func() { done <- run(ctx) }()
	}
	t.Cleanup(func() {
		cancel()
		for range 3 {
			<-done
		}
		server.Close()
		manager.Close()
		s.Close()
	})
	return l
}

// spoil sets counters of errors, each to a value of its own, and slows a link down.
func (l *live) spoil() {
	l.t.Helper()
	n := uint64(0)
	for p := range l.model.Ports() {
		if p.Num() == 0 || p.Remote() == nil {
			continue
		}
		n++
		for _, name := range steady {
			if err := l.truth.Set(sim.Place{Node: p.Node(), Port: p.Num()}, "PortCountersExtended."+name, 100*n); err != nil {
				l.t.Fatal(err)
			}
		}
	}
	if err := l.sim.LimitLink(l.cable(0), fabric.LinkRate{Width: ib.Width1x, Speed: ib.SpeedHDR}); err != nil {
		l.t.Fatal(err)
	}
}

// steady are counters that nothing moves here.
var steady = []string{"SymbolErrorCounter", "PortRcvErrors", "PortRcvSwitchRelayErrors"}

// cable is a cable between two switches.
func (l *live) cable(i int) sim.Place {
	l.t.Helper()
	for link := range l.model.Links() {
		if link.A.Node().Type() == ib.NodeSwitch && link.B.Node().Type() == ib.NodeSwitch {
			if i == 0 {
				return sim.Place{Node: link.A.Node(), Port: link.A.Num()}
			}
			i--
		}
	}
	l.t.Fatal("too few cables")
	return sim.Place{}
}

// flap takes a link down and up, again and again, and counts errors at another one.
func (l *live) flap(ctx context.Context) error {
	at := l.cable(1)
	select {
	case <-l.trouble:
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		if err := l.truth.Count(l.cable(2), "PortCountersExtended.LocalLinkIntegrityErrors", 3); err != nil {
			l.t.Error(err)
		}
		for _, step := range []func(sim.Place) error{l.sim.LinkDown, l.sim.LinkUp} {
			select {
			case <-time.After(1500 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := step(at); err != nil {
				l.t.Error(err)
				return err
			}
		}
	}
}
