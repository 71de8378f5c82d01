package simbench

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/fabric"
)

var (
	gridFile    = flag.String("grid", "", "write what all policies make of all cases to `FILE`, as CSV")
	gridFabrics = flag.String("fabrics", "272,1407,5000,11664", "the `FABRICS` of -grid, by name; 65536 takes an hour, with -usual minutes")
	gridUsual   = flag.Bool("usual", false, "in -grid the usual case of each fabric only")
	gridFull    = flag.Bool("full", false, "all combinations in -grid, instead of those that differ in one thing from the usual case")
)

// windows are the fixed windows that the adaptive one is compared with.
var windows = []int{8, 16, 32, 64, 128, 256, 512}

func policies() []Policy {
	all := []Policy{Reference()}
	for _, n := range windows {
		all = append(all, Fixed(n))
	}
	return append(all, Adaptive())
}

func model(t testing.TB, name string) *fabric.Fabric {
	t.Helper()
	f, err := Model(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestGrid is `make bench-virtual`.
func TestGrid(t *testing.T) {
	if *gridFile == "" {
		t.Skip("runs with -grid FILE, for minutes")
	}
	file, err := os.Create(*gridFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := NewTable(file)
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(*gridFabrics, ",") {
		f := model(t, name)
		cases := Around(name)
		switch {
		case *gridUsual:
			cases = cases[:1]
		case *gridFull:
			cases = All(name)
		}
		for _, c := range cases {
			rows := measureAll(t, f, c)
			for i := range rows {
				if err := table.Add(&rows[i]); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, rows)
			compareBound(t, &rows[len(rows)-1])
		}
	}
}

// measureAll runs all policies on a case; the adaptive one is last.
func measureAll(t *testing.T, f *fabric.Fabric, c Case) (rows []Row) {
	t.Helper()
	for _, p := range policies() {
		rows = append(rows, Measure(t, f, c, p))
	}
	return rows
}

// compareBound checks that the adaptive policy takes at most half as long again as must
// be, where nothing is dead or gets lost.
func compareBound(t *testing.T, ours *Row) {
	t.Helper()
	if ours.Bound > 0 && (float64(ours.Duration) > 1.5*float64(ours.Bound) || ours.Duration < ours.Bound) {
		t.Errorf("%v: %.2f of the bound", ours, float64(ours.Duration)/float64(ours.Bound))
	}
}

// compare checks what holds in all cases: the adaptive policy finds everything, takes
// at most a fifth longer than the best fixed window that does, and has no more
// dropped than a window of eight.
func compare(t *testing.T, rows []Row) {
	t.Helper()
	ours, best, eight := &rows[len(rows)-1], (*Row)(nil), (*Row)(nil)
	for i := range rows[:len(rows)-1] {
		r := &rows[i]
		if r.Policy == Fixed(8).Name {
			eight = r
		}
		if r.Policy != Reference().Name && r.Completeness() >= ours.Completeness() && (best == nil || r.Duration < best.Duration) {
			best = r
		}
	}
	t.Logf("%v", ours)
	if !ours.Complete() {
		t.Errorf("%v: %d nodes and %d links are missing", ours, ours.MissingNodes, ours.MissingLinks)
	}
	if best != nil && float64(ours.Duration) > 1.2*float64(best.Duration) {
		t.Errorf("%v\nslower than %v", ours, best)
	}
	if ours.Stats.Dropped > eight.Stats.Dropped {
		t.Errorf("%v\nmore dropped than %v", ours, eight)
	}
}
