package service

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/sim"
)

// soon waits for something that takes real time.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to it that %s", what)
		}
	}
}

// TestCollectors has two services watch one fabric: each reads its part of the counters,
// all of them when the other one ends, and what both see is told once.
func TestCollectors(t *testing.T) {
	url := "nats://" + testenv.NATS(t, "-js", "-sd", t.TempDir())
	w := newWorld(t)
	defer w.close()
	w.fabric(tree)
	services, ends := [2]*Service{}, [2]func(){}
	for i := range services {
		c := complete(t, "a="+tree)
		c.Fabrics[0].Refresh.Every, c.Fabrics[0].Counters.Every = time.Second, time.Second
		c.Fleet.URL, c.Fleet.Share, c.Fleet.Name = url, true, fmt.Sprintf("collector%d", i)
		if err := w.make(c); err != nil {
			t.Fatal(err)
		}
		s := w.service
		services[i] = s
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx) }()
		ends[i] = func() {
			if ctx.Err() == nil {
				cancel()
				<-done
				s.Close()
			}
		}
		defer ends[i]()
	}
	soon(t, "each has its part", func() bool {
		a, b := services[0].fresh(), services[1].fresh()
		both := 0
		for k := range a {
			if b[k] {
				both++
			}
		}
		return len(a) > 0 && len(b) > 0 && both == 0 && len(a)+len(b) == portsToRead(w.fabric(tree).Model())
	})
	at := linkAmongSwitches(w.fabric(tree).Model())
	if err := w.fabric(tree).LinkDown(at); err != nil {
		t.Fatal(err)
	}
	originals := 0
	for _, s := range services {
		soon(t, "the link is told", func() bool {
			events, _ := s.log.Since(0)
			for _, e := range events {
				if e.Kind == event.LinkDown {
					if !e.Duplicate {
						originals++
					}
					return true
				}
			}
			return false
		})
	}
	// Who cannot ask the server in time tells an event rather than to hold it back, and says so.
	unknown := strings.Contains(w.log.String(), "it is not known whether other collectors have told")
	if originals != 1 && !(unknown && originals == 2) {
		t.Errorf("%d of 2 are no duplicate", originals)
	}
	if err := w.fabric(tree).LinkUp(at); err != nil {
		t.Fatal(err)
	}
	w.fabric(tree).manager.Sweep() // no traps tell it
	ends[1]()
	soon(t, "one reads all", func() bool { return len(services[0].fresh()) == portsToRead(w.fabric(tree).Model()) })
}

func linkAmongSwitches(f *fabric.Fabric) sim.Place {
	for l := range f.Links() {
		if l.A.Node().Type() == ib.NodeSwitch && l.B.Node().Type() == ib.NodeSwitch {
			return sim.Place{Node: l.A.Node(), Port: l.A.Num()}
		}
	}
	return sim.Place{}
}

// fresh are the ports that were read in the last pass.
func (s *Service) fresh() map[string]bool {
	ports := map[string]bool{}
	state := s.States()[0]
	if state.Totals == nil {
		return ports
	}
	for _, p := range state.Totals.Ports {
		if p.Missed == 0 {
			ports[fmt.Sprint(p.Key)] = true
		}
	}
	return ports
}

// portsToRead are those with a link, and the ports 0 of switches.
func portsToRead(f *fabric.Fabric) (n int) {
	for p := range f.Ports() {
		if p.Remote() != nil || p.Num() == 0 {
			n++
		}
	}
	return n
}
