package watch_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/counters/total"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/watch"
)

// counting is a transport that counts requests by class and attribute.
type counting struct {
	madrpc.Transport
	drop func(*mad.Packet, mad.Addr) bool // what gets lost; nil: nothing

	mu   sync.Mutex
	sent map[asked]int
}

type asked struct {
	class mad.Class
	attr  mad.AttrID
}

// count puts a counting transport before the ports of a world.
func (w *world) count() *counting {
	c := &counting{sent: map[asked]int{}}
	w.wrap = func(t madrpc.Transport) madrpc.Transport {
		c.Transport = t
		return c
	}
	return c
}

func (c *counting) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	c.mu.Lock()
	c.sent[asked{p.Class(), p.AttrID()}]++
	c.mu.Unlock()
	if c.drop != nil && c.drop(p, to) {
		return nil
	}
	return c.Transport.Send(p, to, timeout)
}

// details are how many requests for details were sent.
func (c *counting) details() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[asked{mad.ClassPerf, pma.AttrPortRcvErrorDetails}] + c.sent[asked{mad.ClassPerf, pma.AttrPortXmitDiscardDetails}]
}

// divided is which attribute of the simulator has a detail.
func divided(d total.Detail) string {
	if d >= total.InactiveDiscards {
		return "PortXmitDiscardDetails." + d.String()
	}
	return "PortRcvErrorDetails." + d.String()
}

// setDetails gives the details of all ports values of their own.
func (w *world) setDetails() {
	for p := range w.sim.Model().Ports() {
		for d := range total.Detail(total.NumDetails) {
			if p.Num() > 0 {
				w.set(p.Node().GUID(), p.Num(), divided(d), uint64(d)*100+uint64(p.Num())+uint64(p.Node().GUID())%7)
			}
		}
	}
}

func (w *world) place(node ib.GUID, num int) sim.Place {
	n, ok := w.sim.Model().NodeByGUID(node)
	if !ok {
		w.t.Fatalf("no node %s", node)
	}
	return sim.Place{Node: n, Port: num}
}

func (w *world) set(node ib.GUID, num int, name string, v uint64) {
	if err := w.agents.Counters.Set(w.place(node, num), name, v); err != nil {
		w.t.Fatal(err)
	}
}

// checkDetails compares the details of a port with those of the simulator.
func (w *world) checkDetails(p *total.Port) {
	w.t.Helper()
	for d := range total.Detail(total.NumDetails) {
		truth, err := w.agents.Counters.Get(w.place(p.Node, p.Num), divided(d))
		if err != nil {
			w.t.Fatal(err)
		}
		if got, ok := p.Details.Value(d); !ok || got != truth {
			w.t.Errorf("port %d of %s: %s is %d (%t), want %d", p.Num, p.Node, d, got, ok, truth)
		}
	}
}

// plainPass is how many requests a pass takes without details.
func plainPass(t *testing.T) (requests int) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{})
		defer func() { w.end() }()
		c := w.count()
		w.run()
		s := w.after(11 * time.Minute)
		if n := c.details(); n > 0 {
			t.Errorf("%d requests for details that nobody wants", n)
		}
		for _, p := range s.Totals.Ports {
			if p.Details != nil {
				t.Fatalf("details of port %d of %s", p.Num, p.Node)
			}
		}
		requests = s.Pass.Requests
	})
	return requests
}

// TestDetails: where nothing moves all details are read once in so many passes, an even
// part in each; where an error was counted at once.
func TestDetails(t *testing.T) {
	plain := plainPass(t)
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Details: true, DetailsEvery: 10})
		defer func() { w.end() }()
		c := w.count()
		w.setDetails()
		w.run()
		s := w.after(9*time.Minute + 30*time.Second) // ten passes
		ports := len(s.Totals.Ports)
		if c.details() != 2*ports || s.Pass.Count != 10 {
			t.Errorf("%d requests for the details of %d ports in %d passes", c.details(), ports, s.Pass.Count)
		}
		for _, s := range w.all() {
			if extra := s.Pass.Requests - plain; s.Cause == watch.Counting && s.Pass.Count > 1 && (extra < 0 || extra > 2*ports*2/10) {
				t.Errorf("pass %d: %d requests more than without details", s.Pass.Count, extra)
			}
		}
		for _, p := range s.Totals.Ports {
			w.checkDetails(p)
		}

		victim := s.Totals.Ports[ports/3]
		w.set(victim.Node, victim.Num, "PortCountersExtended.PortRcvErrors", 3)
		w.set(victim.Node, victim.Num, "PortRcvErrorDetails.PortMalformedPktErrors", 60000)
		before := c.details()
		s = w.after(time.Minute)
		w.checkDetails(s.Totals.Port(victim.Node, victim.Num))
		inTurn := s.Pass.Requests - plain
		if got := c.details() - before; got != inTurn || got == 0 {
			t.Errorf("%d requests for details, the pass has %d more than without", got, inTurn)
		}
		w.set(victim.Node, victim.Num, "PortCountersExtended.PortRcvErrors", 0) // somebody resets it
		w.set(victim.Node, victim.Num, "PortRcvErrorDetails.PortMalformedPktErrors", 7)
		s = w.after(time.Minute)
		if got, _ := s.Totals.Port(victim.Node, victim.Num).Details.Value(total.MalformedPktErrors); got != 60007 {
			t.Errorf("after a reset: %d", got)
		}
	})
}

// TestDetailsLacking: who does not answer for details is left alone until the next
// verification, and has its counters read all the same.
func TestDetailsLacking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, tree(t, 40), sim.Options{Latency: time.Millisecond}, watch.Options{Details: true, DetailsEvery: 1, Verify: watch.Pace{Every: 10 * time.Minute}})
		defer func() { w.end() }()
		c := w.count()
		c.drop = func(p *mad.Packet, _ mad.Addr) bool {
			return p.Class() == mad.ClassPerf && (p.AttrID() == pma.AttrPortRcvErrorDetails || p.AttrID() == pma.AttrPortXmitDiscardDetails)
		}
		w.run()
		s := w.after(5*time.Minute + 30*time.Second)
		first := c.details()
		if !s.Pass.Complete || s.Pass.TimedOut > 0 || first == 0 {
			t.Errorf("%+v, %d requests for details", s.Pass, first)
		}
		if w.after(4 * time.Minute); c.details() != first {
			t.Errorf("%d requests for details before the next verification, %d at first", c.details(), first)
		}
		if w.after(3 * time.Minute); c.details() == first {
			t.Error("after a verification nobody was asked")
		}
	})
}
