package route_test

import (
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/route"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// changed is a Table in which some entries are others.
type changed struct {
	route.Table
	entries map[entry]uint8
}

type entry struct {
	sw  *fabric.Node
	lid ib.LID
}

func (c changed) Next(sw *fabric.Node, lid ib.LID) uint8 {
	if port, ok := c.entries[entry{sw, lid}]; ok {
		return port
	}
	return c.Table.Next(sw, lid)
}

func tables(t testing.TB, f *fabric.Fabric, e route.Engine) *route.Tables {
	t.Helper()
	tables, err := route.New(f, e, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// TestExamineClean: tables that are as they should be have no trouble, and by
// up/down and fat tree routing no credit loop.
func TestExamineClean(t *testing.T) {
	for text := range shapes {
		f := make1(t, text)
		for _, e := range []route.Engine{route.MinHop, route.UpDown} {
			x := route.Examine(f, tables(t, f, e), nil)
			if len(x.Troubles) > 0 || len(x.Unread) > 0 || len(x.NoLID) > 0 {
				t.Errorf("%s %s: %+v", text, e, x.Troubles)
			}
			if e != route.MinHop && len(x.Loops) > 0 {
				t.Errorf("%s %s: %d credit loops", text, e, len(x.Loops))
			}
			if x.Ways != x.Sources*x.LIDs {
				t.Errorf("%s: %d ways from %d to %d", text, x.Ways, x.Sources, x.LIDs)
			}
		}
	}
	for _, text := range []string{"xdrplanes?planes=2&hosts=8", "gpupod?units=1&hosts=4&rails=4&radix=16"} {
		f := make1(t, text)
		if x := route.Examine(f, tables(t, f, route.MinHop), nil); len(x.Troubles) > 0 && x.Troubles[0].End != route.NoRoute {
			t.Errorf("%s: %+v", text, x.Troubles[0])
		}
	}
}

// ends finds two leaves, a spine, and an adapter's LID at the second leaf.
func ends(t *testing.T, f *fabric.Fabric) (leaf, other, spine *fabric.Node, lid ib.LID) {
	t.Helper()
	for p := range f.Ports() {
		if p.Node().Type() == ib.NodeCA && p.Remote() != nil {
			if leaf == nil {
				leaf = p.Remote().Node()
			}
			other, lid = p.Remote().Node(), p.LID()
		}
	}
	for p := range leaf.Ports() {
		if q := p.Remote(); q != nil && q.Node().Type() == ib.NodeSwitch {
			spine = q.Node()
		}
	}
	if leaf == other || spine == nil {
		t.Fatal("the fabric is too small")
	}
	return leaf, other, spine, lid
}

// TestExamineInjected: each injected fault is one trouble, with a way that shows it.
func TestExamineInjected(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8&hosts=16&uplinks=4")
	base := tables(t, f, route.FatTree)
	leaf, other, spine, lid := ends(t, f)
	up, _ := f.PortByLID(lid)
	toSpine := func(from *fabric.Node) uint8 {
		for p := range from.Ports() {
			if q := p.Remote(); q != nil && q.Node() == spine {
				return uint8(p.Num())
			}
		}
		return 0
	}
	toLeaf := func(to *fabric.Node) uint8 {
		for p := range spine.Ports() {
			if q := p.Remote(); q != nil && q.Node() == to {
				return uint8(p.Num())
			}
		}
		return 0
	}
	for title, tt := range map[string]struct {
		entries map[entry]uint8
		end     route.End
		at      *fabric.Node
	}{
		"no entry":    {map[entry]uint8{{leaf, lid}: route.NoPort}, route.NoRoute, leaf},
		"black hole":  {map[entry]uint8{{leaf, lid}: toSpine(leaf), {spine, lid}: 200}, route.DeadEnd, spine},
		"wrong host":  {map[entry]uint8{{other, lid}: uint8(up.Remote().Num()%4 + 1)}, route.WrongEnd, other},
		"to itself":   {map[entry]uint8{{leaf, lid}: 0}, route.WrongEnd, leaf},
		"back and on": {map[entry]uint8{{leaf, lid}: toSpine(leaf), {spine, lid}: toLeaf(leaf)}, route.Circle, nil},
	} {
		x := route.Examine(f, changed{base, tt.entries}, nil)
		if len(x.Troubles) != 1 {
			t.Errorf("%s: %d troubles", title, len(x.Troubles))
			continue
		}
		got := x.Troubles[0]
		if got.End != tt.end || tt.at != nil && got.At != tt.at || len(got.LIDs) != 1 || got.LIDs[0] != lid || got.Way.End != tt.end {
			t.Errorf("%s: %s at %s, way %s", title, got.End, got.At.Description(), got.Way.End)
		}
		if tt.end == route.Circle && got.Way.Steps[got.Way.Back].Node != got.Way.Steps[len(got.Way.Steps)-1].Node {
			t.Errorf("%s: the circle does not close: %+v", title, got.Way.Steps)
		}
	}
}

// TestCreditLoops: the shortest ways of a ring wait for each other all around, both
// ways; not if packets change the lane at one of the switches.
func TestCreditLoops(t *testing.T) {
	f := make1(t, "ring?switches=6")
	table := tables(t, f, route.MinHop)
	x := route.Examine(f, table, nil)
	if len(x.Loops) != 2 || len(x.Loops[0]) != 6 {
		t.Fatalf("%d loops", len(x.Loops))
	}
	for i, w := range x.Loops[0] { // each goes on where the one before arrives
		next := x.Loops[0][(i+1)%6].Port
		if w.Port.Remote().Node() != next.Node() || w.LID == 0 {
			t.Errorf("%d: LID %d, %v", i, w.LID, w.Port)
		}
	}
	// In a ring of four no packet crosses more than two links. Packets that change
	// the lane behind the first one never wait in a circle.
	four := make1(t, "ring?switches=4")
	around := clockwise(four)
	lane := func(c route.Crossing, _ uint8) uint8 {
		if from := c.Switch.Port(int(c.In)).Remote(); from != nil && from.Node().Type() == ib.NodeSwitch {
			return 1
		}
		return 0
	}
	if x := route.Examine(four, around, nil); len(x.Loops) != 1 || len(x.Troubles) != 0 {
		t.Errorf("a ring of four has %d credit loops, %+v", len(x.Loops), x.Troubles)
	}
	if x := route.Examine(four, around, &route.ExamineOptions{Lanes: onLevel0(lane)}); len(x.Loops) != 0 {
		t.Errorf("with two lanes: %d loops", len(x.Loops))
	}
	one := func(route.Crossing, uint8) uint8 { return 3 }
	x = route.Examine(f, table, &route.ExamineOptions{Lanes: onLevel0(one)})
	if len(x.Loops) != 2 || x.Loops[0][0].Lane != 3 {
		t.Errorf("all on lane 3: %d loops", len(x.Loops))
	}
}

// onLevel0 are the lanes of packets which all have service level 0.
type onLevel0 func(c route.Crossing, sl uint8) uint8

func (onLevel0) Levels(*fabric.Port, ib.LID) (sure, all uint16) { return 1, 1 }

func (l onLevel0) Lane(c route.Crossing, sl uint8) (uint8, bool) { return l(c, sl), true }

// ring is a Table that sends around a ring in one direction, but to the switch
// before by the short way.
type ring struct {
	f     *fabric.Fabric
	ahead map[*fabric.Node]*fabric.Port
	back  map[*fabric.Node]*fabric.Port
}

func clockwise(f *fabric.Fabric) ring {
	r := ring{f, map[*fabric.Node]*fabric.Port{}, map[*fabric.Node]*fabric.Port{}}
	var at *fabric.Node
	for at = range f.Switches() {
		break
	}
	var in *fabric.Port
	for r.ahead[at] == nil {
		for p := range at.Ports() {
			if q := p.Remote(); q != nil && q.Node().Type() == ib.NodeSwitch && p != in {
				r.ahead[at], r.back[q.Node()] = p, q
				at, in = q.Node(), q
				break
			}
		}
	}
	return r
}

func (r ring) Next(sw *fabric.Node, lid ib.LID) uint8 {
	owner, ok := r.f.PortByLID(lid)
	if !ok {
		return route.NoPort
	}
	to := owner.Node()
	if to == sw {
		return 0
	}
	if to.Type() != ib.NodeSwitch {
		if owner.Remote().Node() == sw {
			return uint8(owner.Remote().Num())
		}
		to = owner.Remote().Node()
	}
	if r.back[sw].Remote().Node() == to {
		return uint8(r.back[sw].Num())
	}
	return uint8(r.ahead[sw].Num())
}

// TestTorus: shortest ways in a torus arrive and can wait in circles.
func TestTorus(t *testing.T) {
	f := make1(t, "torus?dims=4x4&hosts=1")
	x := route.Examine(f, tables(t, f, route.UpDown), nil)
	if len(x.Loops) > 0 {
		t.Fatal("up/down has a credit loop")
	}
	if x = route.Examine(f, tables(t, f, route.MinHop), nil); len(x.Loops) == 0 || len(x.Troubles) > 0 {
		t.Errorf("%d loops, %d troubles", len(x.Loops), len(x.Troubles))
	}
}

// TestLoads: all up links of a fat tree carry the same when all send to all.
func TestLoads(t *testing.T) {
	f := make1(t, "fattree?levels=3&radix=8")
	x := route.Examine(f, tables(t, f, route.FatTree), nil)
	tiers := x.Tiers(f)
	if len(tiers) != 4 {
		t.Fatalf("%+v", tiers)
	}
	for _, tier := range tiers {
		if tier.Idle > 0 || tier.Least != tier.Most || tier.Deviation > 1e-6 {
			t.Errorf("%+v", tier)
		}
	}
	// Each up link of a leaf: 4 hosts to 1/4 of the 124 LIDs elsewhere.
	if tiers[0].Most != 4*31 {
		t.Errorf("an up link of a leaf carries %d flows", tiers[0].Most)
	}
}

func TestFollow(t *testing.T) {
	f := make1(t, "fattree?levels=2&radix=8&hosts=16")
	table := tables(t, f, route.FatTree)
	leaf, other, _, lid := ends(t, f)
	var from *fabric.Port
	for p := range leaf.Ports() {
		if q := p.Remote(); from == nil && q != nil && q.Node().Type() == ib.NodeCA {
			from = q
		}
	}
	way := route.Follow(table, from, lid)
	if way.End != route.Arrives || len(way.Steps) != 5 || way.Steps[3].Node != other || way.Steps[4].In.LID() != lid {
		t.Errorf("%+v", way)
	}
	if way := route.Follow(table, from, from.LID()); way.End != route.Arrives || len(way.Steps) != 1 {
		t.Errorf("to itself: %+v", way)
	}
	if way := route.Follow(table, leaf.Port(0), other.Port(0).LID()); way.End != route.Arrives || way.Last != other.Port(0) {
		t.Errorf("from switch to switch: %+v", way)
	}
	if way := route.Follow(table, from, 0x4000); way.End != route.NoRoute {
		t.Errorf("to a LID that nobody has: %+v", way)
	}
	if way := route.Follow(route.LFTs{}, from, lid); way.End != route.Unread {
		t.Errorf("without tables: %+v", way)
	}
}

func BenchmarkExamine(b *testing.B) {
	f := make1(b, "fattree?levels=3&radix=28&hosts=5000")
	table := tables(b, f, route.FatTree)
	lfts := route.LFTs{}
	for sw := range f.Switches() {
		lfts[sw] = table.LFT(sw)
	}
	b.ReportMetric(float64(f.NumNodes()), "nodes")
	for b.Loop() {
		route.Examine(f, lfts, nil)
	}
}

// TestTablesOf: what is missing of a table is not told from LIDs without a route,
// so that the table counts as unread.
func TestTablesOf(t *testing.T) {
	f := make1(t, "star?hosts=3")
	var sw *fabric.Node
	for sw = range f.Switches() {
		fabric.NewBuilder().SetLFT(sw, []uint8{route.NoPort, 0, 1, 2})
	}
	other := fabric.Problem{GUID: sw.GUID(), Attr: smp.AttrMulticastForwardingTable}
	if tables, unread := route.TablesOf(f, other); len(tables) != 1 || len(unread) != 0 {
		t.Errorf("%d tables, %d unread", len(tables), len(unread))
	}
	missing := fabric.Problem{GUID: sw.GUID(), Attr: smp.AttrLinearForwardingTable}
	if tables, unread := route.TablesOf(f, other, missing); len(tables) != 0 || len(unread) != 1 || unread[0] != sw {
		t.Errorf("a block is missing: %d tables, %d unread", len(tables), len(unread))
	}
}
