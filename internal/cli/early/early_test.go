// Package early_test builds the program: what comes before a tool is up to the linker.
package early_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/cli/applets"
)

// tooMuch are packages that are not initialised before a tool begins. Each stands for
// others: what comes after it in the alphabet, and what imports it.
var tooMuch = []string{
	"charm.land", "encoding/gob", "github.com/charmbracelet/x/ansi", "github.com/ibscope/ibscope/internal/cli", "github.com/ibscope/ibscope/internal/service",
	"github.com/ibscope/ibscope/internal/source", "github.com/prometheus", "github.com/spf13", "go.yaml.in", "log/slog", "modernc.org/libc",
	"modernc.org/sqlite", "net", "net/http", "net/netip", "path/filepath", "regexp", "text/template",
}

func TestEarly(t *testing.T) {
	early, late := build(t, "1.2.3"), build(t, "")
	t.Run("order", func(t *testing.T) { testOrder(t, early) })
	t.Run("same", func(t *testing.T) { testSame(t, early, late) })
	t.Run("size", func(t *testing.T) { testSize(t, early) })
}

// maxSize is the most that the program may have on amd64, stripped. Symbols by their size
// are listed by "go tool nm -size -sort size", of a program that is built without -s -w.
const maxSize = 25_000_000

func testSize(t *testing.T, dir string) {
	info, err := os.Stat(filepath.Join(dir, "ibscope"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the stripped program has %d bytes, %d may be", info.Size(), maxSize)
	if runtime.GOARCH == "amd64" && info.Size() > maxSize {
		t.Errorf("the stripped program has %d bytes, %d more than may be: what has a commit brought in?", info.Size(), info.Size()-maxSize)
	}
}

// testOrder reads from the program itself which packages it initialises.
func testOrder(t *testing.T, dir string) {
	all := initialised(t, "", filepath.Join(dir, "ibscope"), "discover", "--help")
	local, udp := serve(t, dir, fmt.Sprintf("unix:early-%d", os.Getpid())), serve(t, dir, "udp:127.0.0.1:0")
	for _, line := range []struct{ fabric, args string }{
		{"", "ibscope --version"},
		{"", "ibstat -V"},
		{"", "ibscope smpquery -V"},
		{"", "ibnetdiscover -h"},
		{"ibsim:" + local, "smpquery nodeinfo -D 0"},
		{"ibsim:" + local, "ibnetdiscover"},
		{"ibsim:" + udp, "ibscope iblinkinfo"},
	} {
		args := strings.Fields(line.args)
		before := initialised(t, line.fabric, filepath.Join(dir, args[0]), args[1:]...)
		if len(before) == 0 || len(before) > len(all)*2/3 {
			t.Errorf("%q: %d packages, of %d", args, len(before), len(all))
		}
		for _, name := range tooMuch {
			if _, ok := before[name]; ok {
				t.Errorf("%q: %s is initialised before", args, name)
			}
		}
		for name, allocated := range before {
			if tool, ok := strings.CutPrefix(name, "github.com/ibscope/ibscope/internal/cli/"); ok && allocated > maxAllocated {
				t.Errorf("%q: package %s makes tables of %d bytes: each tool waits for them", args, tool, allocated)
			}
		}
	}
	for _, name := range []string{"github.com/spf13/cobra", "net", "regexp"} {
		if _, ok := all[name]; !ok {
			t.Errorf("the help of discover does without %s: this test reads the wrong lines", name)
		}
	}
}

// maxAllocated is what a package of a tool may make before all tools.
const maxAllocated = 2048

// serve starts a simulator that stands in for ibsim, and gives where it listens.
func serve(t *testing.T, dir, listen string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(dir, "ibscope"), "sim", "serve", "--listen", listen, "sim:star?hosts=2")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // it says that it was interrupted
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	_, where, _ := strings.Cut(line, " on ")
	where, _, found := strings.Cut(where, ",")
	if err != nil || !found {
		t.Fatalf("sim serve: %q, %v", line, err)
	}
	return where
}

// initialised runs a command on a fabric and gives the packages that were initialised, with
// the bytes that each has allocated.
func initialised(t *testing.T, fabric, program string, args ...string) map[string]int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "IBSCOPE_FABRIC="+fabric, "SIM_HOST=")
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 2 {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	packages := map[string]int{}
	for line := range strings.Lines(string(out)) {
		// init os @1.0 ms, 0.02 ms clock, 432 bytes, 9 allocs
		if fields := strings.Fields(line); len(fields) == 11 && fields[0] == "init" {
			if packages[fields[1]], err = strconv.Atoi(fields[7]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
	}
	return packages
}

// testSame compares tools that run early with the same ones of a program without a
// version, which runs none early: output and exit codes. Fabrics are of all kinds.
func testSame(t *testing.T, early, late string) {
	for _, line := range []string{
		"ibstat -l", "ibscope ibstat nothing", "ibstat --no-such-option", "ibnetdiscover", "ibscope smpquery NI -D 0", "ibaddr x",
		"iblinkinfo --fabric file:/nonexistent", "ibhosts --fabric ibsim:nobody-listens-here", "ibswportwatch 7", "smpquery -G NI",
		"ibroute --fabric umad:nothing/1 1", "ibscope ibnodes --fabric x:y", "ibhosts --fabric ibsim:localhost:9",
		"ibhosts --fabric ibsim:127.0.0.1:9", "ibscope __complete smpquery node",
	} {
		args := strings.Fields(line)
		if diff := cmp.Diff(output(t, late, args), output(t, early, args)); diff != "" {
			t.Errorf("%q (-late +early):\n%s", args, diff)
		}
	}
}

// output is what a command prints on a simulated fabric, and its exit code.
func output(t *testing.T, dir string, args []string) string {
	t.Helper()
	var out, told strings.Builder
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, args[0]), args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Env = append(os.Environ(), "IBSCOPE_FABRIC=sim:star?hosts=2")
	cmd.Stdout, cmd.Stderr = &out, &told
	_ = cmd.Run() // the exit code says it
	text := out.String() + "---\n" + told.String() + "--- " + strconv.Itoa(cmd.ProcessState.ExitCode())
	text = strings.ReplaceAll(text, strconv.Itoa(cmd.ProcessState.Pid()), "PID")
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "# Topology file: generated on ") {
			lines[i] = "" // the time
		}
	}
	return strings.Join(lines, "\n")
}

// linkerFlags are those of the Makefile but for the version.
func linkerFlags(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	_, flags, _ := strings.Cut(string(text), "\nLDFLAGS := ")
	flags, _, ok := strings.Cut(flags, " -X ")
	if !ok || !strings.Contains(flags, "-s -w") {
		t.Fatalf("the Makefile has the flags %q", flags)
	}
	return flags
}

// build makes a directory with the program, and links to it with the names of all tools.
func build(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "ibscope")
	flags := linkerFlags(t) + " -X github.com/ibscope/ibscope/internal/cli/version.stamp=" + version
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", flags, "-o", program, "github.com/ibscope/ibscope/cmd/ibscope")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, a := range applets.All() {
		if err := os.Symlink(program, filepath.Join(dir, a.Tool.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
