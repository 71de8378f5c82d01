package metrics

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// big are the fabrics of the benchmarks, by the number of their hosts.
var big = []struct{ name, topology string }{
	{"1500nodes", "fattree?levels=3&radix=36&hosts=1296"},
	{"10000hosts", "fattree?levels=3&radix=40&hosts=10000"},
}

// moving makes states of a fabric whose counters move as on a busy one: traffic
// everywhere, errors here and there.
type moving struct {
	fabric *fabric.Fabric
	ports  []*total.Port
	random *rand.Rand
}

func newMoving(tb testing.TB, topology string) *moving {
	tb.Helper()
	f, err := gen.Parse(topology)
	if err != nil {
		tb.Fatal(err)
	}
	m := &moving{fabric: f, random: rand.New(rand.NewPCG(1, 1))}
	for p := range f.Ports() {
		if p.Remote() != nil {
			m.ports = append(m.ports, &total.Port{Key: total.Key{Node: p.Node().GUID(), Num: p.Num()}, Has: counters.All, Interval: time.Minute})
		}
	}
	slices.SortFunc(m.ports, func(a, b *total.Port) int {
		if a.Node != b.Node {
			if a.Node < b.Node {
				return -1
			}
			return 1
		}
		return a.Num - b.Num
	})
	return m
}

// next is the state after another pass.
func (m *moving) next() *watch.State {
	ports := make([]*total.Port, len(m.ports))
	for i, old := range m.ports {
		p := *old
		for c := range counters.Traffic.All() {
			p.Values[c] += m.random.Uint64N(1 << 36)
		}
		p.Values[counters.XmitWait] += m.random.Uint64N(1 << 20)
		p.Congestion = m.random.Float64() / 10
		if m.random.IntN(1000) == 0 {
			p.Values[counters.SymbolErrors]++
		}
		ports[i] = &p
	}
	m.ports = ports
	st := watch.Static("fabric", "sim:", m.fabric, total.NewTable(time.Now(), ports))
	return st
}

// BenchmarkRefresh is what a new state costs.
func BenchmarkRefresh(b *testing.B) {
	for _, f := range big {
		b.Run(f.name, func(b *testing.B) {
			m := newMoving(b, f.topology)
			st := m.next()
			before := heap()
			c := New(func() []*watch.State { return []*watch.State{st} }, nil, nil)
			for b.Loop() {
				b.StopTimer()
				st = m.next()
				b.StartTimer()
				c.Refresh()
			}
			b.ReportMetric(heap()-before, "heap-MB")
			runtime.KeepAlive(c)
		})
	}
}

// heap is what is alive, in millions of bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// BenchmarkScrape is a scrape over HTTP while states change: its 99th percentile, and
// the size of what is sent.
func BenchmarkScrape(b *testing.B) {
	for _, f := range big {
		for _, packed := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/gzip=%t", f.name, packed), func(b *testing.B) { benchmarkScrape(b, f.topology, packed) })
		}
	}
}

func benchmarkScrape(b *testing.B, topology string, packed bool) {
	m := newMoving(b, topology)
	var current atomic.Pointer[watch.State]
	current.Store(m.next())
	c := New(func() []*watch.State { return []*watch.State{current.Load()} }, nil, &Options{Every: 100 * time.Millisecond})
	c.Refresh()
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx)
	}()
	changing := make(chan struct{})
	go func() {
		defer close(changing)
		for ctx.Err() == nil {
			current.Store(m.next())
			time.Sleep(2 * time.Second)
		}
	}()
	s := httptest.NewServer(c.Handler())
	var took []time.Duration
	var size int64
	for b.Loop() {
		began := time.Now()
		size = scrape(b, s.URL, packed)
		took = append(took, time.Since(began))
	}
	s.Close()
	cancel()
	<-done
	<-changing
	slices.Sort(took)
	series := c.shelves[Own].fabrics["fabric"].series()[0]
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(size)/1e6, "MB")
	b.ReportMetric(float64(series), "series")
}

// scrape reads a page as it comes, and tells how much that was.
func scrape(tb testing.TB, url string, packed bool) int64 {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodGet, url, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", "identity")
	if packed {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		tb.Fatal(resp.Status, err)
	}
	return n
}
