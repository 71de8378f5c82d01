package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/format"
)

// FuzzMerge reads a text alone, and together with itself in a second file: that
// adds nothing, and contradicts nothing that the text alone does not.
func FuzzMerge(f *testing.F) {
	for _, text := range small {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := format.ReadDocument(strings.NewReader(text), "x")
		if err == nil && d.Fabric.NumNodes() == 0 {
			t.Error("no nodes, and no error")
		}
		if err != nil || strings.Contains(text, "include") {
			return
		}
		dir := t.TempDir()
		var names []string
		for _, name := range []string{"a", "b"} {
			names = append(names, filepath.Join(dir, name))
			if err := os.WriteFile(names[len(names)-1], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		one, err := format.Merge(names[0])
		if err != nil {
			return // two nodes with one GUID, and more ports together than a fabric has
		}
		two, err := format.Merge(names...)
		if err != nil || two.Fabric.NumNodes() != one.Fabric.NumNodes() && d.Kind != format.Plan {
			t.Errorf("%v: %d nodes, alone %d", err, two.Fabric.NumNodes(), one.Fabric.NumNodes())
		}
	})
}
