package archtest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// early are the packages that run before the rest of the program is initialised.
var early = []string{"internal/cli/early", "internal/cli/early/version"}

// light is what a drop-in tool may have of modules from elsewhere. Each is initialised
// before the tool begins, so a library with tables of its own does not belong here.
var light = []string{
	"golang.org/x/sync", "golang.org/x/sys", "golang.org/x/term",
}

// heavy is what a drop-in tool may not have of this module and of the standard library,
// for the same reason: or because its path, or that of something that it imports, is late
// in the alphabet. Packages are initialised in the order of their paths, each when all that
// it imports is, so that the latest import of a tool decides what comes before the tool.
var heavy = []string{
	"internal/cli", "internal/cli/report", "internal/service", "internal/service/*", "internal/source", "internal/web",
	"format", "sim", "sim/*", "watch", "event",
	"database/*", "encoding/xml", "html/*", "log/slog", "net", "net/*", "path/filepath", "regexp", "runtime/debug", "text/*",
}

// TestDropInsAreLight follows the imports of the drop-in tools.
func TestDropInsAreLight(t *testing.T) {
	imports := importsOf(t)
	for _, dir := range slices.Sorted(maps.Keys(imports)) {
		for _, imp := range imports[dir] {
			if own, ok := strings.CutPrefix(imp, module+"/"); ok && match(early, own) && dir != "cmd/ibscope" {
				t.Errorf("%s imports %s, which ends the process: only main may", dir, own)
			}
		}
	}
	from := map[string]string{} // who has led to a package
	queue := slices.Clone(early)
	for len(queue) > 0 {
		dir := queue[0]
		queue = queue[1:]
		for _, imp := range imports[dir] {
			own, ok := strings.CutPrefix(imp, module+"/")
			if _, seen := from[own]; ok && !seen {
				from[own] = dir
				queue = append(queue, own)
			}
			if match(heavy, strings.TrimPrefix(imp, module+"/")) || !ok && fromElsewhere(imp) && !hasModule(light, imp) {
				t.Errorf("%s imports %s, and drop-in tools import it: %s", dir, imp, way(from, dir))
			}
		}
	}
	if len(from) < 50 {
		t.Errorf("followed imports to %d packages only", len(from))
	}
}

// importsOf gives what each package of this module imports, but for its tests.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for _, s := range sources(t) {
		for _, spec := range s.ast.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !s.isTest() && !slices.Contains(imports[s.dir], imp) {
				imports[s.dir] = append(imports[s.dir], imp)
			}
		}
	}
	return imports
}

// fromElsewhere tells a package of another module from one of the standard library.
func fromElsewhere(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return strings.Contains(first, ".")
}

// way is the chain of imports that leads to a package.
func way(from map[string]string, dir string) string {
	if before, ok := from[dir]; ok {
		return way(from, before) + " > " + dir
	}
	return dir
}
