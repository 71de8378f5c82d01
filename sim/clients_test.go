package sim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// inbox is a Port whose packets arrive on the spot.
type inbox struct {
	*sim.Port
	got  []mad.Packet
	from []mad.Addr
}

func openInbox(t *testing.T, s *sim.Fabric, at *fabric.Port) *inbox {
	t.Helper()
	b := &inbox{Port: must[*sim.Port](t)(s.Attach(at))}
	b.Receive(func(m *mad.Packet, from mad.Addr, err error) {
		if err != nil {
			t.Error(err)
		}
		b.got, b.from = append(b.got, *m), append(b.from, from)
	})
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func (b *inbox) send(t *testing.T, m *mad.Packet, to mad.Addr) {
	t.Helper()
	if err := b.Send(m, to, 0); err != nil {
		t.Fatal(err)
	}
}

// take gives the only packet that came.
func (b *inbox) take(t *testing.T) (mad.Packet, mad.Addr) {
	t.Helper()
	if len(b.got) != 1 {
		t.Fatalf("%d packets, want 1", len(b.got))
	}
	m, from := b.got[0], b.from[0]
	b.got, b.from = nil, nil
	return m, from
}

func request(class mad.Class, tid uint64) *mad.Packet {
	var m mad.Packet
	m.Init(class, mad.MethodGet, 0x35, 0)
	m.SetTID(tid)
	return &m
}

// Several programs at one port ask one server at another: each gets its own
// answer.
func TestBetweenPorts(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	a := openInbox(t, s, host(t, f, "1").Port(1))
	b := openInbox(t, s, host(t, f, "1").Port(1))
	server := openInbox(t, s, host(t, f, "3").Port(1))
	own, far := mad.Addr{LID: a.LID(), QP: 1}, mad.Addr{LID: server.LID(), QP: 1}
	for _, c := range []struct {
		client, other *inbox
		tid           uint64
	}{{a, b, 1}, {b, a, 2}} {
		c.client.send(t, request(mad.ClassVendor1Min, c.tid), far)
		m, from := server.take(t)
		if from.LID != own.LID || m.TID() != c.tid || from.QP != mad.QPGeneral {
			t.Fatalf("request %d from LID %d QP %d", m.TID(), from.LID, from.QP)
		}
		m.SetMethod(mad.MethodGetResp)
		server.send(t, &m, own)
		if m, from = c.client.take(t); from.LID != far.LID || m.TID() != c.tid {
			t.Errorf("response %d from LID %d", m.TID(), from.LID)
		}
		if len(c.other.got) != 0 {
			t.Error("the other program got something")
		}
	}
	// Nobody is there, or nobody else.
	a.send(t, request(mad.ClassVendor1Min, 3), mad.Addr{LID: host(t, f, "2").Port(1).LID()})
	server.send(t, request(mad.ClassVendor1Min, 4), far)
	if len(server.got)+len(a.got)+len(b.got) != 0 {
		t.Error("a request without server was delivered")
	}
	server.TakeOwn()
	server.send(t, request(mad.ClassVendor1Min, 5), far)
	if m, _ := server.take(t); m.TID() != 5 {
		t.Error("the own request did not come back")
	}
}

// Subnet administration and SMInfo go to the subnet manager, by LID and by
// directed route.
func TestRequestsToManager(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	_ = openInbox(t, s, host(t, f, "3").Port(1)) // not the manager
	sm := openInbox(t, s, host(t, f, "3").Port(1))
	sm.SetIsSM(true)
	asker := openInbox(t, s, host(t, f, "1").Port(1))
	back := mad.Addr{LID: asker.LID(), QP: 1}
	far := mad.Addr{LID: sm.LID(), QP: 1}

	asker.send(t, request(mad.ClassSubnAdm, 1), far)
	m, _ := sm.take(t)
	m.SetMethod(mad.MethodGetResp)
	sm.send(t, &m, back)
	asker.take(t)

	q := getLID(smp.AttrSMInfo, 0)
	asker.send(t, q, mad.Addr{LID: sm.LID()})
	if m, from := sm.take(t); m.AttrID() != smp.AttrSMInfo || from.LID != asker.LID() || from.QP != 0 {
		t.Errorf("SMInfo by LID: % x from LID %d", m[:24], from.LID)
	}
	for _, method := range []mad.Method{mad.MethodGet, mad.MethodSet} {
		q = get(smp.AttrSMInfo, 0, 1, 3, 3, 1)
		q.SetMethod(method)
		asker.send(t, q, directed)
		m, from := sm.take(t)
		if from.LID != 0xffff || m.HopPointer() != 5 || m.IsReturning() {
			t.Errorf("SMInfo by directed route: hop pointer %d, from LID %d", m.HopPointer(), from.LID)
		}
		m.SetMethod(mad.MethodGetResp)
		m.SetReturning(true)
		sm.send(t, &m, directed)
		if m, from = asker.take(t); m.HopPointer() != 0 || !m.IsReturning() || from.LID != 0xffff || m.TID() != q.TID() {
			t.Errorf("SMInfo response: hop pointer %d, from LID %d", m.HopPointer(), from.LID)
		}
	}
	trap := getLID(smp.AttrNotice, 0)
	trap.SetMethod(mad.MethodTrap)
	asker.send(t, trap, mad.Addr{LID: sm.LID()})
	if m, _ := sm.take(t); m.Method() != mad.MethodTrap {
		t.Error("a program's trap did not arrive")
	}
	// The manager asks itself.
	sm.send(t, request(mad.ClassSubnAdm, 7), far)
	m, from := sm.take(t)
	if m.TID() != 7 || from.LID != sm.LID() {
		t.Errorf("the manager's own request is % x", m[:24])
	}
	_ = sm.Close()
	asker.send(t, request(mad.ClassSubnAdm, 8), far)
	asker.send(t, get(smp.AttrSMInfo, 0, 1, 3, 3, 1), directed)
	if len(asker.got) != 0 {
		t.Error("a manager that is gone answers")
	}
}

// General services need active links; subnet management does not.
func TestDataNeedsActive(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	a := openInbox(t, s, host(t, f, "1").Port(1))
	server := openInbox(t, s, host(t, f, "3").Port(1))
	p := must[*sim.Port](t)(s.Attach(host(t, f, "2").Port(1)))
	down := get(portInfo, 3, 1)
	set := func(num uint32, state uint8) {
		t.Helper()
		down = get(portInfo, num, 1)
		r := askOne(t, p, down, directed)
		var v smp.PortInfo
		v.Decode(r.SMPData())
		v.PhysState = 0
		down.SetMethod(mad.MethodSet)
		v.Encode(down.SMPData())
		down.SMPData()[32] = down.SMPData()[32]&0xf0 | state
		if r := askOne(t, p, down, directed); r.Status() != 0 {
			t.Fatal(r.Status())
		}
	}
	far := mad.Addr{LID: server.LID(), QP: 1}
	set(3, 1) // switch 2 port 3 goes down, comes up, and is Init
	a.send(t, request(mad.ClassVendor1Min, 1), far)
	if len(server.got) != 0 {
		t.Error("general services pass a link in state Initialize")
	}
	a.send(t, getLID(nodeInfo, 0), mad.Addr{LID: server.LID()})
	if r, _ := a.take(t); decodeNodeInfo(&r).NodeGUID != host(t, f, "3").GUID() {
		t.Error("subnet management does not")
	}
}

// A packet of general services makes an Armed port Active.
func TestArmedBecomesActive(t *testing.T) {
	f := line(t)
	s, p := fresh(t, f)
	m := &manager{t: t, p: p, f: f}
	m.bringUp()
	port := switchNode(t, f, "2").Port(2)
	if _, status := m.try("s2", 2, func(v *smp.PortInfo) { v.State = 1 }); status != 0 {
		t.Fatal(status)
	}
	m.setState(port, 3)
	m.setState(port.Remote(), 3)
	m.setState(port.Remote(), 4)
	a := openInbox(t, s, host(t, f, "1").Port(1))
	server := openInbox(t, s, host(t, f, "3").Port(1))
	a.send(t, request(mad.ClassVendor1Min, 1), mad.Addr{LID: server.LID(), QP: 1})
	server.take(t)
	if got := m.stateOf("s2", 2); got != live {
		t.Errorf("the port is %v", got)
	}
}

// P_Keys decide who hears whom; a stranger is counted.
func TestPartitions(t *testing.T) {
	f := line(t)
	s := must[*sim.Fabric](t)(sim.New(f, nil))
	a := openInbox(t, s, host(t, f, "1").Port(1))
	server := openInbox(t, s, host(t, f, "3").Port(1))
	keys := get(0x16, 0, 1, 3, 3, 1)
	keys.SetMethod(mad.MethodSet)
	copy(keys.SMPData()[:], []byte{0x7f, 0xff, 0x80, 0x01, 0x00, 0x02})
	a.send(t, keys, directed)
	a.take(t)
	own := get(0x16, 0)
	own.SetMethod(mad.MethodSet)
	copy(own.SMPData()[:], []byte{0xff, 0xff, 0x00, 0x01, 0x00, 0x02, 0x80, 0x03})
	a.send(t, own, directed)
	a.take(t)
	heard := 0
	for index, ok := range []bool{true, true, false, false, false} { // full, limited to full, both limited, strange, empty
		a.send(t, request(mad.ClassVendor1Min, uint64(index)), mad.Addr{LID: server.LID(), QP: 1, PKeyIndex: uint16(index)})
		if got := len(server.got) > heard; got != ok {
			t.Errorf("P_Key %d: heard is %v", index, got)
		}
		heard = len(server.got)
	}
	a.send(t, get(portInfo, 1, 1, 3, 3, 1), directed)
	var v smp.PortInfo
	r, _ := a.take(t)
	if v.Decode(r.SMPData()); v.PKeyViolations != 2 {
		t.Errorf("%d P_Key violations, want 2", v.PKeyViolations)
	}
}

// Requests between Ports take their time, too.
func TestLatencyBetweenPorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := line(t)
		s := must[*sim.Fabric](t)(sim.New(f, &sim.Options{Latency: 10 * time.Microsecond, HopLatency: time.Microsecond}))
		a := must[*sim.Port](t)(s.Attach(host(t, f, "1").Port(1)))
		server := must[*sim.Port](t)(s.Attach(host(t, f, "3").Port(1)))
		defer a.Close()
		defer server.Close()
		start := time.Now()
		if err := a.Send(request(mad.ClassVendor1Min, 1), mad.Addr{LID: server.LID(), QP: 1}, 0); err != nil {
			t.Fatal(err)
		}
		var m mad.Packet
		if _, err := server.Recv(&m); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != 9*time.Microsecond { // half of 10, and 4 cables
			t.Errorf("took %v", took)
		}
	})
}
