package route_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
)

// dateline are lanes that part the ways around a ring: packets have service level 1
// if they come over the link behind the first switch, else 0, and each level has its
// lane.
func dateline(t *testing.T, f *fabric.Fabric, table route.Table, x *route.Examination) *route.LaneTables {
	t.Helper()
	var first *fabric.Node
	for first = range f.Switches() {
		break
	}
	lanes := &route.LaneTables{}
	needs := x.LaneNeeds()
	for _, c := range needs.Crossings {
		lanes.SetTable(c, [16]uint8{0, 1, 2, 3})
	}
	for _, from := range needs.Sources {
		var paths []route.PathLevel
		for p := range f.Ports() {
			if p.Node().Type() != ib.NodeCA || p == from {
				continue
			}
			sl := uint8(0)
			for _, step := range route.Follow(table, from, p.LID()).Steps[2:] {
				if step.Node == first {
					sl = 1
				}
			}
			paths = append(paths, route.PathLevel{To: p.LID(), SL: sl})
		}
		lanes.SetPaths(from.LID(), paths)
	}
	return lanes
}

// TestOnLanes: lanes part the circle of a ring. What is not known makes a loop
// possible, and a wrong table makes it real.
func TestOnLanes(t *testing.T) {
	f := make1(t, "ring?switches=4")
	table := clockwise(f)
	x := route.Examine(f, table, nil)
	if len(x.Loops) != 1 {
		t.Fatalf("%d loops on one lane", len(x.Loops))
	}
	lanes := dateline(t, f, table, x)
	if l := x.OnLanes(lanes); len(l.Loops)+len(l.Possible)+len(l.Drops) != 0 {
		t.Fatalf("parted by lanes: %+v", l)
	}
	needs := x.LaneNeeds()
	if len(needs.Sources) == 0 || len(needs.Crossings) == 0 {
		t.Fatal("nothing to ask")
	}

	if l := x.OnLanes(noLevels{lanes}); len(l.Loops) != 0 || len(l.Possible) == 0 {
		t.Errorf("levels are not known: %+v", l)
	}
	if l := x.OnLanes(&route.LaneTables{}); len(l.Loops) != 0 || len(l.Possible) == 0 {
		t.Errorf("nothing is known: %d loops, %d possible", len(l.Loops), len(l.Possible))
	}
	for _, c := range needs.Crossings {
		lanes.SetTable(c, [16]uint8{2, 2})
	}
	l := x.OnLanes(lanes)
	if len(l.Loops) != 1 || len(l.Possible) != 0 || len(l.Loops[0]) != 4 {
		t.Fatalf("all on lane 2: %+v", l)
	}
	for i, w := range l.Loops[0] {
		if next := l.Loops[0][(i+1)%4]; w.Lane != 2 || w.Port.Remote().Node() != next.Port.Node() {
			t.Errorf("%+v is before %+v", w, next)
		}
	}
}

// noLevels are Lanes that know tables only.
type noLevels struct{ route.Lanes }

func (noLevels) Levels(*fabric.Port, ib.LID) (sure, all uint16) { return 0, route.AnyLevel }

// TestDrops: lane 15 drops packets, as does one that the link does not have; they wait
// for nothing.
func TestDrops(t *testing.T) {
	f := make1(t, "ring?switches=4")
	x := route.Examine(f, clockwise(f), nil)
	for _, lane := range []uint8{15, 14} {
		l := x.OnLanes(onLevel0(func(route.Crossing, uint8) uint8 { return lane }))
		if len(l.Drops) == 0 || len(l.Loops) != 0 || l.Drops[0].Lane != lane || l.Drops[0].LID == 0 {
			t.Errorf("lane %d: %+v", lane, l)
		}
	}
}

// TestOneOperationalLane: links with one lane need no table.
func TestOneOperationalLane(t *testing.T) {
	f := make1(t, "ring?switches=4")
	b := fabric.NewBuilder()
	for sw := range f.Switches() {
		for p := range sw.Ports() {
			if info, ok := p.Info(); ok {
				info.OperationalVLs = 1
				var data [64]byte
				info.Encode(&data)
				b.SetPortInfo(p, &data)
			}
		}
	}
	x := route.Examine(f, clockwise(f), nil)
	needs := x.LaneNeeds()
	if len(needs.Crossings) != 0 || len(needs.Sources) == 0 {
		t.Errorf("%d tables of %d sources", len(needs.Crossings), len(needs.Sources))
	}
	if l := x.OnLanes(onLevel0(func(route.Crossing, uint8) uint8 { return 9 })); len(l.Loops) != 1 || len(l.Drops) != 0 {
		t.Errorf("%+v", l)
	}
}

// TestLaneTables: several levels of a pair, none, and a source that is not known.
func TestLaneTables(t *testing.T) {
	f := make1(t, "star?hosts=3")
	var port *fabric.Port
	for p := range f.Ports() {
		if p.Node().Type() == ib.NodeCA {
			port = p
		}
	}
	lanes := &route.LaneTables{}
	if sure, all := lanes.Levels(port, 1); sure != 0 || all != route.AnyLevel {
		t.Errorf("before: %#x, %#x", sure, all)
	}
	lanes.SetPaths(port.LID(), []route.PathLevel{{1, 15}, {2, 3}, {2, 0}, {2, 3}, {2, 15}, {1, 15}})
	for to, want := range map[ib.LID]uint16{1: 1 << 15, 2: 1<<15 | 1<<3 | 1, 0: 0, 3: 0, 9999: 0} {
		if sure, all := lanes.Levels(port, to); sure != want || all != want {
			t.Errorf("to LID %d: %#x, %#x", to, sure, all)
		}
	}
	lanes.SetAlike(1<<14 | 1<<13)
	lanes.SetAlike(1<<7 | 1<<6)
	lanes.SetAlike(1<<15 | 1<<14)
	if sure, all := lanes.Levels(port, 1); sure != 1<<15 || all != 7<<13 {
		t.Errorf("some are alike: %#x, %#x", sure, all)
	}
	if lanes.Pairs() != 2 || lanes.Sources() != 1 || lanes.LevelsInUse() != 1<<15|1<<3|1 {
		t.Errorf("%d pairs, %d sources, levels %#x", lanes.Pairs(), lanes.Sources(), lanes.LevelsInUse())
	}
}

func BenchmarkLaneNeeds(b *testing.B) {
	f := make1(b, "torus?dims=10x10x10&hosts=4")
	table := tables(b, f, route.MinHop)
	lfts := route.LFTs{}
	for sw := range f.Switches() {
		lfts[sw] = table.LFT(sw)
	}
	x := route.Examine(f, lfts, nil)
	b.ReportMetric(float64(f.NumNodes()), "nodes")
	b.ReportAllocs()
	for b.Loop() {
		n := x.LaneNeeds()
		b.ReportMetric(float64(len(n.Crossings)), "tables")
	}
}
