package history

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/service/history/block"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/watch"
)

// fabrics are those of the benchmarks.
var fabrics = []struct{ name, topology string }{
	{"1500", "fattree?levels=3&radix=64&hosts=1100"},
	{"10000", "fattree?levels=3&radix=64&hosts=10000"},
	{"25000", "fattree?levels=3&radix=64&hosts=25000"},
}

func model(b *testing.B, topology string) *fabric.Fabric {
	b.Helper()
	f, err := gen.Parse(topology)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// busy is a pass in which all links carry something, and a tenth of them nothing.
func busy(f *fabric.Fabric, at time.Time, r *rand.Rand) *total.Table {
	var list []*total.Port
	for n := range f.Nodes() {
		for p := range n.Ports() {
			if p.Num() == 0 {
				continue
			}
			port := &total.Port{Key: total.Key{Node: n.GUID(), Num: p.Num()}, At: at, Interval: time.Minute, Has: counters.All, Rated: counters.All}
			if p.Remote() != nil && r.IntN(10) > 0 {
				for _, c := range []counters.Counter{counters.XmitData, counters.RcvData} {
					port.Rates[c] = r.Float64() * 2e10
					port.Rates[c+counters.XmitPkts] = port.Rates[c] / (100 + 3000*r.Float64())
				}
				port.Congestion = r.Float64() / 10
			}
			if r.IntN(100) == 0 {
				port.Added[counters.SymbolErrors] = r.Uint64N(20)
			}
			list = append(list, port)
		}
	}
	slices.SortFunc(list, func(a, b *total.Port) int { return block.CompareKeys(a.Key, b.Key) })
	return total.NewTable(at, list)
}

func BenchmarkPass(b *testing.B) {
	for _, tt := range fabrics {
		b.Run(tt.name, func(b *testing.B) {
			f := model(b, tt.topology)
			c := &clock{begin}
			db := open(b, &Options{Now: c.Now})
			w := newWriter(db)
			r := rand.New(rand.NewPCG(1, 1))
			tables := []*total.Table{busy(f, begin, r), busy(f, begin, r), busy(f, begin, r)}
			log := event.NewLog(1, 1)
			i := 0
			for b.Loop() {
				c.now = c.now.Add(time.Minute)
				t := *tables[i%len(tables)]
				t.At = c.now
				store(b, w, log, &watch.State{Name: "a", Totals: &t})
				i++
			}
			b.ReportMetric(float64(len(tables[0].Ports)), "ports")
			b.ReportMetric(float64(f.NumNodes()), "nodes")
		})
	}
}

// BenchmarkSize stores the passes of two days and a half, and tells what they take by
// level and port.
func BenchmarkSize(b *testing.B) {
	if os.Getenv("IBSCOPE_BENCH_LONG") == "" {
		b.Skip("it takes minutes: set IBSCOPE_BENCH_LONG")
	}
	for b.Loop() {
		f := model(b, "fattree?levels=3&radix=32&hosts=400")
		c := &clock{begin}
		db := open(b, &Options{Now: c.Now})
		w := newWriter(db)
		r := rand.New(rand.NewPCG(1, 1))
		log := event.NewLog(1, 1)
		ports := 0
		for range 60 * 60 {
			c.now = c.now.Add(time.Minute)
			t := busy(f, c.now, r)
			ports = len(t.Ports)
			store(b, w, log, &watch.State{Name: "a", Totals: t})
		}
		for level, per := range []string{"B/port/pass", "B/port/5min", "B/port/hour", "B/port/day"} {
			first, last := rateRange(1, level, never, forever)
			var bytes, times float64
			err := db.read.QueryRowContext(b.Context(), "SELECT sum(length(body)), count(DISTINCT key >> 8) FROM rates WHERE key BETWEEN ? AND ?", first, last).Scan(&bytes, &times)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(bytes/times/float64(ports), per)
		}
		b.ReportMetric(float64(db.Status().Bytes)/float64(ports), "B/port")
		b.ReportMetric(float64(ports), "ports")
	}
}

func BenchmarkSeries(b *testing.B) {
	f := model(b, fabrics[0].topology)
	c := &clock{begin}
	db := open(b, &Options{Now: c.Now})
	w := newWriter(db)
	r := rand.New(rand.NewPCG(1, 1))
	t := busy(f, begin, r)
	for range 4 * 60 {
		c.now = c.now.Add(time.Minute)
		now := *t
		now.At = c.now
		store(b, w, event.NewLog(1, 1), &watch.State{Name: "a", Totals: &now})
	}
	key := t.Ports[len(t.Ports)/2].Key
	for b.Loop() {
		points, err := db.Series(b.Context(), "a", key.Node, key.Num, begin, c.now)
		if err != nil || len(points) < 120 {
			b.Fatal(len(points), err)
		}
		b.ReportMetric(float64(len(points)), "points")
	}
}

// BenchmarkSnapshot stores a whole fabric, one that is as it was, and one in which one
// node has another name.
func BenchmarkSnapshot(b *testing.B) {
	for _, tt := range fabrics {
		f := model(b, tt.topology)
		other := model(b, tt.topology)
		for n := range other.Nodes() {
			if n.Index() == other.NumNodes()/2 {
				n.DescriptionBytes()[0] ^= 1
			}
		}
		for _, kind := range []string{"whole", "same", "different"} {
			b.Run(tt.name+"/"+kind, func(b *testing.B) {
				db := open(b, nil)
				w := newWriter(db)
				log := event.NewLog(1, 1)
				at := begin
				put := func(f *fabric.Fabric) {
					at = at.Add(time.Second)
					store(b, w, log, &watch.State{Name: "a", Fabric: f, At: at})
				}
				put(f)
				i := 0
				for b.Loop() {
					of := w.fabrics["a"]
					of.model = nil // as if it were another sweep
					switch kind {
					case "whole":
						of.chain.whole = 0 // so that a difference is too long
						put([]*fabric.Fabric{other, f}[i%2])
					case "same":
						put(f)
					default:
						of.chain.length, of.chain.bytes = 0, 0
						put([]*fabric.Fabric{other, f}[i%2])
					}
					i++
				}
				list, err := db.Snapshots(b.Context(), "a", time.Time{}, time.Time{}, 1)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(list[0].Bytes), "B/stored")
				b.ReportMetric(float64(list[0].Size), "B/lines")
			})
		}
	}
}

func BenchmarkFabricAt(b *testing.B) {
	db := open(b, nil)
	f := model(b, fabrics[0].topology)
	store(b, newWriter(db), event.NewLog(1, 1), &watch.State{Name: "a", Fabric: f, At: begin})
	for b.Loop() {
		if _, _, err := db.FabricAt(b.Context(), "a", begin); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvents asks for the events of the last hour of a long time.
func BenchmarkEvents(b *testing.B) {
	db := open(b, nil)
	w := newWriter(db)
	log := event.NewLog(200000, 1)
	for i := range 200000 {
		log.Add(event.Event{Kind: event.LinkFlap, Fabric: "a", Time: begin.Add(time.Duration(i) * time.Minute), At: event.End{GUID: ib.GUID(i % 1000)}})
	}
	store(b, w, log)
	since := begin.Add(199940 * time.Minute)
	for name, f := range map[string]*Filter{
		"since": {Since: since}, "newest": {Since: since, Newest: true}, "kinds": {Since: since, Kinds: []event.Kind{event.LinkFlap, event.LinkUp}},
		"fabric": {Since: since, Fabric: "a"}, "node": {Since: since, GUID: 985},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if list, err := db.Events(b.Context(), f); err != nil || len(list) != 60 && name != "node" || len(list) == 0 {
					b.Fatal(len(list), err)
				}
			}
		})
	}
}
