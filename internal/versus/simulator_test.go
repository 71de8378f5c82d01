package versus_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// simulator serves a fabric to both, from a process of its own.
type simulator struct {
	name string // base of its socket names
	host string // where clients are
}

// topology is a fabric as both simulators read it.
type topology struct{ uri, file, host string }

var firstHost = regexp.MustCompile(`(?m)^(?:Hca|Ca)\s+\d+\s+"[^"]*"\s*#\s*"([^"]+)"`)

// export writes a generated fabric for ibsim.
func export(t testing.TB, uri string) topology {
	t.Helper()
	file := filepath.Join(t.TempDir(), "net")
	if out, err := exec.CommandContext(t.Context(), *program, "sim", "export", "-o", "ibsim", uri, file).CombinedOutput(); err != nil {
		t.Fatalf("sim export: %v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	host := firstHost.FindSubmatch(text)
	if host == nil {
		t.Fatalf("%s has no host with a description", uri)
	}
	return topology{uri, file, string(host[1])}
}

// byIbsim serves the fabric by ibsim.
func (f *topology) byIbsim(t testing.TB) *simulator {
	return &simulator{testenv.StartIbsim(t, f.file).Name, f.host}
}

var served atomic.Int64

// byOurs serves the fabric by "ibscope sim serve".
func (f *topology) byOurs(t testing.TB) *simulator {
	t.Helper()
	name := fmt.Sprintf("ibscope-versus-%d-%d", os.Getpid(), served.Add(1))
	cmd := exec.CommandContext(t.Context(), *program, "sim", "serve", "--listen", "unix:"+name, f.uri)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatalf("sim serve: %q, %v", line, err)
	}
	go io.Copy(io.Discard, stdout)
	return &simulator{name, f.host}
}
