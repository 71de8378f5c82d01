//go:build linux

package simexec

import (
	"os"
	"os/exec"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// BenchmarkTrue is what it costs to run a program that does nothing: two starts
// of ours, namespaces, and all mounts.
func BenchmarkTrue(b *testing.B) {
	testenv.Need(b, "fuse")
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if out, err := exec.CommandContext(b.Context(), self, "sim", "exec", star, "--", "true").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
}
