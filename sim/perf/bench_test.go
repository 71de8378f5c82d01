package perf_test

import (
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
	"github.com/ibscope/ibscope/sim/traffic"
)

// benched is a port of a fat tree with moving counters, and the request to the
// switch before it.
func benched(tb testing.TB) (p *sim.Port, m *mad.Packet, to mad.Addr) {
	tb.Helper()
	f, err := gen.Parse("fattree?levels=2&radix=8&speed=ndr")
	if err != nil {
		tb.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		tb.Fatal(err)
	}
	c := perf.New(f)
	rules := []traffic.Rule{{Load: 0.3, Spread: 0.5, Swing: 0.3, Multicast: 0.01, Wait: 0.02}}
	rules[0].Events[traffic.SymbolErrors] = 0.1
	moving, err := traffic.New(f, 1, rules)
	if err != nil {
		tb.Fatal(err)
	}
	c.SetTraffic(moving)
	if err := c.Use(s); err != nil {
		tb.Fatal(err)
	}
	if p, err = s.Attach(nil); err != nil {
		tb.Fatal(err)
	}
	m = new(mad.Packet)
	m.Init(mad.ClassPerf, mad.MethodGet, pma.AttrPortCountersExtended, 0)
	m.Data()[1] = 1
	to = mad.Addr{LID: p.Node().Port(p.Num()).Remote().LID(), QP: mad.QPGeneral, QKey: mad.WellKnownQK}
	return p, m, to
}

// BenchmarkGet sends PortCountersExtended Gets to the next switch and receives
// the answers.
func BenchmarkGet(b *testing.B) {
	p, m, to := benched(b)
	defer p.Close()
	var reply mad.Packet
	b.ReportAllocs()
	for b.Loop() {
		if err := p.Send(m, to, 0); err != nil {
			b.Fatal(err)
		}
		if _, err := p.Recv(&reply); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "MAD/s")
}

func TestNoAllocations(t *testing.T) {
	p, m, to := benched(t)
	defer p.Close()
	var reply mad.Packet
	for _, method := range []mad.Method{mad.MethodGet, mad.MethodSet} {
		m.SetMethod(method)
		n := testing.AllocsPerRun(1000, func() {
			if p.Send(m, to, 0) == nil {
				p.Recv(&reply)
			}
		})
		if n != 0 || reply.Status() != mad.StatusOK {
			t.Errorf("%v: %v allocations, %v", method, n, reply.Status())
		}
	}
}

// BenchmarkNew makes the counters of 11 000 nodes with 70 000 ports.
func BenchmarkNew(b *testing.B) {
	f, err := gen.Parse("fattree?levels=3&radix=40&hosts=10000")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		perf.New(f)
	}
}
