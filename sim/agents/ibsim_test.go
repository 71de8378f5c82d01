package agents_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/perf"
)

// twoSwitches is a fabric for the C tools. They attach to its first node.
const twoSwitches = `caguid=0x1001
Ca	2 "h1"	# "host one"
[1]	"s1"[1]

switchguid=0x2001
Switch	4 "s1"	# "switch one"
[1]	"h1"[1]
[2]	"s2"[1]

switchguid=0x2002
Switch	4 "s2"	# "switch two"
[1]	"s1"[2]
[2]	"h2"[1]

caguid=0x1011
Ca	2 "h2"	# "host two"
[1]	"s2"[2]
`

// pair is one fabric twice: in ibsim and in the simulator behind a server.
type pair struct {
	*testing.T
	c, our  *testenv.Ibsim
	console io.Writer // of ibsim
	model   *fabric.Fabric
	perf    *perf.Counters
}

func newPair(t *testing.T) *pair {
	t.Helper()
	testenv.Need(t, "ibsim", "umad2sim", "opensm", "perfquery")
	file := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(file, []byte(twoSwitches), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &pair{T: t}
	p.startIbsim(file)
	p.startOurs(file)
	return p
}

// manage lets a subnet manager set up both fabrics. With stay it runs until the
// end of the test, for tools that ask it.
func (p *pair) manage(stay bool) {
	p.Helper()
	for _, s := range []*testenv.Ibsim{p.c, p.our} {
		dir := p.TempDir()
		log, config := filepath.Join(dir, "log"), filepath.Join(dir, "config")
		if err := os.WriteFile(config, []byte("force_log_flush TRUE\n"), 0o600); err != nil {
			p.Fatal(err)
		}
		args := []string{"-F", config, "-f", log, "-o"}
		if stay {
			args = []string{"-F", config, "-f", log, "-s", "0"}
		}
		sm := testenv.CommandC(p, s, "h1", "opensm", args...)
		sm.Env = append(sm.Env, "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir)
		if !stay {
			if out, err := sm.CombinedOutput(); err != nil {
				p.Fatalf("opensm: %v\n%s", err, out)
			}
			continue
		}
		if err := sm.Start(); err != nil {
			p.Fatal(err)
		}
		p.Cleanup(func() { _ = sm.Process.Kill(); _ = sm.Wait() })
		p.waitUp(log)
	}
}

// waitUp waits until opensm says that the fabric is set up. Asking the fabric
// would move the counters that are to be compared.
func (p *pair) waitUp(log string) {
	p.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(log) // not there at first
		switch {
		case strings.Contains(string(text), "SUBNET UP"):
			time.Sleep(300 * time.Millisecond) // for the requests that it had under way
			return
		case time.Now().After(deadline):
			p.Fatalf("opensm does not set the fabric up:\n%s", text)
		}
	}
}

// startIbsim starts ibsim with a console.
func (p *pair) startIbsim(file string) {
	p.Helper()
	p.c = &testenv.Ibsim{Name: fmt.Sprintf("agents-%d-%s", os.Getpid(), p.Name())}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, testenv.Tool(p, "ibsim"), "-s", file)
	cmd.Env = append(os.Environ(), "IBSIM_SOCKNAME="+p.c.Name)
	in, err := cmd.StdinPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	p.console = in
	p.Cleanup(func() { cancel(); _ = cmd.Wait() })
	for deadline := time.Now().Add(time.Minute); !p.c.Listening(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatal("ibsim does not listen")
		}
	}
}

// startOurs serves the same fabric.
func (p *pair) startOurs(file string) {
	p.Helper()
	var err error
	if p.model, err = format.Load(file); err != nil {
		p.Fatal(err)
	}
	s, err := sim.New(p.model, nil)
	if err != nil {
		p.Fatal(err)
	}
	a, err := agents.Use(s, &agents.Options{Servers: func(n *fabric.Node) bool { return n.GUID() == 0x1011 }})
	if err != nil {
		p.Fatal(err)
	}
	p.perf = a.Counters
	p.our = &testenv.Ibsim{Name: p.c.Name + "-ours"}
	server, err := ibsim.Listen(network{s}, &ibsim.ServerOptions{Name: p.our.Name})
	if err != nil {
		p.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- server.Serve(context.Background()) }()
	p.Cleanup(func() {
		server.Close()
		if err := <-done; err != nil {
			p.Error(err)
		}
	})
}

// network is the simulator as a server wants it; h1 is where clients attach.
type network struct{ *sim.Fabric }

func (n network) Attach(_ string, arrive func(*mad.Packet, mad.Addr, error)) (ibsim.NetworkPort, error) {
	port, err := n.AttachAt("host one", 1)
	if err != nil {
		return nil, err
	}
	port.ReturnLost()
	port.Receive(arrive)
	return networkPort{port}, nil
}

type networkPort struct{ *sim.Port }

func (networkPort) NodeID() string { return "h1" }

// place is a port by the id of its node in the file.
func (p *pair) place(id string, port int) sim.Place {
	p.Helper()
	guid := map[string]ib.GUID{"h1": 0x1001, "s1": 0x2001, "s2": 0x2002, "h2": 0x1011}[id]
	n, ok := p.model.NodeByGUID(guid)
	if !ok {
		p.Fatalf("no node %s", id)
	}
	return sim.Place{Node: n, Port: port}
}

// set sets a counter in both. The name is one of ibsim.
func (p *pair) set(id string, port int, name string, v uint64) {
	p.Helper()
	if _, err := fmt.Fprintf(p.console, "PerformanceSet \"%s\"[%d] %s=%d\n", id, port, name, v); err != nil {
		p.Fatal(err)
	}
	if err := p.perf.Set(p.place(id, port), name, v); err != nil {
		p.Fatal(err)
	}
}

// output is what a tool did.
type output struct {
	stdout, stderr string
	code           int
}

// run runs a tool on one of both.
func (p *pair) run(s *testenv.Ibsim, args ...string) (o output) {
	p.Helper()
	o.stdout, o.stderr, o.code = testenv.RunC(p, s, "h1", args[0], args[1:]...)
	return o
}
