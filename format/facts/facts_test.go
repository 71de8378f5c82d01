package facts_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

func fact(set map[string]uint64, find func(string) (f func(*facts.Fact, uint64))) *facts.Fact {
	var f facts.Fact
	for name, v := range set {
		find(name)(&f, v)
	}
	return &f
}

func node(set map[string]uint64) *facts.Fact {
	return fact(set, func(name string) func(*facts.Fact, uint64) {
		return func(f *facts.Fact, v uint64) { f.Set(facts.NodeField(name), v) }
	})
}

func port(set map[string]uint64) *facts.Fact {
	return fact(set, func(name string) func(*facts.Fact, uint64) {
		return func(f *facts.Fact, v uint64) { f.Set(facts.PortField(name), v) }
	})
}

func problemsOf(f *fabric.Fabric) []string {
	var list []string
	for _, p := range f.Problems() {
		list = append(list, string(p.Kind)+" "+p.Error())
	}
	return list
}

// TestDisagreement: the first file is believed, each contradiction names both
// lines, and what only one of them tells is there.
func TestDisagreement(t *testing.T) {
	set := facts.NewSet()
	a, b := set.File("a"), set.File("b")
	a.Node(1, 0xa0, node(map[string]uint64{"NodeType": 2, "NumPorts": 4}))
	a.Port(2, 0xa0, 0, port(map[string]uint64{"LID": 7}))
	a.Port(3, 0xa0, 1, port(map[string]uint64{"State": 4}))
	b.Port(9, 0xa0, 1, port(map[string]uint64{"State": 4, "NeighborMTU": 5}))
	b.Port(10, 0xa0, 1, port(map[string]uint64{"NeighborMTU": 4, "State": 2}))
	b.Port(11, 0xa0, 0, port(map[string]uint64{"LID": 8}))
	b.Node(12, 0xa0, node(map[string]uint64{"NumPorts": 5, "DeviceID": 0x1234}))
	a.Describe(1, 0xa0, "leaf ")
	b.Describe(12, 0xa0, "leaf")
	b.Describe(13, 0xa0, "other")
	a.Link(4, facts.End{0xa0, 1}, facts.End{0xc0, 1})
	b.Link(14, facts.End{0xc0, 1}, facts.End{0xa0, 1})
	b.Link(15, facts.End{0xa0, 1}, facts.End{0xc1, 1})
	a.PortGUID(4, 0xc0, 1, 0xc2)
	b.PortGUID(14, 0xc0, 1, 0xc3)
	a.Table(5, 0xa0, []uint8{255, 1, 2})
	b.Table(16, 0xa0, []uint8{255, 1, 3, 4})
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	n, _ := f.NodeByGUID(0xa0)
	info, _ := n.Port(1).Info()
	if n.Port(1).LID() != 7 || info.State != ib.PortActive || info.NeighborMTU != ib.MTU4096 || n.Info().DeviceID != 0x1234 || n.NumPorts() != 4 ||
		n.Description() != "leaf " || n.Port(1).Remote().GUID() != 0xc2 || n.LFT()[2] != 2 {
		t.Errorf("%+v %+v", n.Info(), info)
	}
	want := []string{
		"files-disagree b:10: node 0x00000000000000a0 port 1 LinkState is Initialize here, but Active at a:3, which counts",
		"files-disagree b:10: node 0x00000000000000a0 port 1 NeighborMTU is 2048 here, but 4096 at b:9, which counts",
		"files-disagree b:11: node 0x00000000000000a0 port 0 Lid is 8 here, but 7 at a:2, which counts",
		"files-disagree b:12: node 0x00000000000000a0 NumPorts is 5 here, but 4 at a:1, which counts",
		`files-disagree b:13: node 0x00000000000000a0 the description is "other" here, but "leaf " at a:1, which counts`,
		"link-conflict b:15: node 0x00000000000000a0 port 1 is connected to node 0x00000000000000c1 port 1 here, but to node 0x00000000000000c0 port 1 at a:4, which counts",
		"files-disagree b:14: node 0x00000000000000c0 port 1 the port GUID is 0x00000000000000c3 here, but 0x00000000000000c2 at a:4, which counts",
		"files-disagree b:16: node 0x00000000000000a0 the forwarding table differs in 2 LIDs from that at a:5, which counts: LID 2 goes to port 3 here, to 2 there",
	}
	if diff := cmp.Diff(want, problemsOf(f)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, p := range f.Problems() {
		if p.Kind == fabric.FilesDisagree && p.Kind.IsLoss() {
			t.Error("a disagreement is no loss")
		}
	}
}

// TestGuesses: what is supposed holds only where nobody tells, and no guess
// contradicts anything.
func TestGuesses(t *testing.T) {
	set := facts.NewSet()
	a := set.File("a")
	a.GuessPort(1, 0xc0, 1, port(map[string]uint64{"LID": 3, "MTUCap": 5}))
	a.Port(2, 0xc0, 1, port(map[string]uint64{"LID": 4}))
	a.GuessPort(3, 0xc0, 1, port(map[string]uint64{"LID": 5, "MTUCap": 4}))
	var rate facts.Fact
	rate.Link(ib.Width4x, ib.SpeedXDR)
	rate.States(ib.PortActive, ib.PhysLinkUp)
	a.Port(4, 0xa0, 9, &rate)
	a.Link(4, facts.End{0xc0, 1}, facts.End{0xa0, 9})
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	host, _ := f.NodeByGUID(0xc0)
	leaf, _ := f.NodeByGUID(0xa0)
	info, _ := host.Port(1).Info()
	if info.LID != 4 || info.MTUCap != ib.MTU4096 || info.State != ib.PortActive || host.Port(1).Active().String() != "4xXDR" {
		t.Errorf("%+v", info)
	}
	if leaf.Type() != ib.NodeSwitch || host.Type() != ib.NodeCA || leaf.NumPorts() != 9 || leaf.Port(9).Active().String() != "4xXDR" {
		t.Errorf("%s %s %s", leaf.Type(), host.Type(), leaf.Port(9).Active())
	}
	if p := problemsOf(f); len(p) > 0 {
		t.Error(p)
	}
}

// TestFabric: a fabric that is told twice is that fabric.
func TestFabric(t *testing.T) {
	want, err := gen.Parse("fattree?levels=2&radix=6")
	if err != nil {
		t.Fatal(err)
	}
	set := facts.NewSet()
	none := func(ib.GUID, int) int { return 0 }
	set.File("a").Fabric(want, &facts.Origin{Line: none})
	set.File("b").Fabric(want, &facts.Origin{Line: none, Inferred: true})
	got, err := set.Build()
	if err != nil || len(got.Problems()) > 0 {
		t.Fatal(err, got.Problems())
	}
	for p := range want.Ports() {
		n, ok := got.NodeByGUID(p.Node().GUID())
		if !ok || n.Port(p.Num()) == nil {
			t.Fatalf("%s port %d is not there", p.Node().GUID(), p.Num())
		}
		q := n.Port(p.Num())
		a, okA := p.Info()
		b, okB := q.Info()
		a.LocalPort, b.LocalPort = 0, 0
		if okA != okB || a != b || p.GUID() != q.GUID() {
			t.Errorf("%s port %d: %s", n.GUID(), p.Num(), cmp.Diff(a, b))
		}
		if (p.Remote() == nil) != (q.Remote() == nil) || p.Remote() != nil && p.Remote().GUID() != q.Remote().GUID() {
			t.Errorf("%s port %d leads elsewhere", n.GUID(), p.Num())
		}
	}
}

func TestErrors(t *testing.T) {
	if _, err := facts.NewSet().Build(); !errors.Is(err, facts.ErrNothing) {
		t.Error(err)
	}
	f := facts.NewSet().File("a")
	err := f.Each(iotest.ErrReader(io.ErrClosedPipe), func(int, []byte) {})
	var e *facts.Error
	if !errors.As(err, &e) || e.File != "a" || !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
	if err := f.Each(strings.NewReader(strings.Repeat("x", 5000)+"\ny"), func(int, []byte) {}); err != nil || len(f.Problems()) != 1 {
		t.Error(err, f.Problems())
	}
	f.Port(3, 0xa0, 255, &facts.Fact{})
	if p := f.Problems(); len(p) != 2 || p[1].File != "a:3" {
		t.Error(p)
	}
	big := facts.NewSet()
	b := big.File("b")
	for i := range 40_000 {
		b.Node(1, ib.GUID(i+1), node(map[string]uint64{"NumPorts": 254}))
	}
	if _, err := big.Build(); !errors.Is(err, facts.ErrTooLarge) {
		t.Errorf("10 million ports: %v", err)
	}
}

// TestFields: the names that the readers use exist.
func TestFields(t *testing.T) {
	for _, f := range []struct {
		name  string
		width uint16
	}{
		{"NodeType", facts.NodeField("NodeType").Width}, {"LID", facts.PortField("LID").Width}, {"LinearFDBTop", facts.SwitchField("LinearFDBTop").Width},
	} {
		if f.width == 0 {
			t.Errorf("no field %s", f.name)
		}
	}
	if facts.NodeField("nothing").Width != 0 {
		t.Error("a field that is not there")
	}
}
