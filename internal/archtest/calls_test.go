package archtest

import (
	"go/ast"
	"regexp"
	"testing"
)

// banned is what a library package never calls: output, exit and environment
// belong to the program that uses it.
var banned = regexp.MustCompile(`^(fmt\.Print(|f|ln)|os\.(Exit|Getenv|LookupEnv|Environ|Stdout|Stderr)|log\.(Print|Fatal|Panic)(|f|ln)|slog\.(Debug|Info|Warn|Error|Default))$`)

// TestLibraryIsQuiet looks for banned names and init functions outside the
// packages that make up commands.
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
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init: importing a package must not run code", s.fset.Position(n.Pos()))
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
