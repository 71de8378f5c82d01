package counters_test

import (
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

func (w *world) set(tb testing.TB, p *fabric.Port, name string, v uint64) {
	tb.Helper()
	if err := w.counters.Set(sim.Place{Node: p.Node(), Port: p.Num()}, name, v); err != nil {
		tb.Fatal(err)
	}
}

func collect(tb testing.TB, w *world, o *counters.Options) *counters.Pass {
	tb.Helper()
	p, err := counters.Collect(tb.Context(), w.client, w.model, o)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestValues(t *testing.T) {
	for speed, want := range map[string]struct {
		has      counters.Set
		end      uint64
		requests int // of one port
	}{
		"qdr": {counters.All &^ counters.SetOf(counters.QP1Dropped), math.MaxUint16, 2},
		"ndr": {counters.All, math.MaxUint64, 1},
	} {
		w := open(t, "star?hosts=3&speed="+speed, nil, nil)
		defer w.client.Close()
		w.sim.Watch(nil)
		sw := first(w.model.Switches())
		at := sw.Port(2)
		attribute := "PortCounters."
		if want.requests == 1 {
			attribute = "PortCountersExtended."
		}
		w.set(t, at, attribute+"PortRcvErrors", want.end)
		w.set(t, at, "PortCountersExtended.PortXmitData", 1<<33)
		w.set(t, at, "PortCountersExtended.PortRcvData", 1<<63)
		before := time.Now()
		p := collect(t, w, nil)
		ports := 0
		for n := range w.model.Nodes() {
			ports += portsOf(n)
		}
		if len(p.Samples) != ports || p.Ports != ports || p.Unread != 0 || len(p.Problems) != 0 || p.Nodes != w.model.NumNodes() {
			t.Fatalf("%s: %d of %d ports, %+v", speed, p.Ports, ports, p.Problems)
		}
		if got := p.Requests; got != p.Nodes+ports*want.requests {
			t.Errorf("%s: %d requests", speed, got)
		}
		for i := range p.Samples {
			s := &p.Samples[i]
			if s.Has != want.has || s.Err != nil || s.Before.Before(before) || s.After.Before(s.Before) {
				t.Errorf("%s: %+v", speed, s)
			}
			if s.Port() != at {
				continue
			}
			if s.Values[counters.RcvErrors] != want.end || s.Saturated != counters.SetOf(counters.RcvErrors) {
				t.Errorf("%s: saturated %x, %d", speed, s.Saturated, s.Values[counters.RcvErrors])
			}
			if n, ok := s.XmitBytes(); n != 1<<35 || !ok {
				t.Errorf("%s: %d bytes, %v", speed, n, ok)
			}
			if _, ok := s.RcvBytes(); ok {
				t.Errorf("%s: more bytes than there can be", speed)
			}
		}
	}
}

// portsOf is how many ports of a node are asked for.
func portsOf(n *fabric.Node) int {
	if info, ok := n.SwitchInfo(); ok && info.EnhancedPort0 {
		return n.NumPorts() + 1
	}
	return n.NumPorts()
}

func first(nodes func(func(*fabric.Node) bool)) (found *fabric.Node) {
	nodes(func(n *fabric.Node) bool {
		found = n
		return false
	})
	return found
}

// TestWant: attributes that hold nothing of interest are not read.
func TestWant(t *testing.T) {
	w := open(t, "star?hosts=3&speed=qdr", nil, nil)
	defer w.client.Close()
	for want, attr := range map[counters.Set]mad.AttrID{counters.Traffic: pma.AttrPortCountersExtended, counters.Errors: pma.AttrPortCounters} {
		w.port.drop = func(m *mad.Packet, _ mad.Addr) bool {
			if m.AttrID() != attr && m.AttrID() != pma.AttrClassPortInfo {
				t.Errorf("%#x is read for %x", uint16(m.AttrID()), want)
			}
			return false
		}
		for _, s := range collect(t, w, &counters.Options{Want: want}).Samples {
			if s.Has&want == 0 {
				t.Errorf("want %x, have %x", want, s.Has)
			}
		}
	}
}

// TestOptional: attributes that an agent has, that it has not, and that depend on
// what was read.
func TestOptional(t *testing.T) {
	w := open(t, "star?hosts=3&speed=qdr", nil, nil)
	defer w.client.Close()
	sw := first(w.model.Switches())
	w.set(t, sw.Port(1), "PortCounters.PortRcvErrors", 5)
	w.set(t, sw.Port(1), "PortRcvErrorDetails.PortLoopingErrors", 4)
	w.set(t, sw.Port(3), "PortVLXmitWaitCounters.PortVLXmitWait3", 77)
	c := counters.New(w.client, w.model, &counters.Options{
		Attributes: []mad.AttrID{pma.AttrPortExtendedSpeedsCounters, pma.AttrPortVLXmitWaitCounters},
		Also: func(s *counters.Sample) []mad.AttrID {
			if s.Values[counters.RcvErrors] == 0 {
				return nil
			}
			return []mad.AttrID{pma.AttrPortRcvErrorDetails}
		},
	})
	for pass := range 2 {
		p, err := c.Collect(t.Context())
		if err != nil || p.Unread > 0 {
			t.Fatal(err, p.Problems)
		}
		for i := range p.Samples {
			s := &p.Samples[i]
			var waits pma.PortVLXmitWaitCounters
			var details pma.PortRcvErrorDetails
			var lanes pma.PortExtendedSpeedsCounters
			if !s.Read(&waits) || s.Read(&lanes) || s.Read(&details) != (s.Port() == sw.Port(1)) {
				t.Errorf("pass %d, %s port %d: not what was asked for", pass, s.Node.GUID(), s.Num)
			}
			if s.Port() == sw.Port(3) && waits.VLs[3] != 77 || s.Port() == sw.Port(1) && details.LoopingErrors != 4 {
				t.Errorf("%+v %+v", waits, details)
			}
		}
	}
}

// TestLacks: an optional attribute that an agent refuses, or does not answer to, costs a
// request or two, is no problem, and does not make the agent silent.
func TestLacks(t *testing.T) {
	for name, attr := range map[string]mad.AttrID{"refused": pma.AttrPortExtendedSpeedsCounters, "unanswered": pma.AttrPortRcvErrorDetails} {
		synctest.Test(t, func(t *testing.T) {
			w := open(t, "star?hosts=8&speed=qdr", nil, nil)
			defer w.client.Close()
			sw := first(w.model.Switches())
			w.port.drop = func(m *mad.Packet, _ mad.Addr) bool { return m.AttrID() == pma.AttrPortRcvErrorDetails }
			o := &counters.Options{
				Also:     func(*counters.Sample) []mad.AttrID { return []mad.AttrID{attr, pma.AttrPortXmitDiscardDetails} },
				Optional: []mad.AttrID{attr}, MaxPerNode: 1,
			}
			plain := collect(t, w, &counters.Options{MaxPerNode: 1}).Requests
			p := collect(t, w, o)
			if p.Unread > 0 || len(p.Problems) > 0 || p.Requests != plain+p.Ports+p.Nodes {
				t.Errorf("%s: %d requests, %d without; %v", name, p.Requests, plain, p.Problems)
			}
			lacks := map[*fabric.Node]counters.Agent{}
			for i := range p.Samples {
				s := &p.Samples[i]
				if !s.Read(&pma.PortXmitDiscardDetails{}) || !s.Agent.Lacks.Has(attr) || s.Agent.Lacks.Has(pma.AttrPortXmitDiscardDetails) {
					t.Errorf("%s: port %d of %s: %+v", name, s.Num, s.Node.GUID(), s.Agent)
				}
				lacks[s.Node] = s.Agent
			}
			o.Agent = func(n *fabric.Node) counters.Agent { return lacks[n] }
			if p := collect(t, w, o); p.TimedOut > 0 || p.Requests != plain-p.Nodes+p.Ports || !lacks[sw].Lacks.Has(attr) {
				t.Errorf("%s: known beforehand: %d requests, %d without a reply", name, p.Requests, p.TimedOut)
			}
		})
	}
}

func TestSums(t *testing.T) {
	w := open(t, "star?hosts=3&speed=qdr", nil, nil)
	defer w.client.Close()
	sw := first(w.model.Switches())
	w.set(t, sw.Port(1), "PortCounters.PortRcvErrors", 5)
	w.set(t, sw.Port(2), "PortCounters.PortRcvErrors", 6)
	for _, again := range []bool{true, false} {
		var sums, ports, done int
		c := counters.New(w.client, w.model, &counters.Options{
			Sum: func(s *counters.Sample) bool {
				sums++
				if s.Node != sw || s.Num != int(pma.AllPorts) || s.Values[counters.RcvErrors] != 11 {
					t.Errorf("%+v", s)
				}
				return again
			},
			Each: func(s *counters.Sample) {
				if s.Node == sw {
					ports++
				}
			},
			Done: func(*fabric.Node) { done++ },
		})
		for range 2 {
			sums, ports, done = 0, 0, 0
			if _, err := c.Collect(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := 0
			if again {
				want = portsOf(sw)
			}
			if sums != 1 || ports != want || done != 4 {
				t.Errorf("%v: %d sums, %d ports, %d nodes", again, sums, ports, done)
			}
		}
	}
}

// TestSteadyPasses do not allocate for ports.
func TestSteadyPasses(t *testing.T) {
	w := open(t, "fattree?levels=2&radix=16&speed=ndr", nil, &madrpc.Options{MaxPerTarget: -1})
	defer w.client.Close()
	c := counters.New(w.client, w.model, nil)
	ports := 0
	pass := func() {
		p, err := c.Collect(t.Context())
		if err != nil || p.Unread > 0 {
			t.Fatal(err, p.Problems)
		}
		ports = p.Ports
	}
	pass()
	// The runtime has some of its own, more under the race detector.
	if n := testing.AllocsPerRun(3, pass); n > float64(ports)/2 {
		t.Errorf("%v allocations in a pass over %d ports", n, ports)
	}
}

// TestRedirected: an agent may send its clients elsewhere, though not for ever.
func TestRedirected(t *testing.T) {
	w := open(t, "star?hosts=3&speed=ndr", nil, nil)
	defer w.client.Close()
	turns := 1
	w.port.alter = func(m *mad.Packet, from mad.Addr) {
		if m.AttrID() != pma.AttrPortCountersExtended || turns == 0 {
			return
		}
		turns--
		var info pma.ClassPortInfo
		info.RedirectLID, info.RedirectQP, info.RedirectQKey = from.LID, mad.QPGeneral, mad.WellKnownQK
		m.SetStatus(mad.StatusRedirect)
		if _, err := info.AppendBinary(m.Data()[:0]); err != nil {
			t.Error(err)
		}
	}
	usual := collect(t, w, &counters.Options{MaxOutstanding: 1})
	if usual.Unread != 0 || usual.Requests != usual.Nodes+usual.Ports+1 {
		t.Errorf("%d requests for %d ports, %+v", usual.Requests, usual.Ports, usual.Problems)
	}
	turns = 1000
	circle := collect(t, w, &counters.Options{MaxOutstanding: 1})
	if circle.Unread != circle.Ports || !errors.Is(circle.Samples[0].Err, mad.StatusRedirect) {
		t.Errorf("%d of %d unread, %+v", circle.Unread, circle.Ports, circle.Problems)
	}
}

// TestManyPorts: a switch that claims the most ports that can be written.
func TestManyPorts(t *testing.T) {
	b := fabric.NewBuilder()
	var data [mad.DataSize]byte
	info := smp.NodeInfo{BaseVersion: 1, ClassVersion: 1, NodeType: ib.NodeSwitch, NumPorts: 255, NodeGUID: 1, PortGUID: 1}
	info.Encode(&data)
	n := b.AddNode(&data)
	for num := range 256 {
		b.Port(n, num)
	}
	w := open(t, "star?hosts=3", nil, nil)
	defer w.client.Close()
	p, err := counters.Collect(t.Context(), w.client, b.Build(), nil)
	if err != nil || p.Ports != 254 || p.Unread != 254 || !errors.Is(&p.Problems[0], counters.ErrNoLID) {
		t.Errorf("%v, %d ports, %d unread", err, p.Ports, p.Unread)
	}
}

func TestNames(t *testing.T) {
	fields := new(pma.PortCountersExtended).Fields()
	for c := range counters.All.All() {
		f, ok := fields.ByC(c.String())
		if !ok || f.JSON != c.Field() {
			t.Errorf("%v is %q in data, and %q here", c, f.JSON, c.Field())
		}
		if got, ok := counters.ByName(c.String()); !ok || got != c {
			t.Errorf("%v is not found", c)
		}
	}
}
