package lftdump_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/format/lftdump"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

// TestReadFiles reads the forms of OpenSM and ibdiagnet.
func TestReadFiles(t *testing.T) {
	const lfts = "Unicast lids [0-3] of switch Lid 2 guid 0x00000000000000a0 ('leaf (x)'):\n" +
		"0x0001 005 # Channel Adapter portguid 0x00000000000000c0: 'host'\n0x0002 000 # Switch portguid 0x00000000000000a0: 'leaf (x)'\n2 lids dumped\n"
	const fdbs = "osm_ucast_mgr_dump_ucast_routes: Switch 0x00000000000000a0\nLID    : Port : Hops : Optimal\n" +
		"0x0001 : 005  : 01   : yes\n0x0002 : 000  : 00   : yes\n0x0003 : UNREACHABLE\n0x0004 : 006  : HOPS UNKNOWN\n0x000A : 007  : 03   : No 2 hop path possible via port 7!\n\n" +
		"dump_ucast_routes: Switch 0xb0\n"
	got, err := lftdump.Read(strings.NewReader(lfts+fdbs), "f")
	want := []lftdump.Table{
		{GUID: 0xa0, Name: "leaf (x)", Line: 1, Entries: []lftdump.Entry{{1, 5, ib.NodeCA}, {2, 0, ib.NodeSwitch}}},
		{GUID: 0xa0, Line: 5, Entries: []lftdump.Entry{{1, 5, 0}, {2, 0, 0}, {4, 6, 0}, {10, 7, 0}}},
		{GUID: 0xb0, Line: 13},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	if l := got[1].Linear(); !slices.Equal(l, []uint8{255, 5, 0, 255, 6, 255, 255, 255, 255, 255, 7}) {
		t.Errorf("%v", l)
	}
}

// TestCorpus counts tables and entries with another tool.
func TestCorpus(t *testing.T) {
	corpus := testenv.Corpus(t)
	files, err := filepath.Glob(filepath.Join(corpus, "ibroute", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range append(files, filepath.Join(corpus, "opensm-dump", "ibutils-osm.fdbs")) {
		r, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := lftdump.Read(r, path)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		entries := 0
		for _, table := range tables {
			entries += len(table.Entries)
		}
		for line, got := range map[string]int{
			`grep -c 'Unicast lids\|Switch 0x' "$1"`:          len(tables),
			`grep -c '^0x[0-9a-fA-F]* :* *[0-9][0-9]* ' "$1"`: entries,
		} {
			if want := testenv.ShellCount(t, line, path); got != want {
				t.Errorf("%s: %s gives %d, we %d", path, line, want, got)
			}
		}
		t.Logf("%s: %d tables, %d entries", filepath.Base(path), len(tables), entries)
	}
}
