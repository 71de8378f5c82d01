package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// corpusEnv is the directory with real files from real fabrics. It is not part
// of the project.
const corpusEnv = "IBSCOPE_CORPUS"

// examples is where Debian keeps the topologies that come with ibsim.
const examples = "/usr/share/doc/ibsim-utils/net-examples"

// Corpus is the absolute path of the directory of real input files, from
// IBSCOPE_CORPUS. Without it the test is skipped, or fails when IBSCOPE_REQUIRE
// names "corpus".
func Corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(corpusEnv)
	if dir == "" {
		lack(t, "corpus", corpusEnv+" is not set: no real files to test with")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		t.Fatalf("%s=%s is not a directory", corpusEnv, dir)
	}
	return dir
}

// Example is the path of a topology file that comes with ibsim: "net", "net.1",
// "net.2sw2path", "net.2sw2path4hca" or "net.2sw2path4hca2port". The test is
// skipped where they are not installed.
func Example(t testing.TB, name string) string {
	t.Helper()
	Need(t, "net-examples")
	return filepath.Join(examples, name)
}
