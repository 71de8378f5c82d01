//go:build linux

package ibsim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// echo is a network whose nodes answer each request at once with its own data;
// to LID 99 nothing gets through.
type echo struct{ managers atomic.Int32 }

type echoPort struct {
	*echo
	node   string
	arrive func(*mad.Packet, mad.Addr, error)
}

func (e *echo) Attach(node string, arrive func(*mad.Packet, mad.Addr, error)) (NetworkPort, error) {
	if node == "" {
		node = "first"
	}
	if node != "first" && node != "second" {
		return nil, ErrNoNode
	}
	return &echoPort{e, node, arrive}, nil
}

func (p *echoPort) Send(m *mad.Packet, to mad.Addr, _ time.Duration) error {
	if to.LID == 99 {
		p.arrive(m, to, &mad.SendError{Err: syscall.ETIMEDOUT})
		return nil
	}
	if m.IsResponse() {
		return nil
	}
	reply := *m
	reply.SetMethod(mad.MethodGetResp)
	p.arrive(&reply, to, nil)
	return nil
}

func (p *echoPort) Close() error   { return nil }
func (p *echoPort) NodeID() string { return p.node }
func (p *echoPort) SetIsSM(on bool) {
	if on {
		p.managers.Add(1)
	} else {
		p.managers.Add(-1)
	}
}

func (p *echoPort) LocalAttribute(attr mad.AttrID, modifier uint32) (data [mad.DataSize]byte, _ mad.Status) {
	switch attr {
	case attrNodeInfo:
		n := smp.NodeInfo{NodeType: ib.NodeCA, NumPorts: 2, NodeGUID: 0x0102030405060708, PortGUID: 0x0102030405060709, LocalPort: 1, VendorID: 0x2c9, DeviceID: 0x101b, Revision: 7}
		n.Encode(&data)
	case attrPortInfo:
		v := smp.PortInfo{GIDPrefix: 0xfe80000000000000, LID: 0x1234, State: ib.PortActive, LocalPort: uint8(modifier)}
		v.Encode(&data)
	case attrPKeyTable:
		binary.BigEndian.PutUint16(data[:], 0xffff)
		binary.BigEndian.PutUint32(data[4:], modifier)
	default:
		return data, mad.StatusUnsupportedAttr
	}
	return data, mad.StatusOK
}

func startServer(t testing.TB, o *ServerOptions) (*Server, *echo) {
	t.Helper()
	if o.Network == "" {
		o.Name = fmt.Sprintf("server-%d-%d", os.Getpid(), fakes.Add(1))
	}
	n := &echo{}
	s, err := Listen(n, o)
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
		if n := s.Stats().Clients; n != 0 {
			t.Errorf("%d clients are attached to a closed server", n)
		}
	})
	return s, n
}

func dialServer(t testing.TB, s *Server, host string) *Conn {
	t.Helper()
	c, err := Dial(t.Context(), clientOf(s, host))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func clientOf(s *Server, host string) *Options {
	if _, ok := s.ctl.(*udpControl); ok {
		return &Options{Network: "udp", Address: s.Addr(), Host: host}
	}
	return &Options{Name: s.Addr(), Host: host}
}

func TestServerAnswers(t *testing.T) {
	for _, network := range []string{"unix", "udp"} {
		t.Run(network, func(t *testing.T) {
			o := &ServerOptions{}
			if network == "udp" {
				o.Network, o.Address = "udp", "127.0.0.1:0"
			}
			s, _ := startServer(t, o)
			c := dialServer(t, s, "second")
			if c.NodeID() != "second" || c.PortInfo().LID != 0x1234 || c.NodeInfo().NodeGUID != 0x0102030405060708 {
				t.Errorf("node %q, LID %d, GUID %s", c.NodeID(), c.PortInfo().LID, c.NodeInfo().NodeGUID)
			}
			if want := (Vendor{0x2c9, 0x101b, 7, 1}); c.Vendor() != want {
				t.Errorf("vendor %+v, want %+v", c.Vendor(), want)
			}
			var p mad.Packet
			p.SetTID(0x1122334455667788)
			p.SetClass(mad.ClassSubnLID)
			p.SetMethod(mad.MethodGet)
			if err := c.Send(&p, mad.Addr{LID: 7}, 0); err != nil {
				t.Fatal(err)
			}
			var got mad.Packet
			from, err := c.Recv(&got)
			if err != nil || from.LID != 7 || got.TID() != p.TID() || got.Method() != mad.MethodGetResp {
				t.Errorf("from %+v, TID %x, method %v, %v", from, got.TID(), got.Method(), err)
			}
			if err := c.Send(&p, mad.Addr{LID: 99}, 0); err != nil {
				t.Fatal(err)
			}
			var lost *mad.SendError
			if _, err := c.Recv(&got); !errors.As(err, &lost) || got != p {
				t.Errorf("an undelivered request comes back with %v, same: %v", err, got == p)
			}
		})
	}
}

// raw is a client that sends what it likes.
type raw struct {
	t    testing.TB
	s    *Server
	id   uint32
	ctl  *os.File
	data *os.File
}

func newRaw(t testing.TB, s *Server, id uint32) *raw {
	t.Helper()
	data, err := openSocket(localAddr(s.Addr(), "in", id))
	if err != nil {
		t.Fatal(err)
	}
	ctl, err := openSocket(localAddr(s.Addr(), "ctl", id))
	if err != nil {
		t.Fatal(err)
	}
	if err := connectSocket(ctl, &syscall.SockaddrUnix{Name: abstract(s.Addr(), "ctl")}); err != nil {
		t.Fatal(err)
	}
	r := &raw{t, s, id, ctl, data}
	t.Cleanup(r.close)
	return r
}

func (r *raw) close() {
	r.ctl.Close()
	r.data.Close()
}

// ask gives the answer's type and data.
func (r *raw) ask(m control) (messageType, [controlData]byte) {
	r.t.Helper()
	var b [controlSize + 1]byte
	m.encode((*[controlSize]byte)(b[:]))
	if _, err := r.ctl.Write(b[:controlSize]); err != nil {
		r.t.Fatal(err)
	}
	r.ctl.SetReadDeadline(time.Now().Add(5 * time.Second))
	n, err := r.ctl.Read(b[:])
	if err != nil || !m.decode(b[:n]) {
		r.t.Fatalf("type %d: %d bytes, %v", m.typ, n, err)
	}
	return m.typ, m.data
}

// settle reads all answers to what was sent before.
func (r *raw) settle() {
	m := control{client: maxSlots - 1, typ: typeDisconnect}
	binary.NativeEndian.PutUint64(m.data[:], rand.Uint64())
	for _, data := r.ask(m); data != m.data; {
		var b [controlSize]byte
		r.ctl.Read(b[:])
		var answer control
		answer.decode(b[:])
		data = answer.data
	}
}

func (r *raw) connect(h hello) (slot uint32, ok bool) {
	r.t.Helper()
	m := control{typ: typeConnect}
	h.id = r.id
	h.encode(&m.data)
	typ, data := r.ask(m)
	h.decode(&data)
	if typ != typeConnect {
		return 0, false
	}
	if err := connectSocket(r.data, &syscall.SockaddrUnix{Name: abstract(r.s.Addr(), fmt.Sprintf("out%d", h.id))}); err != nil {
		r.t.Fatal(err)
	}
	return h.id, true
}

func TestServerControl(t *testing.T) {
	s, _ := startServer(t, &ServerOptions{})
	r := newRaw(t, s, 5)
	slot, ok := r.connect(hello{})
	if !ok {
		t.Fatal("refused")
	}
	be, host := binary.BigEndian, binary.NativeEndian
	for name, tc := range map[string]struct {
		typ   messageType
		data  byte
		check func(d []byte) bool
	}{
		"port":               {typeGetPort, 0, func(d []byte) bool { return host.Uint16(d) == 0x1234 && d[2] == byte(ib.PortActive) }},
		"GID":                {typeGetGID, 0, func(d []byte) bool { return d[0] == 0xfe && host.Uint64(d[8:]) == 0x0102030405060708 }},
		"GUID":               {typeGetGUID, 0, func(d []byte) bool { return host.Uint64(d) == 0x0102030405060708 }},
		"NodeInfo":           {typeGetNodeInfo, 0, func(d []byte) bool { return d[3] == 2 }},
		"PortInfo":           {typeGetPortInfo, 0, func(d []byte) bool { return d[28] == 1 }},
		"PortInfo of 2":      {typeGetPortInfo, 2, func(d []byte) bool { return d[28] == 2 }},
		"PortInfo of port 3": {typeGetPortInfo, 3, func(d []byte) bool { return d[28] == 1 }},
		"P_Keys":             {typeGetPKeys, 0, func(d []byte) bool { return be.Uint16(d) == 0xffff && be.Uint32(d[4:]) == 0 }},
	} {
		typ, d := r.ask(control{client: slot, typ: tc.typ, data: [controlData]byte{tc.data}})
		if typ != tc.typ || !tc.check(d[:]) {
			t.Errorf("%s: type %d, %x", name, typ, d)
		}
	}
	for name, m := range map[string]control{
		"unknown type": {client: slot, typ: 11},
		"error":        {client: slot, typ: typeError},
		"free slot":    {client: slot + 1, typ: typeGetGUID},
		"no slot":      {client: 1 << 31, typ: typeGetGUID},
		"huge slot":    {client: 1 << 31, typ: typeDisconnect},
	} {
		if typ, _ := r.ask(m); typ != typeError {
			t.Errorf("%s: answered with type %d", name, typ)
		}
	}
	if typ, _ := r.ask(control{client: slot + 1, typ: typeDisconnect}); typ != typeDisconnect {
		t.Errorf("a free slot is not given back again")
	}
	other := newRaw(t, s, 6)
	m := control{typ: typeConnect}
	(&hello{id: r.id}).encode(&m.data)
	if typ, _ := other.ask(m); typ != typeError || s.client(uint64(slot)) == nil {
		t.Errorf("a stranger takes a client's place: type %d", typ)
	}
	if typ, _ := other.ask(control{client: slot, typ: typeDisconnect}); typ != typeError || s.Stats().Clients != 1 {
		t.Errorf("a stranger detaches a client: type %d", typ)
	}
}

func TestServerRefuses(t *testing.T) {
	s, n := startServer(t, &ServerOptions{MaxClients: 3})
	r := newRaw(t, s, 5)
	if _, ok := r.connect(hello{node: "third"}); ok {
		t.Error("attached to a node that is not there")
	}
	if _, ok := r.connect(hello{isSM: 1}); !ok || n.managers.Load() != 1 {
		t.Errorf("a subnet manager is refused, or not one: %d", n.managers.Load())
	}
	if _, ok := newRaw(t, s, 6).connect(hello{isSM: 1}); ok {
		t.Error("two subnet managers at one node")
	}
	for id := range uint32(2) {
		if _, ok := newRaw(t, s, 10+id).connect(hello{}); !ok {
			t.Errorf("client %d is refused", id)
		}
	}
	if _, err := Dial(t.Context(), clientOf(s, "")); !errors.Is(err, ErrNoSlot) {
		t.Errorf("one client too many: %v", err)
	}
	if _, err := Listen(n, &ServerOptions{Name: s.Addr()}); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("two servers of one name: %v", err)
	}
}

// TestManyClients: slots beyond those that ibsim has.
func TestManyClients(t *testing.T) {
	s, _ := startServer(t, &ServerOptions{})
	seen := map[int]bool{}
	for range 40 {
		c := dialServer(t, s, "")
		seen[c.Client()] = true
		exchangeOne(t, c)
	}
	if len(seen) != 40 || !seen[39] {
		t.Errorf("slots %v", seen)
	}
}

func exchangeOne(t testing.TB, c *Conn) {
	t.Helper()
	var p, got mad.Packet
	p.SetClass(mad.ClassSubnLID)
	p.SetMethod(mad.MethodGet)
	if err := c.Send(&p, mad.Addr{LID: 7}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Recv(&got); err != nil || got.TID() != p.TID() {
		t.Fatalf("TID %x, %v", got.TID(), err)
	}
}

// TestServerLazyClient: who does not read disturbs nobody, and gets what fits
// into the queue when it reads after all.
func TestServerLazyClient(t *testing.T) {
	s, _ := startServer(t, &ServerOptions{})
	lazy := newRaw(t, s, 5)
	if _, ok := lazy.connect(hello{}); !ok {
		t.Fatal("refused")
	}
	const sent = maxQueued + 3000
	var d datagram
	var p mad.Packet
	p.SetMethod(mad.MethodGet)
	for range sent {
		d.encode(&p, mad.Addr{LID: 7})
		if _, err := lazy.data.Write(d[:]); err != nil {
			t.Fatal(err)
		}
	}
	exchangeOne(t, dialServer(t, s, ""))
	for s.Stats().Requests < sent+1 {
		time.Sleep(time.Millisecond)
	}
	st := s.Stats()
	if st.Dropped == 0 || st.Dropped > 3000 {
		t.Errorf("%d dropped of %d", st.Dropped, sent)
	}
	lazy.data.SetReadDeadline(time.Now().Add(10 * time.Second))
	for i := range sent - int(st.Dropped) {
		if n, err := lazy.data.Read(d[:]); n != datagramSize || err != nil {
			t.Fatalf("datagram %d: %d bytes, %v", i, n, err)
		}
	}
}

// TestServerNoticesDeath: a client that vanishes is detached though nothing is
// sent to it, and one with its address replaces it at once.
func TestServerNoticesDeath(t *testing.T) {
	s, _ := startServer(t, &ServerOptions{})
	first := newRaw(t, s, 5)
	if _, ok := first.connect(hello{isSM: 1}); !ok {
		t.Fatal("refused")
	}
	first.close()
	again := newRaw(t, s, 5)
	if slot, ok := again.connect(hello{}); !ok || slot != 0 {
		t.Errorf("the successor: slot %d, %v", slot, ok)
	}
	again.close()
	for deadline := time.Now().Add(4 * patrolEvery); s.Stats().Clients > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the client is still attached")
		}
	}
	if st := s.Stats(); st.Vanished != 2 {
		t.Errorf("%d vanished, want 2", st.Vanished)
	}
}

// FuzzServer: whatever comes, a client next to it is served.
func FuzzServer(f *testing.F) {
	for typ := range messageType(12) {
		m := control{typ: typ}
		(&hello{id: 77, node: "second"}).encode(&m.data)
		var b [controlSize]byte
		m.encode(&b)
		f.Add(b[:], make([]byte, datagramSize))
	}
	f.Add([]byte{0}, []byte{1})
	s, _ := startServer(f, &ServerOptions{})
	good := dialServer(f, s, "")
	f.Fuzz(func(t *testing.T, ctl, data []byte) {
		bad := newRaw(t, s, 5)
		if _, ok := bad.connect(hello{}); !ok {
			t.Fatal("refused")
		}
		bad.data.Write(data)
		bad.ctl.Write(ctl)
		bad.settle()
		exchangeOne(t, good)
	})
}
