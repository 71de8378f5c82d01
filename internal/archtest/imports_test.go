package archtest

import (
	"strconv"
	"strings"
	"testing"
)

// TestImports checks each import against the table of layers.
func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		l, ok := layerOf(s.dir)
		if !ok {
			t.Errorf("%s: package %s is in no layer; add it to internal/archtest/layers_test.go and to ARCHITECTURE.md", s.path(), s.dir)
			continue
		}
		for _, spec := range s.ast.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := refuse(l, s, imp); why != "" {
				t.Errorf("%s: imports %s: %s", s.path(), imp, why)
			}
		}
	}
}

// refuse gives the reason against an import, or "".
func refuse(l layer, s source, imp string) string {
	if own, ok := strings.CutPrefix(imp, module+"/"); ok {
		if s.isTest() || match(l.own, own) {
			return ""
		}
		return l.why
	}
	if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
		if s.isTest() {
			return ""
		}
		return banished[imp]
	}
	if s.isTest() && hasModule(testOutsides, imp) {
		return ""
	}
	for _, o := range outsides {
		if hasModule([]string{o.path}, imp) {
			if match(o.pkgs, s.dir) {
				return ""
			}
			return o.why
		}
	}
	return "the module is not in the list of outsides; each new one needs a reason"
}

func hasModule(modules []string, imp string) bool {
	for _, m := range modules {
		if imp == m || strings.HasPrefix(imp, m+"/") {
			return true
		}
	}
	return false
}

// TestRefuse makes sure that the rules refuse what they are there to refuse.
func TestRefuse(t *testing.T) {
	for _, tc := range []struct {
		dir, file, imp string
		allowed        bool
	}{
		{"mad", "a.go", module + "/ib", true},
		{"mad", "a.go", module + "/madrpc", false},
		{"mad/smp", "a.go", module + "/mad", true},
		{"madrpc", "a.go", module + "/umad", false},
		{"fabric", "a.go", module + "/madrpc", false},
		{"discover", "a.go", module + "/sim", false},
		{"discover", "a_test.go", module + "/sim", true},
		{"sim/gen", "a.go", module + "/discover", false},
		{"fabric", "a.go", "github.com/spf13/cobra", false},
		{"fabric", "a.go", "golang.org/x/sys/unix", false},
		{"umad", "a.go", "golang.org/x/sys/unix", true},
		{"ib", "a.go", "github.com/google/go-cmp/cmp", false},
		{"ib", "a_test.go", "github.com/google/go-cmp/cmp", true},
		{"ib", "a.go", "strconv", true},
		{"internal/service", "a.go", "encoding/gob", false},
		{"internal/service/nats", "a.go", "github.com/nats-io/nats.go", false},
		{"internal/service/nats", "a_test.go", "github.com/nats-io/nats.go", true},
	} {
		l, ok := layerOf(tc.dir)
		if !ok {
			t.Fatalf("no layer for %s", tc.dir)
		}
		why := refuse(l, source{dir: tc.dir, name: tc.file}, tc.imp)
		if (why == "") != tc.allowed {
			t.Errorf("%s/%s importing %s: %q, want allowed = %v", tc.dir, tc.file, tc.imp, why, tc.allowed)
		}
	}
}
