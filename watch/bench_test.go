package watch_test

import (
	"context"
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// BenchmarkRuns is what a refresh, a verification and a pass over the counters cost in a
// fabric of 10,000 hosts, what the simulator has to do for them included.
func BenchmarkRuns(b *testing.B) {
	model, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 64, Hosts: 10000})
	if err != nil {
		b.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if _, err := agents.Use(s, nil); err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		kind  watch.Kind
		level discover.Level
	}{
		{"refresh", watch.Refreshing, discover.Normal},
		{"quick", watch.Refreshing, discover.Quick},
		{"verification", watch.Verification, discover.Normal},
		{"counters", watch.Counting, discover.Normal},
	} {
		b.Run(tt.name, func(b *testing.B) {
			never := watch.Pace{Every: -1}
			w := watch.New(&watch.Options{
				Open:  func(context.Context) (madrpc.Transport, error) { return s.Attach(nil) },
				Level: tt.level, Refresh: never, Verify: never, Counters: never,
			})
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error)
			go func() { done <- w.Run(ctx) }()
			last, err := w.Wait(ctx, w.State())
			run := func() {
				w.Trigger(tt.kind)
				last, err = w.Wait(ctx, last)
			}
			run() // the first of its kind takes more
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
			if err != nil {
				b.Fatal(err)
			}
			requests := last.Refresh.Requests
			switch tt.kind {
			case watch.Verification:
				requests = last.Verify.Requests
			case watch.Counting:
				requests = last.Pass.Requests
			}
			b.ReportMetric(float64(requests), "requests/op")
			cancel()
			<-done
		})
	}
}
