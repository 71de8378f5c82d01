package simbench

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/discover"
)

// TestDoc: docs/simulator.md tells what a sweep costs as it is measured.
func TestDoc(t *testing.T) {
	text, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	f := tree(t)
	check := func(format, label string, loss float64, window, perTarget int) {
		s := Setup{Model: f, Sim: typical(), Sweep: discover.Options{MaxOutstanding: window, MaxPerTarget: perTarget}, NoTrace: true}
		s.Sim.Loss = loss
		r := Sweep(t, s)
		sent := fmt.Sprintf("%d,%03d", r.Stats.Sent/1000, r.Stats.Sent%1000)
		ms := fmt.Sprintf("%.1f ms", float64(r.Duration)/float64(time.Millisecond))
		if loss > 0 {
			ms = fmt.Sprintf("%.2f s", r.Duration.Seconds())
		}
		count := int(r.Stats.Dropped)
		if loss > 0 {
			count = r.MissingNodes
		}
		if row := fmt.Sprintf(format, label, ms, sent, count); !strings.Contains(string(text), row) {
			t.Errorf("docs/simulator.md does not have the row\n%s", row)
		}
	}
	const row = "| %s | %s | %s | %d |\n"
	check(row, "1 | 1", 0, 1, -1)
	check(row, "8 | no limit", 0, 8, -1)
	check(row, "64 | no limit", 0, 64, -1)
	check(row, "64 | 2", 0, 64, 0)
	check(row, "512 | 2", 0, 512, 0)
	check(row, "what adapts, as `ibscope discover` | 2", 0, 0, 0)
	check(row, "`loss=1%`", 0.01, 0, 0)
	check(row, "`loss=5%`", 0.05, 0, 0)
	check(row, "`loss=20%`", 0.2, 0, 0)
}
