package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// requireEnv names what must not be missing; see the package comment.
const requireEnv = "IBSCOPE_REQUIRE"

// needs are the names that are not programs, and how each is looked for. The
// reason is what to tell when it is not there.
var needs = map[string]struct {
	present func() bool
	reason  string
}{
	"root":             {func() bool { return os.Geteuid() == 0 }, "not running as root"},
	"fuse":             {canMountFUSE, "FUSE cannot be mounted here: it takes root with CAP_SYS_ADMIN and /dev/fuse"},
	"umad2sim":         {func() bool { _, err := Umad2sim(); return err == nil }, "libumad2sim.so is not installed (Debian: libumad2sim0)"},
	"mount-namespace":  {canMount, "this process cannot make a mount namespace (it takes Linux and root)"},
	"net-examples":     {func() bool { return isFile(filepath.Join(examples, "net")) }, "the example topologies of ibsim are not installed (Debian: ibsim-utils)"},
	"libibumad-dev":    {func() bool { return isFile("/usr/include/infiniband/umad.h") }, "infiniband/umad.h is not installed (Debian: libibumad-dev)"},
	"libibmad-dev":     {func() bool { return isFile("/usr/include/infiniband/mad.h") }, "infiniband/mad.h is not installed (Debian: libibmad-dev)"},
	"libibnetdisc-dev": {func() bool { return isFile("/usr/include/infiniband/ibnetdisc.h") }, "infiniband/ibnetdisc.h is not installed (Debian: libibnetdisc-dev)"},
}

// Need skips the test unless all the named things are there, and fails it
// instead when IBSCOPE_REQUIRE asks for the missing one. A name is that of a
// program in PATH or in the sbin directories ("ibsim", "gcc"), or one of "root",
// "fuse", "umad2sim", "net-examples", "libibumad-dev", "libibmad-dev" and
// "libibnetdisc-dev".
func Need(t testing.TB, tools ...string) {
	t.Helper()
	for _, name := range tools {
		if reason := missing(name); reason != "" {
			lack(t, name, reason)
		}
	}
}

// Tool is the path of a program that the test needs; it skips or fails as Need does.
func Tool(t testing.TB, name string) string {
	t.Helper()
	path, err := findTool(name)
	if err != nil {
		lack(t, name, err.Error())
	}
	return path
}

// missing says why name cannot be used, or "".
func missing(name string) string {
	if n, ok := needs[name]; ok {
		if n.present() {
			return ""
		}
		return n.reason
	}
	if _, err := findTool(name); err != nil {
		return err.Error()
	}
	return ""
}

// Lack ends a test that finds out itself that it lacks something: skipped with
// the reason, or failed when IBSCOPE_REQUIRE names it.
func Lack(t testing.TB, name, reason string) {
	t.Helper()
	lack(t, name, reason)
}

// lack ends the test: skipped, or failed when the missing thing is required.
func lack(t testing.TB, name, reason string) {
	t.Helper()
	if required(os.Getenv(requireEnv), name) {
		t.Fatalf("%s (%s requires %s)", reason, requireEnv, name)
	}
	t.Skipf("%s", reason)
}

// required reports whether the list in IBSCOPE_REQUIRE covers name.
func required(list, name string) bool {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if slices.Contains(names, name) {
		return true
	}
	return name != "root" && name != "mount-namespace" && name != "network-namespace" && name != "fuse" && name != "lab" && name != "corpus" && name != "containers" && slices.Contains(names, "all")
}

// findTool looks in PATH, then where administrators' programs are installed
// although a user's PATH often leaves them out.
func findTool(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return filepath.Abs(path)
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin", "/sbin"} {
		if path := filepath.Join(dir, name); isFile(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed", name)
}

func isFile(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular()
}
