package sim_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
)

var _ madrpc.Transport = (*sim.Port)(nil)

// Several ports at once, each with a sender and a receiver of its own.
func TestConcurrentPorts(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 4}))
	s := must[*sim.Fabric](t)(sim.New(f, &sim.Options{Faults: []sim.Fault{{Kind: sim.Duplicated, Times: 1000, Attr: portInfo}}}))
	var group sync.WaitGroup
	var lids []ib.LID
	for n := range f.Nodes() {
		lids = append(lids, n.Port(lidPort(n)).LID())
	}
	for n := range f.CAs() {
		p := must[*sim.Port](t)(s.Attach(n.Port(1)))
		group.Go(func() {
			for i := range 10 * len(lids) {
				m := getLID(nodeInfo, 0)
				m.SetTID(uint64(i))
				if err := p.Send(m, mad.Addr{LID: lids[i%len(lids)]}, 0); err != nil {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 10 * len(lids) {
				var r mad.Packet
				from, err := p.Recv(&r)
				if err != nil || from.LID != lids[int(r.TID())%len(lids)] {
					t.Errorf("from LID %d: %v", from.LID, err)
					return
				}
			}
			_ = p.Close()
		})
	}
	group.Wait()
}

func FuzzSend(f *testing.F) {
	model := must[*fabric.Fabric](f)(gen.Line(3))
	f.Add(get(nodeInfo, 0, 1, 3)[:], uint16(0xffff))
	f.Add(getLID(portInfo, 1)[:], uint16(4))
	s := must[*sim.Fabric](f)(sim.New(model, nil))
	for attr := range mad.AttrID(0x40) {
		f.Add(get(attr, 1<<16|1, 1)[:], uint16(0xffff))
	}
	f.Fuzz(func(t *testing.T, b []byte, lid uint16) {
		var m mad.Packet
		copy(m[:], b)
		p := must[*sim.Port](t)(s.Attach(nil))
		defer func() { _ = p.Close() }()
		m.SetTID(1)
		for _, r := range ask(t, p, &m, mad.Addr{LID: ib.LID(lid)}) {
			if r.TID() != 1 || !r.IsResponse() || r.AttrID() != m.AttrID() || r.Modifier() != m.Modifier() || r.HopCount() != m.HopCount() {
				t.Fatalf("% x answered by % x", m[:64], r[:64])
			}
		}
	})
}

func large(b testing.TB) *fabric.Fabric {
	return must[*fabric.Fabric](b)(gen.FatTree(gen.FatTreeOptions{Levels: 3, Radix: 64}))
}

func TestMemory(t *testing.T) {
	f := large(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	p := must[*sim.Port](t)(s.Attach(nil))
	i := 0
	for n := range f.CAs() {
		i++ // one host of each leaf switch is enough
		if lid := n.Port(1).LID(); lid != 0 && i%32 == 0 {
			ask(t, p, getLID(portInfo, 1), mad.Addr{LID: lid})
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	used := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d KB beside the fabric", used>>10)
	if used > 50<<20 {
		t.Errorf("the simulation takes %d MB beside the fabric", used>>20)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(f)
}

func TestNoAllocation(t *testing.T) {
	p := open(t, line(t), nil)
	m := get(portInfo, 2, 1, 3)
	var r mad.Packet
	if n := testing.AllocsPerRun(100, func() {
		_ = p.Send(m, directed, 0)
		_, _ = p.Recv(&r)
	}); n != 0 {
		t.Errorf("%v allocations for each request", n)
	}
}

func benchmarkGet(b *testing.B, m *mad.Packet, to mad.Addr) {
	s := must[*sim.Fabric](b)(sim.New(large(b), nil))
	p := must[*sim.Port](b)(s.Attach(nil))
	var r mad.Packet
	b.ReportAllocs()
	for b.Loop() {
		_ = p.Send(m, to, 0)
		_, _ = p.Recv(&r)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "Get/s")
}

func BenchmarkGetPortInfo(b *testing.B) {
	benchmarkGet(b, get(portInfo, 5, 1, 33, 33, 2, 2, 1), directed)
}
func BenchmarkGetNodeInfo(b *testing.B) { benchmarkGet(b, get(nodeInfo, 0, 1, 33), directed) }
func BenchmarkGetByLID(b *testing.B)    { benchmarkGet(b, getLID(portInfo, 1), mad.Addr{LID: 40000}) }
func BenchmarkGetLFT(b *testing.B)      { benchmarkGet(b, get(linearFDB, 500, 1, 33), directed) }

// A window of 64 requests, as a sweep has.
func BenchmarkGetWindow(b *testing.B) {
	s := must[*sim.Fabric](b)(sim.New(large(b), nil))
	p := must[*sim.Port](b)(s.Attach(nil))
	m := get(portInfo, 5, 1, 33, 33)
	var r mad.Packet
	for range 64 {
		_ = p.Send(m, directed, 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Recv(&r)
		_ = p.Send(m, directed, 0)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "Get/s")
}
