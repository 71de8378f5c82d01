package lftdump_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/format/lftdump"
	"github.com/ibscope/ibscope/ib"
)

const dump = `Unicast lids [0x0-0xc] of switch DR path slid 0; dlid 0; 0,1,5,3 guid 0x0000000000200001 (leaf (B)):
  Lid  Out   Destination
       Port     Info 
0x0001 005 : (Switch portguid 0x0000000000200000: 'leafA')
0x0002 006 : (Channel Adapter portguid 0x0000000000100001: 'host guid 1')
0x0003 006 : (path #2 out of 2: portguid 0x0000000000100001)
0x0004 255 : (illegal port)
0x0005 000 : (Router portguid 0x0000000000100003: 'r')
5 valid lids dumped 
Unicast lids [0x0-0x0] of switch Lid 3 guid 0x0000000000200002 (x):
0x0007 012 
ibwarn: [1] something

*** WARNING ***: this command has been replaced by dump_fts
`

func TestRead(t *testing.T) {
	got, err := lftdump.Read(strings.NewReader(dump), "dump")
	if err != nil {
		t.Fatal(err)
	}
	want := []lftdump.Table{
		{GUID: 0x200001, Name: "leaf (B)", Line: 1, Entries: []lftdump.Entry{
			{1, 5, ib.NodeSwitch}, {2, 6, ib.NodeCA}, {3, 6, ib.NodeCA}, {4, 255, 0}, {5, 0, ib.NodeRouter},
		}},
		{GUID: 0x200002, Name: "x", Line: 10, Entries: []lftdump.Entry{{7, 12, 0}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "d: no forwarding tables",
		"0x0001 005\n":             "d: no forwarding tables",
		"Unicast lids [0x0-0xc]\n": "d:1: expected the GUID of a switch",
		"\nUnicast lids [] of switch Lid 1 guid 0xz (x):\n":                 "d:2: expected the GUID",
		"Unicast lids [] of switch Lid 1 guid 0x1 (x):\n0x1\n":              "d:2: expected a LID and a port",
		"Unicast lids [] of switch Lid 1 guid 0x1 (x):\n0x1 256\n":          "d:2: expected a LID and a port",
		"Unicast lids [] of switch Lid 1 guid 0x1 (x):\n0xc000 1\n":         "d:2: expected a LID and a port",
		"Unicast lids [] of switch Lid 1\n" + strings.Repeat("x", 1<<17):    "d:1: expected the GUID",
		"Multicast mlids [] of switch Lid 1 guid 0x1 (x):\n0xc000      x x": "d: no forwarding tables",
	} {
		_, err := lftdump.Read(strings.NewReader(text), "d")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: %v", text, err)
		}
		var e *lftdump.Error
		if !errors.As(err, &e) {
			t.Errorf("%T", err)
		}
	}
	if _, err := lftdump.Read(strings.NewReader("x"), "d"); !errors.Is(err, lftdump.ErrNothing) {
		t.Errorf("no table: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(dump)
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := lftdump.Read(strings.NewReader(text), "d")
		if (err == nil) != (len(tables) > 0) {
			t.Errorf("%d tables, %v", len(tables), err)
		}
	})
}
