package simserve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/ibsim"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/mad"
)

const topology = `Switch 4 "sw"	# "The Switch"
[1] "ca"[2]

Hca 2 "ca" # "Adapter One"
[2] "sw"[1]

Hca 1 "plain"
`

// written is a file with the topology above.
func written(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "net")
	if err := os.WriteFile(name, []byte(topology), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestWhereClientsAttach: by every kind of name, at ibsim's ports.
func TestWhereClientsAttach(t *testing.T) {
	file := serve(t, "sim:"+written(t), nil)
	generated := serve(t, "sim:star?hosts=3", nil)
	pinned := serve(t, "sim:"+written(t)+"?node=Adapter One&port=2", nil)
	for _, test := range []struct {
		server *ibsim.Server
		host   string
		id     string // "" if there is no such node
		port   uint8
	}{
		{file, "", "sw", 0},
		{file, "sw", "sw", 0},
		{file, "The Switch", "sw", 0},
		{file, "ca", "ca", 1},
		{file, "Adapter One", "ca", 1},
		{file, "plain", "plain", 1},
		{file, "0x100000", "ca", 1},
		{file, "H-0000000000100000", "ca", 1},
		{file, "Adapter", "", 0},
		{file, "H-00000000001000ff", "", 0},
		{generated, "", "H-b83fd20300000008", 1},
		{generated, "node0002 mlx5_0", "H-b83fd2030000000c", 1},
		{generated, "H-b83fd2030000000c", "H-b83fd2030000000c", 1},
		{pinned, "", "ca", 2},
		{pinned, "sw", "sw", 0},
	} {
		c, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: test.server.Addr(), Host: test.host})
		if test.id == "" {
			if !errors.Is(err, ibsim.ErrNoNode) {
				t.Errorf("%q: %v, want ErrNoNode", test.host, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.host, err)
			continue
		}
		if c.NodeID() != test.id || c.PortInfo().LocalPort != test.port {
			t.Errorf("%q: node %q port %d, want %q port %d", test.host, c.NodeID(), c.PortInfo().LocalPort, test.id, test.port)
		}
		c.Close()
	}
}

// ask sends a NodeInfo request along a route and gives what comes, and when.
func ask(t *testing.T, name string, hops ...int) (*mad.Packet, time.Duration, error) {
	t.Helper()
	c, err := ibsim.Dial(t.Context(), &ibsim.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	timer := time.AfterFunc(500*time.Millisecond, func() { c.Close() })
	defer timer.Stop()
	var p mad.Packet
	p.Init(mad.ClassSubnDirected, mad.MethodGet, 0x11, 0)
	p.SetTID(77)
	path, err := ib.NewDRPath(hops...)
	if err != nil {
		t.Fatal(err)
	}
	target := mad.ByPath(path)
	start := time.Now()
	if err := c.Send(&p, target.Route(&p), 0); err != nil {
		t.Fatal(err)
	}
	_, err = c.Recv(&p)
	return &p, time.Since(start), err
}

func TestTimeoutsAndLatency(t *testing.T) {
	quick := serve(t, "sim:star?hosts=3&latency=60ms", nil)
	silent := serve(t, "sim:star?hosts=3", func(n *network, _ *ibsim.ServerOptions) { n.silent = true })
	lossy := serve(t, "sim:star?hosts=3&loss=1", nil)

	if p, after, err := ask(t, quick.Addr(), 1, 2); err != nil || !p.IsResponse() || after < 60*time.Millisecond {
		t.Errorf("answered after %v, want 60ms: %v", after, err)
	}
	var lost *mad.SendError
	if p, after, err := ask(t, quick.Addr(), 1, 9); !errors.As(err, &lost) || p.TID() != 77 || after > 50*time.Millisecond {
		t.Errorf("no way: %v after %v, want ETIMEDOUT at once", err, after)
	}
	if _, _, err := ask(t, lossy.Addr(), 1, 2); !errors.As(err, &lost) {
		t.Errorf("lost: %v, want ETIMEDOUT", err)
	}
	if _, _, err := ask(t, silent.Addr(), 1, 9); !errors.Is(err, os.ErrClosed) {
		t.Errorf("no way, silent: %v, want nothing", err)
	}
}

// TestProcess: the lines of a process, and its end.
func TestProcess(t *testing.T) {
	p := start(t, "sim:star?hosts=3", "-v")
	if _, _, err := ask(t, p.name, 1, 2); err != nil {
		t.Error(err)
	}
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Errorf("SIGTERM: %v", err)
	}
	if got := p.stderr.String(); !strings.Contains(got, "clients: 1, refused 0") || !strings.Contains(got, "packets: 1 from clients, 1 to clients") {
		t.Errorf("counts: %s", got)
	}
}

func TestReadyFD(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fd, err := syscall.Dup(int(w.Fd())) // the command closes it
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	s := settings{listen: "unix:" + uniqueName(), timeouts: timeoutsNone, maxClients: 1, readyFD: fd}
	var stdout bytes.Buffer
	done := make(chan error, 1)
	go func() {
		done <- s.run(ctx, &env.Env{Stdout: &stdout, Stderr: io.Discard}, []string{"sim:star?hosts=3"})
	}()
	line, err := io.ReadAll(r) // to the end: it is closed
	if err != nil || string(line) != "serving 4 nodes on "+s.listen+", clients start at H-b83fd20300000008\n" {
		t.Errorf("%q, %v", line, err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(string(line), stdout.String()); diff != "" {
		t.Errorf("standard output (-descriptor +output)\n%s", diff)
	}
}

func TestMistakes(t *testing.T) {
	taken := serve(t, "sim:star?hosts=3", nil)
	good := settings{listen: "unix:" + uniqueName(), timeouts: timeoutsNone, maxClients: 1}
	for name, test := range map[string]struct {
		change func(*settings)
		uri    string
		code   int
		text   string
	}{
		"timeouts":  {func(s *settings) { s.timeouts = "never" }, "sim:star", env.Usage, "none or real"},
		"clients":   {func(s *settings) { s.maxClients = 0 }, "sim:star", env.Usage, "1…65536"},
		"listen":    {func(s *settings) { s.listen = "tcp:x" }, "sim:star", env.Usage, "unix:NAME or udp:HOST:PORT"},
		"bad name":  {func(s *settings) { s.listen = "unix:a:b" }, "sim:star", env.Usage, "unix:NAME"},
		"taken":     {func(s *settings) { s.listen = "unix:" + taken.Addr() }, "sim:star", env.Failed, "another simulator listens there"},
		"no fabric": {func(*settings) {}, "sim:/nonexistent/file", env.Failed, "no such file"},
		"kernel":    {func(*settings) {}, "umad:", env.Failed, "sim:"},
	} {
		s := good
		test.change(&s)
		err := s.run(t.Context(), &env.Env{Stdout: io.Discard, Stderr: io.Discard}, []string{test.uri})
		var exit *env.ExitError
		if !errors.As(err, &exit) || exit.Code != test.code || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want code %d and %q", name, err, test.code, test.text)
		}
	}
}
