package service

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/sim"
)

// recorder is a port that counts what leaves through it, by the method.
type recorder struct {
	madrpc.Transport
	mu   *sync.Mutex
	sent map[mad.Method]int
}

func (r recorder) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	r.mu.Lock()
	r.sent[p.Method()]++
	r.mu.Unlock()
	return r.Transport.Send(p, to, timeout)
}

// TestHourOfAsking: in an hour with a dead switch, a lost port and a link that goes down
// and up nothing leaves the service but requests that only ask.
func TestHourOfAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		defer w.close()
		r := recorder{mu: &sync.Mutex{}, sent: map[mad.Method]int{}}
		c := complete(t, "a="+tree)
		c.Fabrics[0].Verify.Every = 5 * time.Minute
		w.wrap = func(port madrpc.Transport) madrpc.Transport { return recorder{port, r.mu, r.sent} }
		w.run(c)
		f := w.fabric(tree)
		from := f.Model().Start().Node()
		var spine sim.Place // a switch that the service is not behind
		for n := range f.Model().Nodes() {
			if n.GUID() != from.GUID() {
				spine = sim.Place{Node: n, Port: 1}
			}
		}
		for range 12 {
			wait(2 * time.Minute)
			if err := f.LinkDown(spine); err != nil {
				t.Fatal(err)
			}
			wait(2 * time.Minute)
			if err := f.LinkUp(spine); err != nil {
				t.Fatal(err)
			}
			w.lose(tree, context.Canceled)
			wait(30 * time.Second)
			w.lose(tree, nil)
			wait(30 * time.Second)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for method, n := range r.sent {
			if method != mad.MethodGet {
				t.Errorf("%d packets with the method %v", n, method)
			}
		}
		if r.sent[mad.MethodGet] < 1000 {
			t.Errorf("only %d requests", r.sent[mad.MethodGet])
		}
		t.Logf("%v", r.sent)
	})
}
