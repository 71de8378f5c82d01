package simserve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/cli/env"
)

// TestMain makes the test binary behave as ibscope where a test calls it so.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "sim" && os.Args[2] == "serve" {
		os.Exit(ibscope())
	}
	os.Exit(m.Run())
}

func ibscope() int {
	e := env.System()
	root := &cobra.Command{Use: "ibscope", SilenceErrors: true, SilenceUsage: true}
	sim := &cobra.Command{Use: "sim"}
	root.AddCommand(sim)
	sim.AddCommand(Command(e))
	ctx, stop := signalContext()
	defer stop()
	err := root.ExecuteContext(ctx)
	var exit *env.ExitError
	switch {
	case err == nil:
		return env.OK
	case !errors.As(err, &exit):
		e.Complain("%v", err)
		return env.Usage
	}
	if exit.Err != nil {
		e.Complain("%v", exit.Err)
	}
	return exit.Code
}

var names atomic.Int64

// uniqueName is a base of socket names that nobody else has.
func uniqueName() string { return fmt.Sprintf("ibscope-serve-%d-%d", os.Getpid(), names.Add(1)) }

// serve serves a fabric in this process until the test ends.
func serve(t testing.TB, uri string, change func(*network, *ibsim.ServerOptions)) *ibsim.Server {
	t.Helper()
	n, err := openNetwork(uri)
	if err != nil {
		t.Fatal(err)
	}
	o := &ibsim.ServerOptions{Name: uniqueName()}
	if change != nil {
		change(n, o)
	}
	s, err := ibsim.Listen(n, o)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return s
}

// process is "ibscope sim serve" in a process of its own.
type process struct {
	*exec.Cmd
	name   string
	stderr bytes.Buffer
}

// start runs the command until the test ends, and waits for its first line.
func start(t testing.TB, uri string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{name: uniqueName()}
	p.Cmd = exec.Command(self, append([]string{"sim", "serve", "--listen", "unix:" + p.name, uri}, args...)...)
	p.Stderr = &p.stderr
	stdout, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.stop(t) })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "serving ") {
		t.Fatalf("%q, %v, %s", line, err, p.stderr.String())
	}
	go io.Copy(io.Discard, stdout)
	return p
}

// stop interrupts the process, which must end well and soon.
func (p *process) stop(t testing.TB) {
	if p.ProcessState != nil {
		return
	}
	timer := time.AfterFunc(10*time.Second, func() { p.Process.Kill() })
	defer timer.Stop()
	p.Process.Signal(os.Interrupt)
	if err := p.Wait(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, p.stderr.String())
	}
}
