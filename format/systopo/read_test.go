package systopo_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/facts"
	"github.com/ibscope/ibscope/format/systopo"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
)

const definitions = `# a director of two leaves and a spine
SYSTEM LEAF,LEAF:4x
NODE SW 4 MT1 U1
  1 -4x-25G-> P1
  2 -> P2
  3 -> B1

SYSTEM LEAF:12x
NODE SW 4 MT1 U1
  1 -> P1

SYSTEM SPINE
NODE SW 4 MT1 U1
  1 -> B1
  2 -> B2

TOPSYSTEM Director,Alias
spine/U1=isChaBma
SUBSYSTEM LEAF leaf1
  P1 -> L1/P1
  P2 -> L1/P2
  B1 -> spine B1
SUBSYSTEM LEAF leaf2
  P1 -> L2/P1
  P2 -> L2/P2
  B1 -> spine B2
SUBSYSTEM SPINE spine
  B1 -> leaf1 B1
  B2 -> leaf2 B1

TOPSYSTEM Host
NODE CA 2 MT2 U1
  1 -> P1
  2 -> P2
`

const plan = `# two hosts
Director D1
  L1/P1 -4x-25G-> Host h1 P1
  L2/P1 -> Host h2 P2
`

func read(t *testing.T, plan string) (*fabric.Fabric, []string) {
	t.Helper()
	set, systems := facts.NewSet(), systopo.NewSystems()
	if err := systems.Read(strings.NewReader(definitions), set.File("d.ibnl")); err != nil {
		t.Fatal(err)
	}
	if err := systopo.ReadInto(strings.NewReader(plan), set.File("p.topo"), systems); err != nil {
		t.Fatal(err)
	}
	f, err := set.Build()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for l := range f.Links() {
		list = append(list, fmt.Sprintf("%s %d - %s %d", l.A.Node().Description(), l.A.Num(), l.B.Node().Description(), l.B.Num()))
	}
	slices.Sort(list)
	return f, list
}

func TestRead(t *testing.T) {
	f, got := read(t, plan)
	want := []string{"D1/leaf1/U1 1 - h1/U1 1", "D1/leaf1/U1 3 - D1/spine/U1 1", "D1/leaf2/U1 1 - h2/U1 2", "D1/leaf2/U1 3 - D1/spine/U1 2"}
	if diff := cmp.Diff(want, got); diff != "" || len(f.Problems()) > 0 {
		t.Error(diff, f.Problems())
	}
	n := 0
	for node := range f.Nodes() {
		n++
		if isCA := strings.HasPrefix(node.Description(), "h"); (node.Type() == ib.NodeCA) != isCA {
			t.Errorf("%s is a %s", node.Description(), node.Type())
		}
		if node.Description() == "h1/U1" && node.Port(1).Active().String() != "4xEDR" {
			t.Errorf("h1 runs at %s", node.Port(1).Active())
		}
	}
	if n != 5 {
		t.Errorf("%d nodes", n)
	}
}

func TestConfiguration(t *testing.T) {
	_, got := read(t, "Alias D1 CFG: leaf2=R\n L1/P1 -> Host h1 P1\n")
	if diff := cmp.Diff([]string{"D1/leaf1/U1 1 - h1/U1 1", "D1/leaf1/U1 3 - D1/spine/U1 1"}, got); diff != "" {
		t.Error(diff)
	}
	_, got = read(t, "Director D1 CFG: leaf1=12x, leaf2=R\n L1/P1 -> Host h1 P1\n")
	if diff := cmp.Diff([]string{"D1/leaf1/U1 1 - h1/U1 1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestProblems(t *testing.T) {
	for more, want := range map[string]string{
		"  L9/P9 -> Host h3 P1\n":            `p.topo:5: system "D1" of type "Director" has no port "L9/P9"`,
		"  L1/P2 => Host h3 P1\n":            "p.topo:5: expected a system or a cable",
		"  L1/P2 -7x-> Host h3 P1\n":         "p.topo:5: expected a port, an arrow",
		"  L1/P2 -> Host h1 P1\n":            "is connected to node",
		"  L1/P2 -> Other D1 P1\n":           `p.topo:5: system "D1" is a "Other" here, but a "Director" at p.topo:2`,
		"  L1/P2 -> Unknown u L1/P7\n":       `p.topo:5: no definition of system type "Unknown"`,
		"Director D2 nonsense\n P -> Host":   "p.topo:5: expected CFG:",
		"Director D2 CFG: leaf1\n P -> Host": "p.topo:5: expected a subsystem and its modifier",
	} {
		f, _ := read(t, plan+more)
		found := false
		for _, p := range f.Problems() {
			found = found || strings.Contains(p.Error(), want)
		}
		if !found {
			t.Errorf("%q: no problem %q in %v", more, want, f.Problems())
		}
	}
}

// TestEndless: systems that hold themselves, or each other many times, end.
func TestEndless(t *testing.T) {
	systems := systopo.NewSystems()
	f := facts.NewSet().File("d")
	text := "TOPSYSTEM A\nSUBSYSTEM A a\nTOPSYSTEM B0\nNODE SW 200 x U1\n"
	for i := range 14 {
		text += fmt.Sprintf("TOPSYSTEM B%d\n", i+1)
		for j := range 10 {
			text += fmt.Sprintf("SUBSYSTEM B%d s%d\n", i, j)
		}
	}
	if err := systems.Read(strings.NewReader(text), f); err != nil {
		t.Fatal(err)
	}
	if _, err := systopo.Read(strings.NewReader("A a\n P1 -> A b P1\n"), "p", systems); !errors.Is(err, systopo.ErrDeep) {
		t.Error(err)
	}
	if _, err := systopo.Read(strings.NewReader("B14 a\n P1 -> A b P1\n"), "p", systems); !errors.Is(err, facts.ErrTooLarge) {
		t.Error(err)
	}
}

// TestCorpus counts cables with another tool: without definitions, each line with
// an arrow is a link between two systems.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "ibutils-topo", "*.topo"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		r, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := systopo.Read(r, filepath.Base(path), systopo.NewSystems())
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for range f.Links() {
			links++
		}
		for line, got := range map[string]int{
			// Cables that stand at both of their systems count once.
			`sed 's/#.*//' "$1" | awk '!/->/ && NF>=2 {s=$2} /->/ {a=s" "$1; b=$4" "$5; print (a<b) ? a" "b : b" "a}' | sort -u | wc -l`: links,
			`sed 's/#.*//' "$1" | awk '!/->/ && NF>=2 {print $2} /->/ {print $4}' | sort -u | wc -l`:                                     f.NumNodes(),
		} {
			if want := testenv.ShellCount(t, line, path); got != want {
				t.Errorf("%s: %s gives %d, we %d", path, line, want, got)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(definitions, plan)
	f.Fuzz(func(t *testing.T, definitions, plan string) {
		set, systems := facts.NewSet(), systopo.NewSystems()
		_ = systems.Read(strings.NewReader(definitions), set.File("d"))
		if err := systopo.ReadInto(strings.NewReader(plan), set.File("p"), systems); err != nil {
			return
		}
		if got, err := set.Build(); err == nil && got.NumNodes() == 0 {
			t.Error("no nodes, and no error")
		}
	})
}
