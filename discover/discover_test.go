package discover_test

import (
	"testing"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

func TestFindsEverything(t *testing.T) {
	f, err := tree(4, 3).sweep(t, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if nodes, links := counts(f); nodes != 12+4+2 || links != 12+8 {
		t.Errorf("found %d nodes, %d links; want 18, 20\n%s", nodes, links, picture(f))
	}
	if len(f.Problems()) > 0 {
		t.Errorf("problems on a sound fabric: %v", f.Problems())
	}
	if f.Start() == nil || f.Start().Node().Description() != "h1" {
		t.Errorf("start is %v, want h1", f.Start())
	}
}

// minimum is the least number of SMPs with which a fabric of single-port hosts
// can be known: NodeInfo of the start and over each link, NodeDescription of
// each node, SwitchInfo of each switch, PortInfo of each port.
func minimum(hosts, switches, switchLinks, switchPorts int) int {
	return 3*hosts + switchLinks + 2*switches + switchPorts + switches + 1
}

func TestSendsTheMinimumOnTrees(t *testing.T) {
	for _, window := range []int{1, 2, 8, 64, 512} {
		f, err := tree(8, 6).sweep(t, nil, &discover.Options{MaxOutstanding: window})
		if err != nil {
			t.Fatal(err)
		}
		least, most := minimum(48, 10, 16, 10*16), 0
		if most = least; window > 1 {
			most += least / 20 // a link may be probed from both ends at the same time
		}
		if n := f.Sweep().SMPs; n < least || n > most {
			t.Errorf("window %d: %d SMPs, want %d to %d", window, n, least, most)
		}
	}
}

func TestResultDoesNotDependOnTheWindow(t *testing.T) {
	var first string
	for _, window := range []int{1, 2, 7, 64} {
		f, err := tree(5, 4).sweep(t, nil, &discover.Options{MaxOutstanding: window})
		if err != nil {
			t.Fatal(err)
		}
		if p := picture(f); first == "" {
			first = p
		} else if p != first {
			t.Errorf("window %d gives another picture:\n%s\nthan window 1:\n%s", window, p, first)
		}
	}
}

func TestMaxHops(t *testing.T) {
	// h1 – leaf 1 – (h2, spines) – other leaves – their hosts
	for _, c := range []struct{ hops, nodes int }{{1, 2}, {2, 2 + 1 + 2}, {3, 5 + 3}, {4, 8 + 6}, {0, 14}, {9, 14}} {
		f, err := tree(4, 2).sweep(t, nil, &discover.Options{MaxHops: c.hops})
		if err != nil {
			t.Fatal(err)
		}
		if f.NumNodes() != c.nodes {
			t.Errorf("%d hops: %d nodes, want %d\n%s", c.hops, f.NumNodes(), c.nodes, picture(f))
		}
	}
}

func TestFromElsewhere(t *testing.T) {
	spine, _ := ib.ParseDRPath("0,1,3")
	host, _ := ib.ParseDRPath("0,1,2")
	for _, c := range []struct {
		name  string
		o     discover.Options
		start string
		nodes int
	}{
		{"switch by directed route", discover.Options{From: mad.ByPath(spine), MaxHops: 1}, "Spine1", 5},
		{"host by directed route", discover.Options{From: mad.ByPath(host), MaxHops: 1}, "h2", 2},
		{"host by directed route, whole fabric", discover.Options{From: mad.ByPath(host)}, "h2", 14},
		{"switch by LID", discover.Options{From: mad.ByLID(9), MaxHops: 1}, "Spine1", 5},
		{"switch by GUID", discover.Options{FromGUID: 0x20000, MaxHops: 1}, "SLeaf1", 5},
		{"host by port GUID", discover.Options{FromGUID: 0x1011, MaxHops: 1}, "h2", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := tree(4, 2).sweep(t, nil, &c.o)
			if err != nil {
				t.Fatal(err)
			}
			if f.Start().Node().Description() != c.start || f.NumNodes() != c.nodes {
				t.Errorf("start %s, %d nodes; want %s, %d\n%s",
					f.Start().Node().Description(), f.NumNodes(), c.start, c.nodes, picture(f))
			}
		})
	}
}

func TestUnknownGUID(t *testing.T) {
	f, err := tree(2, 2).sweep(t, nil, &discover.Options{FromGUID: 0x999})
	wantError(t, err, discover.ErrNotFound)
	if f == nil || f.NumNodes() != 0 {
		t.Errorf("fabric %v, want an empty one", f)
	}
}

func TestOddCabling(t *testing.T) {
	p := newPlan()
	p.node("h1", 0x100, 2)
	p.node("h2", 0x200, 2)
	p.node("S1", 0x1000, 10)
	p.node("S2", 0x2000, 10)
	p.link("h1/1", "S1/1")
	p.link("h2/1", "S1/2") // both ports of one CA
	p.link("h2/2", "S2/2")
	p.link("S1/3", "S2/3") // parallel links
	p.link("S1/4", "S2/4")
	p.link("S1/5", "S1/6") // a cable from a switch to itself
	p.link("S2/7", "S2/7") // a loopback plug
	f, err := p.sweep(t, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if nodes, links := counts(f); nodes != 4 || links != 7 {
		t.Errorf("%d nodes, %d links; want 4, 7\n%s", nodes, links, picture(f))
	}
	n, _ := f.NodeByGUID(0x200)
	for port, guid := range map[int]ib.GUID{1: 0x201, 2: 0x202} {
		if q := n.Port(port); q == nil || q.GUID() != guid {
			t.Errorf("port %d of h2 is %v, want GUID %s", port, q, guid)
		}
	}
	if len(f.Problems()) > 0 {
		t.Errorf("problems: %v", f.Problems())
	}
}
