package counters_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
)

// TestSilent: nodes that do not answer cost two requests each, and the ports of
// others are read meanwhile.
func TestSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "fattree?levels=2&radix=24&speed=ndr", &sim.Options{Latency: 20 * time.Microsecond}, nil)
		defer w.client.Close()
		silent := map[ib.LID]*fabric.Node{}
		ports := 0
		for n := range w.model.Nodes() {
			lid := agent(n)
			if n != w.model.Start().Node() && len(silent) < 50 && (n.Type() != ib.NodeSwitch || len(silent) < 10) {
				silent[lid] = n
				ports += portsOf(n)
			}
		}
		if len(silent) != 50 {
			t.Fatal(len(silent))
		}
		w.port.drop = func(_ *mad.Packet, to mad.Addr) bool { return silent[to.LID] != nil }
		began := time.Now()
		p := collect(t, w, nil)
		if p.Unread != ports || p.Ports != len(p.Samples) {
			t.Errorf("%d unread ports, want %d", p.Unread, ports)
		}
		if took := time.Since(began); took > 10*time.Second { // two requests, 4 tries of 1 s each
			t.Errorf("it takes %v", took)
		}
		asked := 0
		for _, problem := range p.Problems {
			if silent[agent(problem.Node)] == nil {
				t.Error(&problem)
			}
			if problem.Asked() {
				asked++
			}
		}
		if asked != 2*len(silent) || p.TimedOut != asked || p.Resent < asked {
			t.Errorf("%d requests without a reply, %d counted, %d sent again", asked, p.TimedOut, p.Resent)
		}
	})
}

func agent(n *fabric.Node) ib.LID {
	for p := range n.Ports() {
		if p.LID() != 0 {
			return p.LID()
		}
	}
	return 0
}

// TestSilentAttribute: an attribute that gets no reply costs two requests of a
// node, though others are answered.
func TestSilentAttribute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "star?hosts=30&speed=qdr", nil, nil)
		defer w.client.Close()
		w.port.drop = func(m *mad.Packet, _ mad.Addr) bool { return m.AttrID() == pma.AttrPortCountersExtended }
		began := time.Now()
		p := collect(t, w, &counters.Options{MaxPerNode: 1})
		if p.Unread != p.Ports || time.Since(began) > 9*time.Second {
			t.Errorf("%d of %d unread after %v", p.Unread, p.Ports, time.Since(began))
		}
		for _, s := range p.Samples {
			if !s.Has.Has(counters.RcvErrors) || s.Has.Has(counters.UnicastXmitPkts) {
				t.Errorf("%x", s.Has)
			}
		}
	})
}

// TestDying: nodes that have gone since the fabric was swept, and links; one that
// goes later is asked again in each pass.
func TestDying(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "star?hosts=12&speed=ndr", nil, nil)
		defer w.client.Close()
		c := counters.New(w.client, w.model, nil)
		if p, err := c.Collect(t.Context()); err != nil || p.Unread != 0 {
			t.Fatal(err, p.Problems)
		}
		var hosts []*fabric.Node
		for n := range w.model.CAs() {
			if n != w.model.Start().Node() {
				hosts = append(hosts, n)
			}
		}
		if err := w.sim.KillNode(hosts[0]); err != nil {
			t.Fatal(err)
		}
		if err := w.sim.LinkDown(sim.Place{Node: hosts[1], Port: 1}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			p, err := c.Collect(t.Context())
			if err != nil || p.Unread != 2 {
				t.Fatalf("%v, %d unread", err, p.Unread)
			}
			for i := range p.Samples {
				s := &p.Samples[i]
				if gone := s.Node == hosts[0] || s.Node == hosts[1]; gone != errors.Is(s.Err, os.ErrDeadlineExceeded) {
					t.Errorf("%s: %v", s.Node.GUID(), s.Err)
				}
			}
		}
		for isSilent, want := range map[bool]int{true: 3, false: 2} {
			w.port.drop = func(_ *mad.Packet, to mad.Addr) bool { return isSilent && to.LID == agent(hosts[2]) }
			if p, err := c.Collect(t.Context()); err != nil || p.Unread != want {
				t.Errorf("%v, %d unread, want %d", err, p.Unread, want)
			}
		}
	})
}

// TestDeadline: a pass that ends early has a sample of every port.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := open(t, "fattree?levels=2&radix=8&speed=ndr", &sim.Options{Latency: time.Millisecond}, nil)
		defer w.client.Close()
		seen := map[*fabric.Port]bool{}
		done := map[*fabric.Node]bool{}
		c := counters.New(w.client, w.model, &counters.Options{
			MaxOutstanding: 3,
			Each:           func(s *counters.Sample) { seen[s.Port()] = s.Err == nil },
			Done:           func(n *fabric.Node) { done[n] = true },
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		p, err := c.Collect(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		read := 0
		for _, ok := range seen {
			if ok {
				read++
			}
		}
		if len(seen) != p.Ports || read+p.Unread != p.Ports || read == 0 || p.Unread == 0 || len(done) != w.model.NumNodes() {
			t.Errorf("%d ports, %d seen, %d read, %d unread, %d nodes", p.Ports, len(seen), read, p.Unread, len(done))
		}
		for _, problem := range p.Problems {
			if !errors.Is(&problem, counters.ErrNotAsked) || !errors.Is(&problem, context.DeadlineExceeded) {
				t.Error(&problem)
			}
		}
		if p, err = c.Collect(t.Context()); err != nil || p.Unread > 0 || p.Ports != len(seen) {
			t.Errorf("the next pass: %v, %+v", err, p)
		}
	})
}
