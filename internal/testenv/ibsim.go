package testenv

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// startTimeout is generous: a fabric of 60 000 ports takes ibsim several
// seconds on a loaded machine, because its look-ups are linear.
const startTimeout = 2 * time.Minute

// An Ibsim is a running ibsim of the C project.
type Ibsim struct {
	Name string // base of its socket names: IBSIM_SOCKNAME
	File string // the topology, absolute
	Port int    // its control port when it was started with IbsimUDP, else 0

	cmd    *exec.Cmd
	stderr *Buffer
	exited chan struct{} // closed when the program is gone
}

// An IbsimOption changes how StartIbsim starts the program.
type IbsimOption func(*ibsimConfig)

type ibsimConfig struct {
	args []string
	name string
	port int
}

// IbsimArgs appends command-line arguments, which win over those that
// StartIbsim chooses: "-I", "-N", "4096", …
func IbsimArgs(args ...string) IbsimOption {
	return func(c *ibsimConfig) { c.args = append(c.args, args...) }
}

// IbsimName sets the base of the socket names instead of a unique one.
func IbsimName(name string) IbsimOption {
	return func(c *ibsimConfig) { c.name = name }
}

// IbsimUDP serves clients over UDP at a free control port and the ten after it.
func IbsimUDP(t testing.TB) IbsimOption {
	t.Helper()
	port := freeUDPPorts(t)
	return func(c *ibsimConfig) {
		c.port = port
		c.args = append(c.args, "-r", "-l", strconv.Itoa(port))
	}
}

// sims numbers the simulators of this process.
var sims atomic.Int64

// StartIbsim runs ibsim on a topology file, with its tables as large as the
// file needs, and returns when it serves clients. It is killed when the test
// ends. Without ibsim the test is skipped.
func StartIbsim(t testing.TB, topologyFile string, opts ...IbsimOption) *Ibsim {
	t.Helper()
	file, err := filepath.Abs(topologyFile)
	if err != nil {
		t.Fatal(err)
	}
	limits, err := ibsimLimits(file)
	if err != nil {
		t.Fatal(err)
	}
	c := ibsimConfig{name: fmt.Sprintf("ibscope-%d-%d", os.Getpid(), sims.Add(1))}
	for _, o := range opts {
		o(&c)
	}

	args := append([]string{"-s", "-n"}, limits...)
	args = append(append(args, c.args...), file)
	s := &Ibsim{Name: c.name, File: file, Port: c.port, stderr: &Buffer{}, exited: make(chan struct{})}
	s.cmd = exec.Command(Tool(t, "ibsim"), args...)
	s.cmd.Env = append(os.Environ(), "IBSIM_SOCKNAME="+s.Name)
	s.cmd.Dir = filepath.Dir(file) // include files are named relative to it
	s.cmd.Stderr = s.stderr
	s.cmd.SysProcAttr = dieWithParent()
	s.start(t)
	return s
}

// start runs the prepared command and waits until it is ready.
func (s *Ibsim) start(t testing.TB) {
	t.Helper()
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatalf("ibsim: %v", err)
	}
	ready := make(chan struct{})
	go func() {
		defer close(s.exited)
		scanReady(stdout, ready)
		s.cmd.Wait() // killed at the end: its status says nothing
	}()
	t.Cleanup(s.Kill)

	select {
	case <-ready:
		s.waitListening(t)
	case <-s.exited:
		t.Fatalf("ibsim %s ended at once: %s", s.File, tail(s.stderr.String()))
	case <-time.After(startTimeout):
		t.Fatalf("ibsim %s is not ready after %v", s.File, startTimeout)
	}
}

// waitListening covers the moment between the ready line and the sockets, which
// ibsim binds only afterwards.
func (s *Ibsim) waitListening(t testing.TB) {
	t.Helper()
	for deadline := time.Now().Add(startTimeout); !s.Listening(); {
		select {
		case <-s.exited:
			t.Fatalf("ibsim %s ended at once: %s", s.File, tail(s.stderr.String()))
		case <-time.After(time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("ibsim %s does not listen after %v", s.File, startTimeout)
		}
	}
}

// scanReady closes ready at the line that ibsim prints once the fabric is set
// up, and goes on reading so that the program never blocks.
func scanReady(stdout io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Network simulator ready") {
			close(ready)
			break
		}
	}
	io.Copy(io.Discard, stdout)
}

// Kill ends the program and waits until it is gone. It may be called more than
// once.
func (s *Ibsim) Kill() {
	s.cmd.Process.Kill()
	<-s.exited
}

// Pause stops the program without ending it, as a debugger would; Resume lets
// it go on.
func (s *Ibsim) Pause() error { return pause(s.cmd.Process) }

// Resume undoes Pause.
func (s *Ibsim) Resume() error { return resume(s.cmd.Process) }

// Pid is the process id of the program.
func (s *Ibsim) Pid() int { return s.cmd.Process.Pid }

// UDPAddr is HOST:PORT of the control port, for a simulator of IbsimUDP.
func (s *Ibsim) UDPAddr() string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port))
}

// Stderr is what the program has printed there so far: mostly warnings about
// topology lines without link data, which do no harm.
func (s *Ibsim) Stderr() string { return s.stderr.String() }

// Listening reports whether the control socket of the simulator exists.
func (s *Ibsim) Listening() bool {
	if s.Port != 0 {
		return boundUDP(s.Port + 10) // the last one that it binds
	}
	c, err := net.Dial("unixgram", "@"+s.Name+":ctl\x00")
	if err != nil {
		return false
	}
	c.Close()
	return true
}

// tail is the end of a long text.
func tail(s string) string {
	s = strings.TrimSpace(s)
	if i := len(s) - 2000; i > 0 {
		return "… " + s[i:]
	}
	return s
}
