package oracle_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/source"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// served is a simulated fabric of ours in the place of ibsim, for what ibsim
// lacks: agents of other classes, counters that stand still.
type served struct {
	*source.Simulator
	*testenv.Ibsim

	server *ibsim.Server
}

var servedNames atomic.Int64

// serve serves the fabric of a sim: URI until the test ends.
func serve(t *testing.T, uri string) *served {
	t.Helper()
	s, err := source.OpenSimulator(uri)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("ibscope-oracle-%d-%d", os.Getpid(), servedNames.Add(1))
	server, err := ibsim.Listen(&network{s}, &ibsim.ServerOptions{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- server.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &served{s, &testenv.Ibsim{Name: server.Addr()}, server}
}

// still makes the counters of the fabric stand still, each with a value of its
// own: of its port, its name and seed.
func (s *served) still(t *testing.T, seed uint64) {
	t.Helper()
	s.Fabric.Watch(nil)
	for n := range s.Fabric.Model().Nodes() {
		for num := range n.NumPorts() + 1 {
			for i, name := range s.Agents.Counters.Names() {
				v := (seed*7919 + uint64(num)*31 + uint64(i)*17) % 200
				if err := s.Agents.Counters.Set(sim.Place{Node: n, Port: num}, name, v); err != nil && seed == 0 {
					t.Log(err)
				}
			}
		}
	}
}

// network serves a simulator.
type network struct{ *source.Simulator }

// Attach implements ibsim.Network.
func (n *network) Attach(name string, arrive func(*mad.Packet, mad.Addr, error)) (ibsim.NetworkPort, error) {
	node := n.At
	if name != "" {
		var err error
		if node, err = n.Node(name); err != nil {
			return nil, err
		}
	}
	num := 0
	if node.Type() != ib.NodeSwitch {
		num = 1
	}
	port, err := n.Fabric.AttachAt(node.GUID().String(), num)
	if err != nil {
		return nil, err
	}
	port.ReturnLost()
	port.Receive(arrive)
	return &networkPort{port, node}, nil
}

type networkPort struct {
	*sim.Port
	node *fabric.Node
}

func (p *networkPort) NodeID() string {
	letter := "H"
	if p.node.Type() == ib.NodeSwitch {
		letter = "S"
	}
	return fmt.Sprintf("%s-%016x", letter, uint64(p.node.GUID()))
}

// notOurs is what only C says on stderr: libumad2sim that it is there, libibmad
// each of its tries, libibnetdisc lines of its source.
var notOurs = regexp.MustCompile(`sim_connect: attached|_do_madrpc: (retry|timeout)|libibnetdisc/\w+\.c:`)

// sideBySide runs a command line with C on one fabric and with ours on its twin,
// and compares exit code, stdout, and what C says on stderr: every line of it is
// to be found in ours. A difference that is meant is taken out of both by change.
func sideBySide(t *testing.T, forC, forUs *testenv.Ibsim, host, line string, change func(string) string) {
	t.Helper()
	beside(t, forC, forUs, host, line, line, change)
}

// beside is sideBySide for command lines that differ.
func beside(t *testing.T, forC, forUs *testenv.Ibsim, host, theirLine, ourLine string, change func(string) string) {
	t.Helper()
	want := c(t, forC, host, strings.Fields(theirLine)...)
	got := oursAt(t, "ibsim:"+forUs.Name, host, strings.Fields(ourLine)...)
	want.stdout = strings.ReplaceAll(want.stdout, "/usr/sbin/", "")
	if change != nil {
		want.stdout, got.stdout = change(want.stdout), change(got.stdout)
	}
	if want.code != got.code {
		t.Errorf("exit code %d, C has %d\n%s%s", got.code, want.code, got.stdout, got.stderr)
	}
	if diff := cmp.Diff(want.stdout, got.stdout); diff != "" {
		t.Errorf("stdout (-C +ours)\n%s", diff)
	}
	told := pid.ReplaceAllString(strings.ReplaceAll(got.stderr, "/usr/sbin/", ""), "[PID]")
	for said := range strings.Lines(strings.ReplaceAll(want.stderr, "/usr/sbin/", "")) {
		if said = pid.ReplaceAllString(said, "[PID]"); !notOurs.MatchString(said) && !strings.Contains(told, said) {
			t.Errorf("C says on stderr %q, ours\n%s", said, told)
		}
	}
}
