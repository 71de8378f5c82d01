package sa_test

import (
	"sync"
	"testing"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/sa"
	"github.com/ibscope/ibscope/sim/sm"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// client asks at a port other than the manager's, and does by hand what RMPP
// wants of a receiver.
type client struct {
	t      testing.TB
	port   *sim.Port
	subnet *sm.Subnet
	fabric *sim.Fabric
	tid    uint64
	key    uint64     // SM_Key
	mu     sync.Mutex // timers of the sender deliver too
	got    []mad.Packet
	window uint32 // how far ahead the sender may be
}

func open(t testing.TB, text string) *client {
	t.Helper()
	return openOn(t, must[*fabric.Fabric](t)(gen.Parse(text)), nil)
}

func openOn(t testing.TB, model *fabric.Fabric, o *sim.Options) *client {
	t.Helper()
	return openManaged(t, model, o, nil)
}

func openManaged(t testing.TB, model *fabric.Fabric, o *sim.Options, managed *sm.Options) *client {
	t.Helper()
	f := must[*sim.Fabric](t)(sim.New(model, o))
	m := must[*sm.Manager](t)(sm.Start(f, managed))
	a := must[*sa.Agent](t)(sa.Start(m))
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		m.Close()
		f.Close()
	})
	s := m.Subnets()[0]
	var at *fabric.Port
	for _, p := range s.Ports {
		if p.Place != s.SM && p.Place.Node.Type() == ib.NodeCA {
			at = p.Place.Node.Port(p.Place.Port)
		}
	}
	c := &client{t: t, subnet: s, fabric: f, window: 8}
	c.attach(at)
	return c
}

// move lets the client ask from another port.
func (c *client) move(to *sm.EndPort) { c.attach(to.Place.Node.Port(to.Place.Port)) }

func (c *client) attach(at *fabric.Port) {
	c.t.Helper()
	c.port = must[*sim.Port](c.t)(c.fabric.Attach(at))
	c.port.Receive(func(m *mad.Packet, _ mad.Addr, err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.got = append(c.got, *m)
		}
	})
}

func (c *client) send(m *mad.Packet) []mad.Packet {
	c.t.Helper()
	c.take()
	if err := c.port.Send(m, mad.Addr{LID: c.subnet.SMLID, QP: mad.QPGeneral, QKey: mad.WellKnownQK}, 0); err != nil {
		c.t.Fatal(err)
	}
	return c.take()
}

// take is what has come since the last time.
func (c *client) take() []mad.Packet {
	c.mu.Lock()
	defer c.mu.Unlock()
	got := c.got
	c.got = nil
	return got
}

func (c *client) request(method mad.Method, v field.Value, mask uint64) *mad.Packet {
	c.t.Helper()
	var m mad.Packet
	m.Init(mad.ClassSubnAdm, method, v.AttrID(), 0)
	c.tid++
	m.SetTID(c.tid)
	m.SetSMKey(c.key)
	m.SetCompMask(mask)
	b, err := v.AppendBinary(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	copy(m.Data(), b)
	return &m
}

// ask gets a single record.
func (c *client) ask(method mad.Method, v field.Value, mask uint64) (*mad.Packet, mad.Status) {
	c.t.Helper()
	got := c.send(c.request(method, v, mask))
	if len(got) != 1 {
		c.t.Fatalf("%d replies", len(got))
	}
	return &got[0], got[0].Status()
}

func ack(m *mad.Packet, segment, window uint32) *mad.Packet {
	a := *m
	clear(a.Data())
	a.SetMethod(m.Method() &^ mad.ResponseBit)
	a.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAck, Flags: mad.RMPPActive, Data1: segment, Data2: window})
	return &a
}

// table gets all records of a query.
func (c *client) table(method mad.Method, v field.Value, mask uint64) [][]byte {
	c.t.Helper()
	var data []byte
	got := c.send(c.request(method, v, mask))
	total := uint32(0)
	for segment := uint32(1); ; {
		if len(got) == 0 {
			c.t.Fatalf("no segment %d", segment)
		}
		var last *mad.Packet
		for i := range got {
			m := &got[i]
			h := m.RMPP()
			if m.Status() != 0 || h.Type != mad.RMPPData || h.Data1 != segment {
				c.t.Fatalf("status %v, RMPP %+v, want segment %d", m.Status(), h, segment)
			}
			if segment == 1 {
				total = h.Data2
			}
			part := m.Data()
			if h.Flags&mad.RMPPLast != 0 {
				part = part[:h.Data2-20]
				last = m
			}
			data = append(data, part...)
			segment++
		}
		end := &got[len(got)-1]
		if last != nil {
			c.send(ack(last, segment-1, segment-1))
			if int(total) != len(data)+20*int(segment-1) && segment > 2 {
				c.t.Errorf("PayloadLength %d for %d bytes in %d segments", total, len(data), segment-1)
			}
			return cut(c.t, data, int(last.AttrOffset())*8)
		}
		got = c.send(ack(end, segment-1, segment-1+c.window))
	}
}

func cut(t testing.TB, data []byte, stride int) (records [][]byte) {
	t.Helper()
	if len(data) > 0 && (stride == 0 || len(data)%stride != 0) {
		t.Fatalf("%d bytes of records at %d", len(data), stride)
	}
	for ; len(data) > 0; data = data[stride:] {
		records = append(records, data[:stride])
	}
	return records
}

func (c *client) gid(p *sm.EndPort) ib.GID { return ib.GIDFrom(c.subnet.Prefix, p.GUID) }

// adapters lists the ports of channel adapters.
func (c *client) adapters() (list []*sm.EndPort) {
	for i := range c.subnet.Ports {
		if p := &c.subnet.Ports[i]; p.Place.Node.Type() == ib.NodeCA {
			list = append(list, p)
		}
	}
	return list
}
