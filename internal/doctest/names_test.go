package doctest

import (
	"debug/elf"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// root is the module root as seen from this package.
const root = "../.."

// goName is an exported name in a document: `discover.Run`, `fabric.Node.Port`.
var goName = regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z0-9]*(?:\\.[A-Z][A-Za-z0-9]*)?)`")

// TestGoNames looks up every Go name that the documents mention.
func TestGoNames(t *testing.T) {
	known := exported(t)
	for _, file := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/from-c.md"} {
		text := read(t, file)
		found := goName.FindAllStringSubmatch(text, -1)
		if file == "docs/from-c.md" && len(found) < 20 {
			t.Errorf("%s: found only %d Go names", file, len(found))
		}
		for _, m := range found {
			pkg, name := m[1], m[2]
			switch {
			case strings.Contains("os errors context unix testing slog hex", pkg): // a command may be called so too
			case known[pkg] == nil:
				t.Errorf("%s: %s.%s: no such package", file, pkg, name)
			case !known[pkg][name]:
				t.Errorf("%s: %s.%s does not exist", file, pkg, name)
			}
		}
	}
}

// exported collects the exported names of all packages of the module, by the
// package's name: functions, types, values, and Type.Method or Type.Field.
func exported(t *testing.T) map[string]map[string]bool {
	t.Helper()
	known := make(map[string]map[string]bool)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "testdata" || name == "tools" || len(name) > 2 && name[0] == '.' {
			return filepath.SkipDir
		}
		for name, pkg := range parseDir(t, path) {
			if known[name] == nil {
				known[name] = make(map[string]bool)
			}
			addNames(known[name], pkg)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func parseDir(t *testing.T, dir string) map[string]*doc.Package {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil
	}
	pkg, err := doc.NewFromFiles(fset, files, dir)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*doc.Package{pkg.Name: pkg}
}

func addNames(names map[string]bool, pkg *doc.Package) {
	addFuncs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			names[prefix+f.Name] = true
		}
	}
	addValues := func(list []*doc.Value) {
		for _, v := range list {
			for _, n := range v.Names {
				names[n] = true
			}
		}
	}
	addFuncs("", pkg.Funcs)
	addValues(pkg.Consts)
	addValues(pkg.Vars)
	for _, typ := range pkg.Types {
		names[typ.Name] = true
		addFuncs("", typ.Funcs)
		addFuncs(typ.Name+".", typ.Methods)
		addValues(typ.Consts)
		addValues(typ.Vars)
		for _, spec := range typ.Decl.Specs {
			addFields(names, typ.Name, spec.(*ast.TypeSpec).Type)
		}
	}
}

// addFields adds the fields of a struct and the methods of an interface.
func addFields(names map[string]bool, typ string, expr ast.Expr) {
	var list *ast.FieldList
	switch x := expr.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			names[typ+"."+n.Name] = true
		}
	}
}

// TestCNames compares docs/from-c.md with what the C libraries export.
func TestCNames(t *testing.T) {
	testenv.Need(t, "libibumad-dev", "libibmad-dev", "libibnetdisc-dev")
	text := read(t, "docs/from-c.md")
	for _, lib := range []string{"libibnetdisc.so.5", "libibmad.so.5", "libibumad.so.3"} {
		paths, err := filepath.Glob("/usr/lib/*/" + lib)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s not found beside its header: %v", lib, err)
		}
		f, err := elf.Open(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		syms, err := f.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range syms {
			if s.Section == elf.SHN_UNDEF || s.Section == elf.SHN_ABS || strings.HasPrefix(s.Name, "mad_dump_") {
				continue // the formatters have one line together
			}
			if !strings.Contains(text, "`"+s.Name+"`") {
				t.Errorf("docs/from-c.md does not tell what became of %s (%s)", s.Name, lib)
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
