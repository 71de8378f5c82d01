package archtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxLines is the longest a hand-written file may be. Most have 60 to 200.
const maxLines = 400

func TestFileLength(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || s.isGenerated() {
			continue
		}
		if n := s.fset.File(s.ast.Pos()).LineCount(); n > maxLines {
			t.Errorf("%s has %d lines, more than %d: it holds more than one concept", s.path(), n, maxLines)
		}
	}
}

func TestPackageComments(t *testing.T) {
	documented := make(map[string]bool)
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		documented[s.dir] = documented[s.dir] || s.ast.Doc != nil
	}
	if len(documented) == 0 {
		t.Fatal("found no packages")
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
}

// TestNoMachinePaths keeps the tree free of what only one machine has. The
// words are put together here so that this file does not contain them.
func TestNoMachinePaths(t *testing.T) {
	words := []string{"/wo" + "rk/", "/ro" + "ot/", "proxy.golang" + ".org", "deb.debian" + ".org"}
	for _, file := range files(t) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if i := bytes.Index(data, []byte(w)); i >= 0 {
				t.Errorf("%s:%d contains %q", file, 1+strings.Count(string(data[:i]), "\n"), w)
			}
		}
	}
}
