package pma_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// TestShapeOfRealCounters takes the values out of what perfquery printed on real
// clusters, and writes them again. Newer fields than those of the file are left out.
func TestShapeOfRealCounters(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "perfquery", "*perfquery-*"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range bytes.SplitAfter(text, []byte("\n# ")) {
			heading, body, ok := strings.Cut(strings.TrimSuffix(string(part), "# "), "\n")
			if !ok {
				continue
			}
			var table field.Table
			switch {
			case strings.Contains(heading, "Port extended counters"):
				table = new(pma.PortCountersExtended).Fields()
			case strings.Contains(heading, "PortRcvErrorDetails"):
				table = new(pma.PortRcvErrorDetails).Fields()
			default:
				t.Fatalf("%s: no attribute for %q", name, heading)
			}
			if d := cmp.Diff(lines(body), lines(rewrite(t, table, body))); d != "" {
				t.Errorf("%s: %s (-file +ours):\n%s", filepath.Base(name), heading, d)
			}
			compared++
		}
	}
	if compared < 5 {
		t.Errorf("%d sets of counters compared, want 5 or more", compared)
	}
}

func lines(s string) []string { return strings.Split(strings.TrimSpace(s), "\n") }

// rewrite writes the lines of a dump from their values.
func rewrite(t *testing.T, table field.Table, body string) string {
	t.Helper()
	data := make([]byte, 192)
	var shown field.Table
	for _, line := range lines(body) {
		name, value, ok := strings.Cut(line, ":")
		f, known := table.ByC(name)
		n, err := strconv.ParseUint(strings.TrimLeft(value, "."), 0, 64)
		if !ok || !known || err != nil {
			t.Fatalf("line %q", line)
		}
		f.SetUint(data, n)
		shown = append(shown, f)
	}
	return string(shown.AppendDump(nil, data))
}
