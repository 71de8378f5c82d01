package saquery

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/source"
)

// meter counts records, and now and then looks how much memory is in use.
type meter struct {
	records, writes int
	first, most     uint64
}

func (m *meter) Write(p []byte) (int, error) {
	m.records += bytes.Count(p, []byte("dump:\n")) + bytes.Count(p, []byte(`{"record":`))
	if m.writes++; m.writes%1000 == 1 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		if m.first == 0 {
			m.first = s.HeapAlloc
		}
		m.most = max(m.most, s.HeapAlloc)
	}
	return len(p), nil
}

// TestLargeTable reads a table of more than 100,000 records, in memory that does
// not grow with it.
func TestLargeTable(t *testing.T) {
	for _, form := range []string{"text", "json"} {
		t.Run(form, func(t *testing.T) {
			var out meter
			var stderr strings.Builder
			e := &env.Env{
				Sources: source.Others,
				Args:    []string{"saquery", "--fabric", "sim:fattree?levels=2&radix=64&hosts=900", "--output", form, "SL2VL"},
				Stdout:  &out, Stderr: &stderr,
				Getenv: func(string) string { return "" }, IsTerminal: func(any) bool { return false },
			}
			if code := Run(t.Context(), e); code != 0 {
				t.Fatalf("exit code %d: %s", code, stderr.String())
			}
			if out.records < 100_000 {
				t.Errorf("%d records, want 100,000 or more", out.records)
			}
			if grown := int64(out.most) - int64(out.first); grown > 4<<20 {
				t.Errorf("%d records take %d bytes more than the first thousand", out.records, grown)
			}
		})
	}
}
