package oracle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestFilesAreSimulatedAsStored sweeps each real topology through the simulator,
// by the command line, and wants what the file itself says: no subnet manager or
// other agent of the simulator may change it. The order of nodes is the sweep's.
func TestFilesAreSimulatedAsStored(t *testing.T) {
	dir := filepath.Join(testenv.Corpus(t), "topo")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d files: %v", len(entries), err)
	}
	for _, entry := range entries {
		t.Run(entry.Name(), func(t *testing.T) {
			file := filepath.Join(dir, entry.Name())
			stored := ours(t, "file:"+file, "ibscope", "discover", "-o", "ibnetdiscover")
			swept := ours(t, "sim:"+file, "ibscope", "discover", "-o", "ibnetdiscover")
			if swept.stdout == "" && !strings.Contains(swept.stderr, entry.Name()+":") {
				t.Errorf("neither simulated nor refused by line: %s", swept.stderr)
			}
			if w, g := sortedLines(stored.stdout), sortedLines(swept.stdout); w != g {
				t.Errorf("first difference (C: the file, ours: the sweep) in %s", firstDifference(w, g))
			}
		})
	}
}

func sortedLines(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
