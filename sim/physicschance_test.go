package sim_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

// What goes wrong by chance does so as often as it should, where it should, and
// the same seed does it again.
func TestQuality(t *testing.T) {
	const n = 4000
	f := line(t)
	near, far := switchNode(t, f, "1").GUID(), switchNode(t, f, "2").GUID()
	way := get(nodeInfo, 0, 1, 3) // over two cables
	quality := func(q sim.Quality) []*sim.Physics {
		return []*sim.Physics{
			{Agents: q},
			{Parts: []sim.Part{{Node: far, Quality: q}}},
			{Parts: []sim.Part{{Node: far, Port: 2, Quality: q}}},
			{Parts: []sim.Part{{Node: near, Port: 3, Quality: q}}},
		}
	}
	for _, test := range []struct {
		name    string
		physics []*sim.Physics
		count   func(sim.Statistics) uint64
		want    float64
	}{
		{"loss there and back", quality(sim.Quality{Loss: 0.1}), func(s sim.Statistics) uint64 { return s.Lost }, 0.19},
		{"request thrown away", quality(sim.Quality{Corrupt: 0.1}), func(s sim.Statistics) uint64 { return s.Lost }, 0.1},
		{"reply corrupted", quality(sim.Quality{Corrupt: 0.1}), func(s sim.Statistics) uint64 { return s.Corrupted }, 0.09},
		{"duplicated", quality(sim.Quality{Duplicate: 0.1}), func(s sim.Statistics) uint64 { return s.Duplicated }, 0.2},
		{"late", quality(sim.Quality{Jitter: us, Reorder: 0.1}), func(s sim.Statistics) uint64 { return s.Late }, 0.1},
		{"all late", quality(sim.Quality{Jitter: us}), func(s sim.Statistics) uint64 { return s.Late }, 1},
		{"all cables", []*sim.Physics{{Links: sim.Quality{Loss: 0.1}}}, func(s sim.Statistics) uint64 { return s.Lost }, 1 - math.Pow(0.9, 4)},
		{"elsewhere", []*sim.Physics{
			{Parts: []sim.Part{{Node: near, Quality: sim.Quality{Loss: 1}}}},
			{Parts: []sim.Part{{Node: far, Port: 3, Quality: sim.Quality{Loss: 1}}}},
		}, func(s sim.Statistics) uint64 { return s.Lost }, 0},
	} {
		for i, ph := range test.physics {
			run := func(seed uint64) (list []arrival, stats sim.Statistics) {
				synctest.Test(t, func(t *testing.T) {
					s := simulate(t, f, sim.Options{Physics: ph, Seed: seed})
					list = burst(t, s, way, directed, n)
					stats = s.Statistics()
				})
				return list, stats
			}
			list, stats := run(7)
			got := float64(test.count(stats)) / n
			if tolerance := 4 * math.Sqrt(test.want*(1-min(test.want, 1))/n); math.Abs(got-test.want) > tolerance {
				t.Errorf("%s, %d: %v of all, want %v", test.name, i, got, test.want)
			}
			if stats.Sent != n || stats.Sent != stats.Answered+stats.Lost || uint64(len(list)) != stats.Answered+stats.Duplicated {
				t.Errorf("%s, %d: %d came, %+v", test.name, i, len(list), stats)
			}
			if again, same := run(7); same != stats || !slices.Equal(again, list) && stats.Corrupted == 0 {
				t.Errorf("%s, %d: the same seed gives %+v and %+v", test.name, i, stats, same)
			}
			if other, _ := run(8); test.want > 0 && test.want < 1 && slices.Equal(other, list) {
				t.Errorf("%s, %d: another seed gives the same", test.name, i)
			}
		}
	}
}

// Jitter lets replies overtake one another, by no more than it says.
func TestJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, line(t), sim.Options{Physics: &sim.Physics{
			SMA: sim.Service{Time: us}, Agents: sim.Quality{Jitter: 10 * us},
		}})
		list := burst(t, s, get(nodeInfo, 0, 1), directed, 1000)
		overtaken := 0
		last := uint64(0)
		for _, a := range list {
			sound := time.Duration(a.tid+1) * us
			if a.at < sound || a.at > sound+10*us {
				t.Errorf("request %d is answered at %v", a.tid, a.at)
			}
			if a.tid < last {
				overtaken++
			}
			last = a.tid
		}
		if len(list) != 1000 || overtaken < 200 {
			t.Errorf("%d replies, %d of them overtaken", len(list), overtaken)
		}
	})
}

// A cable with a delay takes that, each time.
func TestCableDelay(t *testing.T) {
	f := line(t)
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, f, sim.Options{Physics: &sim.Physics{
			SMA:   sim.Service{Time: 20 * us},
			Parts: []sim.Part{{Node: switchNode(t, f, "1").GUID(), Port: 3, Delay: 100 * us}},
		}})
		if got := burst(t, s, get(nodeInfo, 0, 1, 3), directed, 2); len(got) != 2 || got[0].at != 220*us || got[1].at != 240*us {
			t.Errorf("%v", got)
		}
	})
	// A request that was sent later and arrives earlier is served earlier.
	synctest.Test(t, func(t *testing.T) {
		s := simulate(t, f, sim.Options{Physics: &sim.Physics{
			SMA:   sim.Service{Time: 20 * us, Queue: 1},
			Parts: []sim.Part{{Node: host(t, f, "1").GUID(), Port: 1, Delay: 100 * us}},
		}})
		far := must[*sim.Port](t)(s.AttachAt(host(t, f, "1").GUID().String(), 1))
		near := must[*sim.Port](t)(s.AttachAt(host(t, f, "2").GUID().String(), 1))
		began := time.Now()
		_ = far.Send(get(nodeInfo, 0, 1), directed, 0)
		_ = near.Send(get(nodeInfo, 0, 1, 2), directed, 0)
		for _, end := range []struct {
			p    *sim.Port
			want time.Duration
		}{{near, 20 * us}, {far, 220 * us}} {
			r := get(nodeInfo, 0)
			if _, err := end.p.Recv(r); err != nil || time.Since(began) != end.want {
				t.Errorf("%v: after %v, want %v", err, time.Since(began), end.want)
			}
			_ = end.p.Close()
		}
	})
}

func TestPhysicsErrors(t *testing.T) {
	f := line(t)
	guid := host(t, f, "1").GUID()
	for i, ph := range []sim.Physics{
		{SMA: sim.Service{Time: -1}},
		{GSA: sim.Service{Queue: -1}},
		{SMA: sim.Service{Time: 1 << 62}},
		{Packet: -1},
		{Agents: sim.Quality{Loss: 1.1}},
		{Links: sim.Quality{Duplicate: -0.1}},
		{Links: sim.Quality{Corrupt: math.NaN()}},
		{Links: sim.Quality{Jitter: -1}},
		{Parts: []sim.Part{{Node: ib.GUID(1)}}},
		{Parts: []sim.Part{{Node: guid, Port: 2}}},
		{Parts: []sim.Part{{Node: guid, Port: 1, Slow: 2}}},
		{Parts: []sim.Part{{Node: guid, Slow: math.Inf(1)}}},
		{Parts: []sim.Part{{Node: guid, Period: time.Second}}},
		{Parts: []sim.Part{{Node: guid, Port: 1, Period: time.Microsecond}}},
		{Parts: []sim.Part{{Node: guid, Port: 1, Period: time.Second, Up: 1}}},
		{Parts: []sim.Part{{Node: guid, Delay: -1}}},
	} {
		if _, err := sim.New(f, &sim.Options{Physics: &ph}); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("physics %d: %v", i, err)
		}
	}
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	if s.Statistics() != (sim.Statistics{}) || s.NodeStatistics(host(t, f, "1")) != (sim.NodeStatistics{}) {
		t.Error("a fabric without physics counts")
	}
}

// Physics that are always the same take no allocation either.
func TestNoAllocationWithPhysics(t *testing.T) {
	p := open(t, line(t), &sim.Options{Physics: &sim.Physics{Agents: sim.Quality{Duplicate: 1e-9}, Links: sim.Quality{Loss: 1e-9}}})
	m := get(portInfo, 2, 1, 3)
	r := get(portInfo, 2)
	if n := testing.AllocsPerRun(100, func() {
		_ = p.Send(m, directed, 0)
		_, _ = p.Recv(r)
	}); n != 0 {
		t.Errorf("%v allocations for each request", n)
	}
}
