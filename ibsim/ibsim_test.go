package ibsim

import (
	"errors"
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
