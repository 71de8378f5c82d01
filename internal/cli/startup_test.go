package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// BenchmarkStartup measures tools from start to end, ours beside C's, on machines
// with a few and with many adapters. Each has 128 P_Keys, as real ones have.
func BenchmarkStartup(b *testing.B) {
	testenv.Need(b, "hyperfine", "ibstat", "mount-namespace")
	bin, link := installed(b)
	for _, adapters := range []int{1, 16} {
		tree := startupTree(b, adapters)
		for _, line := range [][2]string{
			{"C", testenv.Tool(b, "ibstat")}, {"ibstat", link}, {"C-V", testenv.Tool(b, "ibstat") + " -V"}, {"version", bin + " --version"}, {"devices", bin + " devices"},
		} {
			b.Run(fmt.Sprintf("%d/%s", adapters, line[0]), func(b *testing.B) { startup(b, tree, line[1]) })
		}
	}
}

// installed builds ibscope and copies it, as make install does: the kernel maps
// what a linker has written in smaller pieces. The link is named ibstat.
func installed(b *testing.B) (bin, link string) {
	dir := b.TempDir()
	built, bin, link := filepath.Join(dir, "built"), filepath.Join(dir, "ibscope"), filepath.Join(dir, "ibstat")
	flags := "-s -w -X github.com/ibscope/ibscope/internal/cli/version.stamp=bench"
	build := exec.Command("go", "build", "-trimpath", "-ldflags", flags, "-o", built, "github.com/ibscope/ibscope/cmd/ibscope")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	program, err := os.ReadFile(built)
	if err == nil {
		err = errors.Join(os.WriteFile(bin, program, 0o755), os.Symlink(bin, link))
	}
	if err != nil {
		b.Fatal(err)
	}
	return bin, link
}

func startupTree(b *testing.B, adapters int) *testenv.Sysfs {
	var cas []testenv.SysfsCA
	for i := range adapters {
		cas = append(cas, testenv.SysfsCA{Name: fmt.Sprintf("mlx5_%d", i), Ports: []testenv.SysfsPort{{Num: 1}}})
	}
	tree := testenv.NewSysfs(b, cas...)
	for i := range cas {
		for k := 1; k < 128; k++ {
			tree.Write(tree.CAFile(cas[i].Name, fmt.Sprintf("ports/1/pkeys/%d", k)), "0x0000")
		}
	}
	return tree
}

// startup runs a command b.N times, at least 20 times, and reports milliseconds.
func startup(b *testing.B, tree *testenv.Sysfs, line string) {
	result := filepath.Join(b.TempDir(), "result.json")
	runs := fmt.Sprint(max(b.N, 20))
	_, stderr, code := tree.Run("hyperfine", "-N", "--warmup", "10", "--runs", runs, "--export-json", result, line)
	if code != 0 {
		b.Fatal(stderr)
	}
	text, err := os.ReadFile(result)
	if err != nil {
		b.Fatal(err)
	}
	var doc struct {
		Results []struct{ Min, Median float64 }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op") // hyperfine's own time is in it
	b.ReportMetric(doc.Results[0].Min*1e3, "ms-min")
	b.ReportMetric(doc.Results[0].Median*1e3, "ms-median")
}
