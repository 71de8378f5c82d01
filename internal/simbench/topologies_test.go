package simbench

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim/gen"
)

// topologies are fabrics that are no fat trees.
var topologies = []string{
	"dragonfly+?groups=5&leaves=6&spines=6",
	"dragonfly?switches=6",
	"torus?dims=10x10",
	"torus?dims=5x5x5&hosts=2",
	"hypercube?dims=7&hosts=2",
	"hyperx?shape=6x6&hosts=6",
	"director",
	"gpupod",
	"subnets",
}

// TestTopologies: the policy is made for no kind of fabric; see compare.
func TestTopologies(t *testing.T) {
	for _, name := range topologies {
		f, err := gen.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		compareOn(t, name, f)
	}
}

// TestRealTopologies is the same with fabrics that there are.
func TestRealTopologies(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testenv.Corpus(t), "topo", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ibnetdiscover.Read(bytes.NewReader(text), filepath.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		if f.Start() == nil { // what can be reached depends on it
			t.Logf("%s has no start", filepath.Base(file))
			continue
		}
		compareOn(t, filepath.Base(file), f)
	}
}

func compareOn(t *testing.T, name string, f *fabric.Fabric) {
	t.Helper()
	for _, queue := range []int{8, 32} {
		for _, loss := range []float64{0, 0.01} {
			c := usual(name)
			c.Queue, c.Loss = queue, loss
			var rows []Row
			for _, p := range []Policy{Fixed(8), Fixed(32), Fixed(128), Fixed(512), Adaptive()} {
				rows = append(rows, Measure(t, f, c, p))
			}
			compare(t, rows)
		}
	}
}
