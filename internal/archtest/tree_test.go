package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// root is the module root as seen from this package.
const root = "../.."

// A source is one parsed Go file of the module.
type source struct {
	dir  string // package path relative to the module root
	name string // file name
	ast  *ast.File
	fset *token.FileSet
}

func (s source) path() string { return path.Join(s.dir, s.name) }

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

func (s source) isGenerated() bool { return ast.IsGenerated(s.ast) }

// sources parses every Go file of the module, for all platforms alike.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	fset := token.NewFileSet()
	for _, file := range files(t) {
		if !strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata/") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(root, file), nil, parser.ParseComments)
		if err != nil {
			t.Fatalf("%v", err)
		}
		all = append(all, source{path.Dir(file), path.Base(file), f, fset})
	}
	return all
}

// files lists the files of the module as slash paths relative to its root:
// without hidden folders, modules of their own, and what the build leaves.
func files(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == "." {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && rel != ".ci" || rel == "bin" || rel == "dist" || isModule(p) {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
