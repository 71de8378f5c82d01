package archtest

import (
	"go/ast"
	"regexp"
	"testing"
)

// banned is what a library package never calls: output, exit and environment
// belong to the program that uses it.
var banned = regexp.MustCompile(`^(fmt\.Print(|f|ln)|os\.(Exit|Getenv|LookupEnv|Environ|Stdout|Stderr)|log\.(Print|Fatal|Panic)(|f|ln)|slog\.(Debug|Info|Warn|Error|Default))$`)

// mayInit are the packages that run code when they are imported, which is what they
// are there for: cmd/ibscope alone imports them.
var mayInit = []string{"internal/cli/early", "internal/cli/early/*"}

// TestNoInit looks for init functions.
func TestNoInit(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Name.Name == "init" && f.Recv == nil && !match(mayInit, s.dir) {
				t.Errorf("%s: init: importing a package must not run code", s.fset.Position(f.Pos()))
			}
		}
	}
}

// TestLibraryIsQuiet looks for banned names outside the packages that make up commands.
func TestLibraryIsQuiet(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || match(commands, s.dir) {
			continue
		}
		ast.Inspect(s.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && banned.MatchString(x.Name+"."+n.Sel.Name) {
					t.Errorf("%s: %s.%s: a library does not print, exit or read the environment", s.fset.Position(n.Pos()), x.Name, n.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestBanned(t *testing.T) {
	for name, want := range map[string]bool{
		"fmt.Println": true, "fmt.Fprintln": false, "fmt.Sprintf": false, "os.Exit": true,
		"os.Getenv": true, "os.Open": false, "log.Fatalf": true, "slog.New": false,
	} {
		if got := banned.MatchString(name); got != want {
			t.Errorf("%s banned = %v, want %v", name, got, want)
		}
	}
}
