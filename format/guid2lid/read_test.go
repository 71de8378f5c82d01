package guid2lid_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/guid2lid"
	"github.com/ibscope/ibscope/ib"
)

const text = "0x00000000000000a1 0x0002 0x0002\n\n0x00000000000000c2 0x0008 0x000b\n\n0x00000000000000dd 0x0010 0x0010\n"

func TestRead(t *testing.T) {
	got, problems, err := guid2lid.Read(strings.NewReader(text), "g")
	want := []guid2lid.Entry{{1, 0xa1, 2, 2}, {3, 0xc2, 8, 11}, {5, 0xdd, 16, 16}}
	if diff := cmp.Diff(want, got); err != nil || len(problems) > 0 || diff != "" {
		t.Errorf("%v, %v, %s", err, problems, diff)
	}
	if got[0].LMC() != 0 || got[1].LMC() != 2 {
		t.Errorf("LMC %d, %d", got[0].LMC(), got[1].LMC())
	}
}

func TestProblems(t *testing.T) {
	for line, want := range map[string]string{
		"0xa1 0x3 0x3":       "g:6: port GUID 0x00000000000000a1 was told before, at g:1",
		"0xa2 0x3 0x2":       "g:6: expected a port GUID and two LIDs",
		"0xa2 0x0 0x2":       "g:6: expected",
		"0xa2 0x1 0x81":      "g:6: expected",
		"0xa2 0xbfff 0xc000": "g:6: expected",
		"0xa2 0x1":           "g:6: expected",
		"what 0x1 0x1":       "g:6: expected",
	} {
		got, problems, err := guid2lid.Read(strings.NewReader(text+line), "g")
		if err != nil || len(got) != 3 || len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), want) {
			t.Errorf("%q: %v, %v", line, err, problems)
		}
	}
	if _, _, err := guid2lid.Read(strings.NewReader("\n"), "g"); !errors.Is(err, guid2lid.ErrNothing) {
		t.Error(err)
	}
}

func TestTell(t *testing.T) {
	entries, _, err := guid2lid.Read(strings.NewReader(text), "g")
	if err != nil {
		t.Fatal(err)
	}
	set := facts.NewSet()
	guid2lid.Tell(set.File("g"), entries) // before the file that has the nodes
	other := set.File("other")
	var node, lid facts.Fact
	node.Set(facts.NodeField("NodeType"), uint64(ib.NodeSwitch))
	node.Set(facts.NodeField("PortGUID"), 0xa1)
	other.Node(7, 0xa0, &node)
	other.PortGUID(8, 0xc0, 2, 0xc2)
	lid.LID(9)
	other.Port(9, 0xc0, 2, &lid)
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := f.PortByLID(2); !ok || p.Node().GUID() != 0xa0 || p.Num() != 0 {
		t.Error("LID 2 is not the switch's")
	}
	if n, _ := f.NodeByGUID(0xc0); n.Port(2).LMC() != 2 || n.Port(2).LID() != 9 {
		t.Errorf("LID %d, LMC %d", n.Port(2).LID(), n.Port(2).LMC())
	}
	var got []string
	for _, p := range f.Problems() {
		if p.Kind != fabric.FilesDisagree {
			t.Errorf("kind %s", p.Kind)
		}
		got = append(got, p.Error())
	}
	want := []string{
		"g:3: node 0x00000000000000c0 port 2 Lid is 8 here, but 9 at other:9, which counts",
		"g:5: node 0x00000000000000dd is no port GUID of a node that another file knows",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Fuzz(func(t *testing.T, text string) {
		got, _, err := guid2lid.Read(strings.NewReader(text), "g")
		if (err == nil) != (len(got) > 0) {
			t.Errorf("%d entries, %v", len(got), err)
		}
		for _, e := range got {
			if e.Min == 0 || e.Max < e.Min || e.LMC() > 7 {
				t.Errorf("%+v", e)
			}
		}
	})
}
