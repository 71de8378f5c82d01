package format_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/sim/gen"
)

// TestStoredCounters: a counter of 64 bits counts more than a narrow one, else the
// file that comes first; counters of nobody are problems.
func TestStoredCounters(t *testing.T) {
	f, err := gen.Parse("star?hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	topology, err := os.Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := ibnetdiscover.Write(topology, f, nil); err != nil {
		t.Fatal(err)
	}
	topology.Close()
	for name, text := range map[string]string{
		"b": "# Port counters: Lid 1 port 2 (CapMask: 0x5A00)\nPortSelect:......................2\nSymbolErrorCounter:..............7\nPortXmitData:....................4294967295\n",
		"c": "# Port extended counters: Lid 1 port 2 (CapMask: 0x5A00)\nPortSelect:......................2\nPortXmitData:....................5000000000\n" +
			"# Port counters: Lid 1 port 2 (CapMask: 0x5A00)\nPortSelect:......................2\nSymbolErrorCounter:..............9\n",
		"d": "# Port counters: Lid 99 port 1 (CapMask: 0x5A00)\nPortSelect:......................1\nSymbolErrorCounter:..............1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := format.Merge(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := stored.Snapshot()
	if len(s.Counters) != 1 || len(s.Problems) != 1 {
		t.Fatalf("%+v, %v", s.Counters, s.Problems)
	}
	c := s.Counters[0]
	for name, want := range map[string]uint64{"symbol_errors": 7, "xmit_data": 5000000000} {
		if i := slices.Index(c.Names, name); i < 0 || c.Values[i] != want {
			t.Errorf("%s is not %d: %v %v", name, want, c.Names, c.Values)
		}
	}
	if len(c.Saturated) > 0 || c.Port != 2 {
		t.Errorf("port %d, saturated %v", c.Port, c.Saturated)
	}
}
