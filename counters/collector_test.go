package counters_test

import (
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/sim/traffic"
)

// world is a simulated fabric with counters, and a client at one of its ports.
type world struct {
	sim      *sim.Fabric
	model    *fabric.Fabric
	counters *perf.Counters
	client   *madrpc.Client
	port     *port
}

func open(tb testing.TB, name string, so *sim.Options, co *madrpc.Options) *world {
	tb.Helper()
	w := &world{}
	var err error
	if w.model, err = gen.Parse(name); err != nil {
		tb.Fatal(err)
	}
	if w.sim, err = sim.New(w.model, so); err != nil {
		tb.Fatal(err)
	}
	w.counters = perf.New(w.model)
	if err := w.counters.Use(w.sim); err != nil {
		tb.Fatal(err)
	}
	p, err := w.sim.Attach(nil)
	if err != nil {
		tb.Fatal(err)
	}
	w.port = &port{Transport: p}
	w.client = madrpc.New(w.port, co)
	return w
}

// moving has all counters move.
func (w *world) moving(tb testing.TB) {
	tb.Helper()
	rules := []traffic.Rule{{Load: 0.3, Spread: 0.5, Swing: 0.3, Multicast: 0.01, Wait: 0.02}}
	rules[0].Events[traffic.SymbolErrors] = 0.1
	m, err := traffic.New(w.model, 1, rules)
	if err != nil {
		tb.Fatal(err)
	}
	w.counters.SetTraffic(m)
}

// BenchmarkCollect reads all ports of a fabric in each turn.
func BenchmarkCollect(b *testing.B) {
	for _, name := range []string{"fattree?levels=2&radix=40&speed=ndr", "fattree?levels=3&radix=64&hosts=22000&speed=ndr"} {
		for _, kind := range []string{"still", "moving"} {
			b.Run(name+" "+kind, func(b *testing.B) {
				w := open(b, name, nil, &madrpc.Options{MaxPerTarget: -1, MaxOutstanding: 256})
				defer w.client.Close()
				if kind == "moving" {
					w.moving(b)
				}
				ports, bytes := 0, uint64(0)
				c := counters.New(w.client, w.model, &counters.Options{Each: func(s *counters.Sample) {
					ports++
					n, _ := s.XmitBytes()
					bytes += n
				}})
				if _, err := c.Collect(b.Context()); err != nil {
					b.Fatal(err)
				}
				ports = 0
				b.ReportAllocs()
				for b.Loop() {
					p, err := c.Collect(b.Context())
					if err != nil || p.Unread > 0 {
						b.Fatal(err, p.Unread, p.Problems[:1])
					}
				}
				b.ReportMetric(float64(ports)/b.Elapsed().Seconds(), "answers/s")
				b.ReportMetric(float64(ports)/float64(b.N), "ports")
			})
		}
	}
}
