package total_test

import (
	"testing"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim/gen"
)

// BenchmarkPass is what a pass over the ports of 10,000 hosts costs beside the requests.
func BenchmarkPass(b *testing.B) {
	f, err := gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 64, Hosts: 10000})
	if err != nil {
		b.Fatal(err)
	}
	var ports []*fabric.Port
	for p := range f.Ports() {
		ports = append(ports, p)
	}
	a := total.New()
	samples := make([]*counters.Sample, len(ports))
	for i, p := range ports {
		samples[i] = reading{value: 1, wide: true}.sample(p, counters.XmitData)
		samples[i].Has, samples[i].Wide = counters.All, counters.All
	}
	pass := func(n int) *total.Table {
		at := reading{at: float64(n)}.sample(ports[0], counters.XmitData)
		for _, s := range samples {
			s.Before, s.After = at.Before, at.After
			s.Values[counters.XmitData] += 1000
			a.Add(s)
		}
		return a.Table(at.After)
	}
	pass(0)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		pass(n)
	}
	b.ReportMetric(float64(len(ports)), "ports")
}
