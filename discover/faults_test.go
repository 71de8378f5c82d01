package discover_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim"
)

func wantError(t *testing.T, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("error is %v, want %v", err, target)
	}
}

func kinds(f *fabric.Fabric) map[fabric.ProblemKind]int {
	m := map[fabric.ProblemKind]int{}
	for _, p := range f.Problems() {
		m[p.Kind]++
	}
	return m
}

// faulty sweeps tree(4, 3) with faults, in virtual time, and checks that it ends
// within the given time.
func faulty(t *testing.T, so sim.Options, within time.Duration, check func(f *fabric.Fabric)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		f, err := tree(4, 3).sweep(t, &so, nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > within {
			t.Errorf("took %v, want at most %v", took, within)
		}
		check(f)
	})
}

func wantCounts(t *testing.T, f *fabric.Fabric, nodes, links int) {
	t.Helper()
	if n, l := counts(f); n != nodes || l != links {
		t.Errorf("%d nodes, %d links; want %d, %d\n%s%v", n, l, nodes, links, picture(f), f.Problems())
	}
}

const leaf3, host7 = ib.GUID(0x20200), ib.GUID(0x1060)

func TestLoss(t *testing.T) {
	for seed := range uint64(20) {
		faulty(t, sim.Options{Loss: 0.05, Seed: seed, Latency: 10 * time.Microsecond}, 30*time.Second, func(f *fabric.Fabric) {
			wantCounts(t, f, 18, 20)
			if len(f.Problems()) > 0 {
				t.Errorf("seed %d: problems %v", seed, f.Problems())
			}
		})
	}
}

func TestDeadSMA(t *testing.T) {
	o := sim.Options{Faults: []sim.Fault{{Kind: sim.DeadSMA, Node: host7}}}
	faulty(t, o, 5*time.Second, func(f *fabric.Fabric) {
		wantCounts(t, f, 17, 19)
		p := f.Problems()
		if len(p) != 1 || p[0].Kind != fabric.NoReply || p[0].GUID != leaf3 || p[0].Port != 1 {
			t.Errorf("problems %v, want one: no reply behind leaf 3 port 1", p)
		}
		wantError(t, p[0], os.ErrDeadlineExceeded)
	})
}

func TestSwitchVanishesHalfWay(t *testing.T) {
	o := sim.Options{Faults: []sim.Fault{{Kind: sim.DeadNode, Node: leaf3, After: 5}}}
	faulty(t, o, 20*time.Second, func(f *fabric.Fabric) {
		if _, ok := f.NodeByGUID(leaf3); !ok {
			t.Error("leaf 3 answered NodeInfo, but is not in the result")
		}
		nodes, _ := counts(f)
		if nodes != 18-3 {
			t.Errorf("%d nodes, want all but the 3 hosts behind leaf 3\n%s", nodes, picture(f))
		}
		if k := kinds(f); k[fabric.NoReply] == 0 {
			t.Errorf("no problem tells of leaf 3: %v", f.Problems())
		}
	})
}

func TestOtherWayRound(t *testing.T) {
	// Leaf 3 answers through spine 2 only, once the sweep has come through spine 1.
	o := sim.Options{Faults: []sim.Fault{{Kind: sim.DeadPort, Node: leaf3, Port: 4, After: 4}}}
	faulty(t, o, 40*time.Second, func(f *fabric.Fabric) {
		wantCounts(t, f, 18, 20)
	})
}

func TestPortThatAnswersForAnotherGUID(t *testing.T) {
	o := sim.Options{Faults: []sim.Fault{{Kind: sim.WrongNodeGUID, Node: host7, GUID: 0x1070}}}
	faulty(t, o, 5*time.Second, func(f *fabric.Fabric) {
		wantCounts(t, f, 18, 20)
		if k := kinds(f); k[fabric.DuplicateGUID] != 1 {
			t.Errorf("problems %v, want one duplicate GUID", f.Problems())
		}
	})
}

func TestSpoiledReplies(t *testing.T) {
	for name, kind := range map[string]sim.FaultKind{
		"wrong TID": sim.WrongTID, "wrong class version": sim.WrongClassVersion,
		"zeros": sim.ZeroData, "corrupt": sim.CorruptBytes, "twice": sim.Duplicated,
	} {
		t.Run(name, func(t *testing.T) {
			o := sim.Options{Seed: 7, Faults: []sim.Fault{{Kind: kind, Node: host7}}}
			faulty(t, o, 20*time.Second, func(f *fabric.Fabric) {
				nodes, _ := counts(f)
				if nodes < 17 || nodes > 18 {
					t.Errorf("%d nodes, want 17 or 18", nodes)
				}
				if kind == sim.Duplicated && len(f.Problems()) > 0 {
					t.Errorf("duplicate replies are a problem: %v", f.Problems())
				}
			})
		})
	}
}

func TestTwinSwitches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := tree(4, 3)
		twin := p.node("STwin", leaf3, 9) // the GUID and ports of leaf 3
		_ = twin
		p.node("h13", 0x9000, 1)
		p.link("STwin/6", "Spine1/7")
		p.link("STwin/7", "h13")
		f, err := p.sweep(t, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantCounts(t, f, 20, 22)
		if k := kinds(f); k[fabric.DuplicateGUID] != 1 {
			t.Errorf("problems %v, want one duplicate GUID", f.Problems())
		}
	})
}

func TestIdenticalTwinSwitches(t *testing.T) {
	for rotation := range 16 {
		synctest.Test(t, func(t *testing.T) {
			p := tree(4, 3)
			p.node("STwin", leaf3, 9)
			for i, name := range []string{"h13", "h14", "h15"} {
				p.node(name, ib.GUID(0x9000+16*i), 1)
			}
			p.link("STwin/1", "h13")
			p.link("STwin/2", "h14")
			p.link("STwin/3", "h15")
			p.link("STwin/4", "Spine1/7")
			p.link("STwin/5", "Spine2/7")
			o := &discover.Options{}
			o.Rotate(rotation)
			f, err := p.sweep(t, nil, o)
			if err != nil {
				t.Fatal(err)
			}
			wantCounts(t, f, 22, 25)
		})
	}
}

// hidden is two switches that are alike, at ports that do not contradict each other:
// behind port 2 of the one is a host, of the other a switch.
func hidden() *plan {
	p := newPlan()
	p.node("h1", 0x100, 1)
	p.node("h2", 0x200, 1)
	p.node("S0", 0x1000, 8)
	p.node("S1", 0x2000, 8)
	p.node("STwin", 0x2000, 8)
	p.link("h1", "S0/1")
	p.link("S0/2", "S1/1")
	p.link("S1/2", "h2")
	p.link("S0/3", "STwin/2")
	return p
}

// BothEnds finds twins that hide from a sweep that asks each link once, in any order.
func TestBothEnds(t *testing.T) {
	for rotation := range 8 {
		for _, window := range []int{1, 64} {
			synctest.Test(t, func(t *testing.T) {
				o := &discover.Options{BothEnds: true, MaxOutstanding: window}
				o.Rotate(rotation)
				f, err := hidden().sweep(t, &sim.Options{Latency: time.Microsecond}, o)
				if err != nil {
					t.Fatal(err)
				}
				wantCounts(t, f, 5, 4)
			})
		}
	}
}

func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		o := &sim.Options{Latency: 100 * time.Millisecond}
		f, err := sweepContext(ctx, t, tree(8, 6), "h1", o, &discover.Options{MaxOutstanding: 2})
		wantError(t, err, context.DeadlineExceeded)
		if took := time.Since(began); took > 2100*time.Millisecond {
			t.Errorf("took %v, the deadline was 2 s", took)
		}
		if f.NumNodes() == 0 || kinds(f)[fabric.NotFinished] == 0 {
			t.Errorf("%d nodes, problems %v: want what was known, and what was not finished", f.NumNodes(), f.Problems())
		}
	})
}

func TestStartDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &sim.Options{Faults: []sim.Fault{{Kind: sim.DeadSMA, Node: 0x1000}}}
		f, err := tree(2, 2).sweep(t, o, nil)
		wantError(t, err, os.ErrDeadlineExceeded)
		if f == nil || f.NumNodes() != 0 {
			t.Errorf("fabric %v, want an empty one", f)
		}
	})
}
