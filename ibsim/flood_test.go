package ibsim

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
)

// flood sends n requests before it receives the first answer, and checks that
// each comes back once.
func flood(t *testing.T, c *Conn, n int) {
	t.Helper()
	start := time.Now()
	for i := range n {
		p, to := nodeInfo(uint64(i)|0xbeef<<48, 1, 2)
		if err := c.Send(p, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("sending waited: %v", took)
	}
	seen := make([]bool, n)
	var in mad.Packet
	for range n {
		if _, err := c.Recv(&in); err != nil {
			t.Fatal(err)
		}
		i := in.TID() &^ (0xbeef << 48)
		if i >= uint64(n) || seen[i] {
			t.Fatalf("TID %x came twice, or was never sent", in.TID())
		}
		seen[i] = true
	}
}

func TestFlood(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	flood(t, c, 4096)

	// A client that does not receive at all must not keep the simulator from
	// serving another.
	for i := range 4096 {
		p, to := nodeInfo(uint64(i))
		if err := c.Send(p, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	flood(t, dial(t, &Options{Name: sim.Name}), 4096)
}

func TestQueueFull(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	if err := sim.Pause(); err != nil {
		t.Fatal(err)
	}
	sent := 0
	for {
		p, to := nodeInfo(uint64(sent))
		err := c.Send(p, to, 0)
		if errors.Is(err, syscall.ENOBUFS) {
			break
		}
		if err != nil || sent > 2*maxQueued {
			t.Fatalf("after %d: %v", sent, err)
		}
		sent++
	}
	if want := maxQueued + maxInFlight; sent != want {
		t.Errorf("took %d packets, want %d", sent, want)
	}
	sim.Resume()
	for i := range sent {
		var in mad.Packet
		if _, err := c.Recv(&in); err != nil || in.TID() != uint64(i) {
			t.Fatalf("answer %d: TID %d, %v", i, in.TID(), err)
		}
	}
}

// TestDiscarded sends what the simulator throws away without an answer: those
// must not block the window for good.
func TestDiscarded(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	for i := range 2 * maxInFlight {
		p, to := nodeInfo(uint64(i))
		p.SetHopPointer(1)
		if err := c.Send(p, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	p, to := nodeInfo(1 << 40)
	in, _, err := exchange(t, c, p, to)
	if err != nil || in.TID() != 1<<40 {
		t.Fatalf("TID %x, %v", in.TID(), err)
	}
	if took := time.Since(start); took < lostAfter || took > 10*lostAfter {
		t.Errorf("the answer came after %v; two windows of %v were before it", took, lostAfter)
	}
}

func TestNoAllocation(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	p, to := nodeInfo(1, 1, 2)
	var in mad.Packet
	if n := testing.AllocsPerRun(100, func() {
		if err := c.Send(p, to, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Recv(&in); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per request", n)
	}
}

func BenchmarkRequests(b *testing.B) {
	sim := testenv.StartIbsim(b, "testdata/line.net")
	for _, bc := range []struct {
		name   string
		window int
	}{{"window=1", 1}, {"window=2", 2}, {"window=32", 32}, {"window=4096", 4096}} {
		b.Run(bc.name, func(b *testing.B) {
			c := dial(b, &Options{Name: sim.Name})
			defer c.Close()
			p, to := nodeInfo(1, 1, 2)
			var in mad.Packet
			b.ReportAllocs()
			sent := 0
			for got := range b.N {
				for ; sent < b.N && sent-got < bc.window; sent++ {
					p.SetTID(uint64(sent))
					if err := c.Send(p, to, 0); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := c.Recv(&in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
