package archtest

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
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
	words := []string{"/wo" + "rk/", "/ro" + "ot/", "proxy.golang" + ".org", "deb.debian" + ".org", "shared/" + "data"}
	for _, file := range files(t) {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if file == ".ci/run" && w == words[4] {
				continue // the one place that knows where the real files may lie
			}
			if i := bytes.Index(data, []byte(w)); i >= 0 {
				t.Errorf("%s:%d contains %q", file, 1+bytes.Count(data[:i], []byte("\n")), w)
			}
		}
	}
}

// TestArchitectureNamesPackages makes sure that ARCHITECTURE.md has a word on
// each package, and on none that is gone.
func TestArchitectureNamesPackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` ").FindAllSubmatch(text, -1) {
		if named[string(m[1])] {
			t.Errorf("ARCHITECTURE.md has two lines for package %s", m[1])
		}
		named[string(m[1])] = true
	}
	for _, row := range regexp.MustCompile(`(?m)^\|.*$`).FindAll(text, -1) {
		if bytes.Count(row, []byte("|")) != 3 {
			t.Errorf("ARCHITECTURE.md: a line of a table with two columns is broken: %s", row)
		}
	}
	there := make(map[string]bool)
	for _, s := range sources(t) {
		if !s.isTest() {
			there[s.dir] = true
		}
	}
	for dir := range there {
		if !named[dir] {
			t.Errorf("ARCHITECTURE.md has no line for package %s", dir)
		}
	}
	for dir := range named {
		if !there[dir] {
			t.Errorf("ARCHITECTURE.md has a line for %s, which is no package", dir)
		}
	}
}
