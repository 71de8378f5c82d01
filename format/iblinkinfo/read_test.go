package iblinkinfo_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/iblinkinfo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

const text = `CA: host "1" HCA-1:
      0x00000000000000c2    181    2[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>       2   12[ 3] "leaf " (x)" ( Could be XDR)
Switch: 0x00000000000000a1 leaf " (x):
           2    1[  ] ==(              Down/ Polling)==>             [  ] "" ( )
           2   12[ 3] ==( 4X        106.25 Gbps Active/  LinkUp) (HOQ:18 VL_Stall:7)==>     181    2[  ] "host "1" HCA-1" ( )
           2   13[  ] ==( 4X 10.0 Gbps (FDR10)   Init/  LinkUp)==>    "Port not available"
`

func TestRead(t *testing.T) {
	f, err := iblinkinfo.Read(strings.NewReader(text), "l")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.Problems() {
		t.Error(p)
	}
	leaf, _ := f.NodeByGUID(0xa1)
	host, _ := f.NodeByGUID(0xc2)
	if leaf == nil || host == nil || f.NumNodes() != 2 || leaf.Type() != ib.NodeSwitch || host.Type() != ib.NodeCA {
		t.Fatal("nodes")
	}
	if leaf.Description() != `leaf " (x)` || host.Description() != `host "1" HCA-1` {
		t.Errorf("%q, %q", leaf.Description(), host.Description())
	}
	p := leaf.Port(12)
	if p.Remote() != host.Port(2) || p.LID() != 2 || p.Remote().LID() != 181 || p.Active().String() != "4xNDR" || p.State() != ib.PortActive {
		t.Errorf("%v %d %s", p.Remote(), p.LID(), p.Active())
	}
	if q := leaf.Port(1); q.State() != ib.PortDown || q.PhysState() != ib.PhysPolling || q.Remote() != nil {
		t.Errorf("port 1 is %s", q.State())
	}
	if q := leaf.Port(13); q.State() != ib.PortInitialize || q.Active().String() != "4xFDR10" {
		t.Errorf("port 13 is %s %s", q.State(), q.Active())
	}
}

// TestRoundTrip reads what Write has written. With line, ports of adapters are
// nodes of their own, which those of the generator are anyway.
func TestRoundTrip(t *testing.T) {
	want, err := gen.Parse("fattree?levels=2&radix=6")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []bool{false, true} {
		var b bytes.Buffer
		if err := iblinkinfo.Write(&b, want, &iblinkinfo.Options{Line: line}); err != nil {
			t.Fatal(err)
		}
		got, err := iblinkinfo.Read(&b, "l")
		if err != nil || len(got.Problems()) > 0 {
			t.Fatal(err, got.Problems())
		}
		if diff := cmp.Diff(linksOf(want), linksOf(got)); diff != "" {
			t.Errorf("line %v: -want +got\n%s", line, diff)
		}
	}
}

func linksOf(f *fabric.Fabric) []string {
	var list []string
	for p := range f.Ports() {
		r := p.Remote()
		if p.Num() == 0 || r == nil {
			continue
		}
		list = append(list, fmt.Sprintf("%s %d %s %q %d %s %s %s %d", p.GUID(), p.Num(), p.Node().Type(), p.Node().Description(), p.LID(), p.Active(), p.State(), r.GUID(), r.Num()))
	}
	slices.Sort(list)
	return list
}

// TestKnownNodes: port GUIDs belong to the nodes that another file knows.
func TestKnownNodes(t *testing.T) {
	set := facts.NewSet()
	if err := iblinkinfo.ReadInto(strings.NewReader(text), set.File("l")); err != nil {
		t.Fatal(err)
	}
	other := set.File("other")
	var fact facts.Fact
	fact.Set(facts.NodeField("NodeType"), uint64(ib.NodeCA))
	other.Node(1, 0xc0, &fact)
	other.PortGUID(1, 0xc0, 2, 0xc2)
	other.Describe(1, 0xc0, "other name")
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	host, _ := f.NodeByGUID(0xc0)
	if f.NumNodes() != 2 || host == nil || host.Port(2).LID() != 181 {
		t.Errorf("%d nodes", f.NumNodes())
	}
	want := `l:2: node 0x00000000000000c0 the description is "host \"1\" HCA-1" here, but "other name" at other:1, which counts`
	if p := f.Problems(); len(p) != 1 || p[0].Error() != want {
		t.Errorf("%v", p)
	}
}

func TestProblems(t *testing.T) {
	for more, want := range map[string]string{
		"what\n": "l:7: expected a line of iblinkinfo",
		"           2   14[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>     99    1[  ] \"gone\" ( )\n":  "l:7: the far end has LID 99",
		"           2   255[  ] ==( 4X 106.25 Gbps Active/  LinkUp)==>     99    1[  ] \"gone\" ( )\n": "l:7: expected",
	} {
		f, err := iblinkinfo.Read(strings.NewReader(text+more), "l")
		if err != nil {
			t.Fatal(err)
		}
		if p := f.Problems(); len(p) != 1 || !strings.HasPrefix(p[0].Error(), want) {
			t.Errorf("%v, want %q", p, want)
		}
	}
	if _, err := iblinkinfo.Read(strings.NewReader(""), "l"); !errors.Is(err, facts.ErrNothing) {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Add("0xc2 \"host\" 1 1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==> 0xa1 2 12[ 3] \"leaf\" ( )\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := iblinkinfo.Read(strings.NewReader(text), "f")
		if err == nil && got.NumNodes() == 0 {
			t.Error("no nodes, and no error")
		}
	})
}
