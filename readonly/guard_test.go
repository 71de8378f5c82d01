package readonly_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/readonly"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/agents"
	"github.com/ibscope/ibscope/sim/gen"
	"github.com/ibscope/ibscope/sim/perf"
)

// sink is a transport that counts what is sent.
type sink struct{ sent, answers int }

func (s *sink) Send(*mad.Packet, mad.Addr, time.Duration) error { s.sent++; return nil }
func (s *sink) Recv(*mad.Packet) (mad.Addr, error)              { return mad.Addr{}, os.ErrClosed }
func (s *sink) Close() error                                    { return nil }
func (s *sink) Answer(mad.Class, uint32) error                  { s.answers++; return nil }

// harmless are the methods that change nothing; there is no other.
var harmless = map[mad.Method]bool{
	0x01: true, 0x12: true, 0x13: true, 0x14: true, // Get, GetTable, GetTraceTable, GetMulti
	0x81: true, 0x92: true, 0x93: true, 0x94: true, // and their responses
	0x86: true, // ReportResp
}

// TestEveryMethod: all classes, all methods.
func TestEveryMethod(t *testing.T) {
	for class := range 256 {
		for method := range 256 {
			below := &sink{}
			g := readonly.New(below, readonly.Allow{})
			var p mad.Packet
			p.Init(mad.Class(class), mad.Method(method), pma.AttrPortCounters, 0)
			err := g.Send(&p, mad.Addr{LID: 7}, time.Second)
			passes := harmless[mad.Method(method)]
			if passes != (err == nil) || passes != (below.sent == 1) || passes != (g.Refused() == 0) {
				t.Errorf("class %#x method %#x: sent %d, error %v", class, method, below.sent, err)
			}
			var e *readonly.Error
			if err != nil && (!errors.Is(err, os.ErrPermission) || !errors.As(err, &e) || e.Method != p.Method() || e.To.LID != 7) {
				t.Errorf("class %#x method %#x: %v", class, method, err)
			}
		}
	}
}

// TestResets: what may be reset are counters, and nothing else of any class.
func TestResets(t *testing.T) {
	for class := range 256 {
		for attr := range 0x100 {
			g := readonly.New(&sink{}, readonly.Allow{Resets: true})
			var p mad.Packet
			p.Init(mad.Class(class), mad.MethodSet, mad.AttrID(attr), 0)
			err := g.Send(&p, mad.Addr{}, 0)
			isCounters := mad.Class(class) == mad.ClassPerf && (attr == 0x12 || attr >= 0x15 && attr <= 0x1d || attr == 0x1f || attr >= 0x30 && attr <= 0x37)
			if isCounters != (err == nil) {
				t.Errorf("class %#x attribute %#x: %v", class, attr, err)
			}
		}
	}
}

func TestError(t *testing.T) {
	var p mad.Packet
	p.Init(mad.ClassSubnAdm, mad.MethodDelete, sa.AttrMCMemberRecord, 0)
	err := readonly.New(&sink{}, readonly.Allow{Resets: true}).Send(&p, mad.Addr{LID: 3}, 0)
	if err == nil || !strings.Contains(err.Error(), "Delete of class SubnAdm, attribute MCMemberRecord, to LID 3 was not sent") {
		t.Errorf("error %q", err)
	}
}

// TestBelow: what is known of the transport below stays known.
func TestBelow(t *testing.T) {
	below := &sink{}
	g := readonly.New(below, readonly.Allow{})
	if err := g.Answer(mad.ClassPerf, 0); err != nil || below.answers != 1 || g.Unwrap() != madrpc.Transport(below) {
		t.Errorf("Answer: %v, %d", err, below.answers)
	}
}

// TestOnAFabric: sweeps and counters work, and nothing changes whatever a client tries.
func TestOnAFabric(t *testing.T) {
	model, err := gen.Parse("fattree?levels=2&radix=8")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(model, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	a, err := agents.Use(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := sim.Place{Node: model.Start().Node(), Port: 1}
	for _, allow := range []readonly.Allow{{}, {Resets: true}} {
		if err := a.Counters.Set(at, "PortCounters.SymbolErrorCounter", 5); err != nil {
			t.Fatal(err)
		}
		port, err := s.Attach(nil)
		if err != nil {
			t.Fatal(err)
		}
		client := madrpc.New(readonly.New(port, allow), nil)
		f, err := discover.Walk(t.Context(), client, nil)
		if err != nil || f.NumNodes() != model.NumNodes() {
			t.Errorf("swept %d nodes: %v", f.NumNodes(), err)
		}
		if pass, err := counters.Collect(t.Context(), client, f, nil); err != nil || pass.Unread > 0 {
			t.Errorf("%d of %d ports unread: %v", pass.Unread, pass.Ports, err)
		}
		var r madrpc.Request
		r.Packet.Init(mad.ClassSubnDirected, mad.MethodSet, smp.AttrPortInfo, 1)
		if err := client.Do(t.Context(), &r); !errors.Is(err, os.ErrPermission) || r.Tries > 1 {
			t.Errorf("Set of PortInfo: %v", err)
		}
		reset(t, client, a.Counters, at, allow.Resets)
		_ = client.Close()
	}
}

func reset(t *testing.T, client *madrpc.Client, c *perf.Counters, at sim.Place, allowed bool) {
	t.Helper()
	v := pma.PortCounters{PortSelect: 1, CounterSelect: 0xffff}
	err := madrpc.Set(t.Context(), client, mad.ByLID(at.Node.Port(1).LID()), 0, &v)
	if allowed != (err == nil) || !allowed && !errors.Is(err, os.ErrPermission) {
		t.Errorf("reset: %v", err)
	}
	want := uint64(5)
	if allowed {
		want = 0
	}
	if n, err := c.Get(at, "PortCounters.SymbolErrorCounter"); err != nil || n != want {
		t.Errorf("SymbolErrorCounter is %d, want %d: %v", n, want, err)
	}
}
