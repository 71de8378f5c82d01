package ibsim

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

var _ madrpc.Transport = (*Conn)(nil)

// dial attaches to a simulator for the length of the test.
func dial(t testing.TB, o *Options) *Conn {
	t.Helper()
	c, err := Dial(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// nodeInfo makes a request for NodeInfo at the end of a directed route.
func nodeInfo(tid uint64, ports ...uint8) (*mad.Packet, mad.Addr) {
	p := new(mad.Packet)
	p.Init(mad.ClassSubnDirected, mad.MethodGet, 0x11, 0)
	p.SetTID(tid)
	var target mad.Target
	for _, port := range ports {
		target.Path, _ = target.Path.Append(port)
	}
	return p, target.Route(p)
}

// exchange sends one request and waits for what comes back.
func exchange(t testing.TB, c *Conn, p *mad.Packet, to mad.Addr) (*mad.Packet, mad.Addr, error) {
	t.Helper()
	if err := c.Send(p, to, 0); err != nil {
		t.Fatal(err)
	}
	in := new(mad.Packet)
	from, err := c.Recv(in)
	return in, from, err
}

func TestAttach(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	for _, tc := range []struct {
		host, id string
		nodeType ib.NodeType
		port     uint8
		node     ib.GUID
		portGUID ib.GUID
		vendor   Vendor
	}{
		{"", "h1", ib.NodeCA, 1, 0x1001, 0x1002, Vendor{Revision: 0xa1, Firmware: 1}},
		{"s2", "s2", ib.NodeSwitch, 0, 0x2002, 0x2002, Vendor{Revision: 0xa1, Firmware: 1}},
		{"host two", "h2", ib.NodeCA, 1, 0x1011, 0x1012, Vendor{0x2c9, 4115, 0xa1, 1}},
	} {
		c := dial(t, &Options{Name: sim.Name, Host: tc.host})
		n, p := c.NodeInfo(), c.PortInfo()
		if c.NodeID() != tc.id || n.NodeType != tc.nodeType || n.LocalPort != tc.port || p.LocalPort != tc.port {
			t.Errorf("%q: attached to %q, type %v, port %d and %d", tc.host, c.NodeID(), n.NodeType, n.LocalPort, p.LocalPort)
		}
		if n.NodeGUID != tc.node || n.PortGUID != tc.portGUID || c.Vendor() != tc.vendor {
			t.Errorf("%q: node %v port %v %+v", tc.host, n.NodeGUID, n.PortGUID, c.Vendor())
		}
		// The same by a MAD: what Dial tells must not differ from it.
		req, to := nodeInfo(1)
		in, _, err := exchange(t, c, req, to)
		if err != nil {
			t.Fatal(err)
		}
		var byMAD smp.NodeInfo
		byMAD.Decode(in.SMPData())
		if byMAD != n {
			t.Errorf("%q: Dial tells\n%+v, the agent\n%+v", tc.host, n, byMAD)
		}
		c.Close()
	}
}

func TestHops(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	for _, tc := range []struct {
		ports []uint8
		guid  ib.GUID
	}{
		{nil, 0x1001},
		{[]uint8{1}, 0x2001},
		{[]uint8{1, 2}, 0x2002},
		{[]uint8{1, 2, 2}, 0x1011},
	} {
		const tid = 0xfedc_ba98_7654_3210
		req, to := nodeInfo(tid, tc.ports...)
		in, from, err := exchange(t, c, req, to)
		if err != nil {
			t.Fatalf("%v: %v", tc.ports, err)
		}
		var n smp.NodeInfo
		n.Decode(in.SMPData())
		if n.NodeGUID != tc.guid || in.TID() != tid || !in.IsResponse() || from.LID != ib.PermissiveLID {
			t.Errorf("%v: node %v, TID %x, %v from LID %v", tc.ports, n.NodeGUID, in.TID(), in.Method(), from.LID)
		}
	}
}

func TestUndelivered(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	unreachable, permissive := nodeInfo(1<<63|1, 1, 8)
	noLID := *unreachable
	noLID.Init(mad.ClassPerf, mad.MethodGet, 0x12, 0)
	noLID.SetTID(1<<63 | 2)
	for name, tc := range map[string]struct {
		p  *mad.Packet
		to mad.Addr
	}{
		"no link":     {unreachable, permissive},
		"unknown LID": {&noLID, mad.Addr{LID: 99, QP: 1}},
		"no LID":      {&noLID, mad.Addr{QP: 1}},
	} {
		start := time.Now()
		in, from, err := exchange(t, c, tc.p, tc.to)
		var lost *mad.SendError
		if !errors.As(err, &lost) || !errors.Is(err, syscall.ETIMEDOUT) {
			t.Errorf("%s: %v, want a SendError of ETIMEDOUT", name, err)
		}
		if in.IsResponse() || in.TID() != tc.p.TID() || in.AttrID() != tc.p.AttrID() {
			t.Errorf("%s: %v TID %x %v is not the request", name, in.Method(), in.TID(), in.AttrID())
		}
		if from.LID != tc.to.LID || from.QP != tc.to.QP {
			t.Errorf("%s: from %+v, was sent to %+v", name, from, tc.to)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
	req, to := nodeInfo(3)
	if _, _, err := exchange(t, c, req, to); err != nil {
		t.Errorf("after lost requests: %v", err)
	}
}

func TestTooManyHops(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	p, to := nodeInfo(1)
	p[7] = 64 // the hop count
	if err := c.Send(p, to, 0); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("64 hops: %v", err)
	}
	p, to = nodeInfo(2)
	if _, _, err := exchange(t, c, p, to); err != nil {
		t.Errorf("the connection is dead after a refused packet: %v", err)
	}
}

func TestTenClients(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	taken := map[int]bool{}
	var conns []*Conn
	for i := range slots {
		c := dial(t, &Options{Name: sim.Name, Host: []string{"", "s1", "h2"}[i%3]})
		taken[c.Client()] = true
		conns = append(conns, c)
	}
	if len(taken) != slots {
		t.Errorf("%d clients share %d slots", slots, len(taken))
	}
	for _, host := range []string{"", "s1", "nowhere"} {
		if _, err := Dial(t.Context(), &Options{Name: sim.Name, Host: host}); !errors.Is(err, ErrNoSlot) {
			t.Errorf("eleventh client at %q: %v", host, err)
		}
	}
	for i, c := range conns { // all send before any receives
		req, to := nodeInfo(uint64(i))
		if err := c.Send(req, to, 0); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range conns {
		var in mad.Packet
		if _, err := c.Recv(&in); err != nil || in.TID() != uint64(i) {
			t.Errorf("client %d: TID %d, %v", i, in.TID(), err)
		}
	}
	conns[4].Close()
	if c := dial(t, &Options{Name: sim.Name}); c.Client() != conns[4].Client() {
		t.Errorf("got slot %d, free was %d", c.Client(), conns[4].Client())
	}
}

func TestDialErrors(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	long := strings.Repeat("x", nodeIDSize)
	for name, tc := range map[string]struct {
		ctx  context.Context
		o    Options
		want error
		says string
	}{
		"no server":     {t.Context(), Options{Name: sim.Name + "-none"}, syscall.ECONNREFUSED, "ibsim -s -n FILE"},
		"no UDP server": {t.Context(), Options{Network: "udp", Address: "127.0.0.1:9"}, syscall.ECONNREFUSED, "ibsim -s -n -r -l 9 FILE"},
		"bad host":      {t.Context(), Options{Name: sim.Name, Host: "nowhere"}, ErrNoNode, `"nowhere" is neither`},
		"long host":     {t.Context(), Options{Name: sim.Name, Host: long}, ErrNoNode, "31 bytes"},
		"long name":     {t.Context(), Options{Name: strings.Repeat("x", 108)}, syscall.ENAMETOOLONG, ""},
		"bad network":   {t.Context(), Options{Network: "tcp"}, nil, "tcp"},
		"canceled":      {canceled, Options{Name: sim.Name}, context.Canceled, ""},
	} {
		c, err := Dial(tc.ctx, &tc.o)
		if err == nil {
			c.Close()
			t.Errorf("%s: no error", name)
			continue
		}
		var typed *Error
		if !errors.As(err, &typed) || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		if text := err.Error(); !strings.Contains(text, tc.says) || strings.Contains(text, "\n") {
			t.Errorf("%s: %q does not say %q", name, text, tc.says)
		}
		t.Log(err)
	}
	dial(t, &Options{Name: sim.Name}) // no attempt has kept a slot or hurt the server
}

// TestNotAnswering gives up on a simulator that does not serve clients, as one
// before its command Start. That must do no harm to it.
func TestNotAnswering(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	if err := sim.Pause(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		_, err := Dial(ctx, &Options{Name: sim.Name})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "started") {
			t.Errorf("%v", err)
		}
	}
	warnings := sim.Stderr()
	sim.Resume()
	for range slots { // all slots are free, and the simulator lives
		dial(t, &Options{Name: sim.Name})
	}
	if more := sim.Stderr()[len(warnings):]; more != "" {
		t.Errorf("the simulator complains: %s", more)
	}
}

func TestServerKilled(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	got := make(chan error, 1)
	go func() {
		_, err := c.Recv(new(mad.Packet))
		got <- err
	}()
	sim.Kill()
	p, to := nodeInfo(1)
	if err := c.Send(p, to, 0); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("Send: %v", err)
	}
	if err := <-got; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("waiting Recv: %v", err)
	} else {
		t.Log(err)
	}
	if _, err := c.Recv(new(mad.Packet)); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("next Recv: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestClose(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	got := make(chan error, 1)
	go func() {
		_, err := c.Recv(new(mad.Packet))
		got <- err
	}()
	time.Sleep(10 * time.Millisecond)
	c.Close()
	if err := <-got; !errors.Is(err, os.ErrClosed) {
		t.Errorf("waiting Recv: %v", err)
	}
	if _, err := c.Recv(new(mad.Packet)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Recv: %v", err)
	}
	p, to := nodeInfo(1)
	if err := c.Send(p, to, 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestUDP(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net", testenv.IbsimUDP(t))
	o := &Options{Network: "udp", Address: sim.UDPAddr(), Host: "h2"}
	a, b := dial(t, o), dial(t, o)
	for i, c := range []*Conn{a, b, a} {
		req, to := nodeInfo(uint64(i)|1<<60, 1, 1)
		in, _, err := exchange(t, c, req, to)
		var n smp.NodeInfo
		n.Decode(in.SMPData())
		if err != nil || n.NodeGUID != 0x2001 || in.TID() != req.TID() {
			t.Errorf("node %v, TID %x, %v", n.NodeGUID, in.TID(), err)
		}
	}
	flood(t, a, 1000)
	sim.Kill()
	p, to := nodeInfo(1)
	c := make(chan error, 1)
	go func() {
		_, err := a.Recv(new(mad.Packet))
		c <- err
	}()
	a.Send(p, to, 0) // the refusal comes back after the datagram has left
	if err := <-c; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("Recv after the end: %v", err)
	}
}
