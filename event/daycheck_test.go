package event_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/scenario"
)

// tally counts things by kind and both ends. How a link that goes down is told depends
// on when sweeps come: as a flap, by an event each for down and up, by those of a host
// that is gone and back, or in one that ends a time of flapping. What must be right is
// how often it has.
type tally struct {
	things map[string]int
	falls  map[string]int
	downs  map[string]int // falls that were told while the link was down
	rises  map[string]int
}

func newTally() *tally {
	return &tally{things: map[string]int{}, falls: map[string]int{}, downs: map[string]int{}, rises: map[string]int{}}
}

// tell counts an event.
func (y *tally) tell(e *event.Event) {
	ends := pair(e.At, e.To)
	isHost := e.At.Type == ib.NodeCA && e.To.GUID != 0
	switch {
	case e.Kind == event.LinkDown, e.Kind == event.NodeVanished && isHost && e.Cause == 0:
		y.falls[ends] += max(1, int(e.Count))
		y.downs[ends]++
	case e.Kind == event.LinkUp, e.Kind == event.NodeAppeared && isHost && e.Cause == 0:
		y.rises[ends]++
	case e.Kind == event.LinkFlap, e.Kind == event.FlapEnded:
		y.falls[ends] += int(e.Count)
	case e.Kind == event.ErrorsHigh, e.Kind == event.ErrorsEnded:
		y.things[string(e.Kind)+" "+ends+" "+e.Field]++
	case e.Kind == event.NodeVanished, e.Kind == event.NodeAppeared:
		text := string(e.Kind) + " " + e.At.GUID.String()
		if e.Cause != 0 {
			text += " as a consequence"
		}
		y.things[text]++
	case strings.HasPrefix(string(e.Kind), "node-") && e.Kind != event.NodeMoved, e.Kind == event.LIDChanged, e.Kind == event.ManagerChange:
		y.things[string(e.Kind)+" "+e.At.GUID.String()]++
	default:
		y.things[string(e.Kind)+" "+ends]++
	}
}

// end is an end of a scenario's event.
func end(e scenario.End) event.End { return event.End{GUID: e.GUID, Port: e.Port} }

// expected is what the log of a scenario amounts to.
func (s *script) expected(log []scenario.Event) *tally {
	y := newTally()
	died := map[ib.GUID]scenario.Event{}
	resets := map[scenario.End]bool{}
	for _, e := range log {
		ends := pair(end(e.A), end(e.B))
		add := func(kind event.Kind, what string) { y.things[string(kind)+" "+what]++ }
		switch verb, _, _ := strings.Cut(e.Do, " ("); verb {
		case "link down":
			y.falls[ends]++
		case "link up":
			y.rises[ends]++
		case "flap":
			y.falls[ends]++
		case "kill":
			died[e.A.GUID] = e
		case "revive":
			s.expectDeath(y, died[e.A.GUID], e, log)
			delete(died, e.A.GUID)
		case "plug":
			kind := event.LinkMoved
			if s.node(e.A.GUID).Type() == ib.NodeCA || s.node(e.B.GUID).Type() == ib.NodeCA {
				kind = event.NodeMoved
			}
			add(kind, ends)
		case "speed":
			y.falls[ends]++
			switch e.Detail {
			case "full":
				add(event.RateRestored, ends)
			case "1x":
				add(event.WidthLost, ends)
			default:
				add(event.SpeedLost, ends)
			}
		case "burst":
			add(event.ErrorsHigh, ends+" SymbolErrorCounter")
			add(event.ErrorsEnded, ends+" SymbolErrorCounter")
		case "set":
			if resets[e.A] {
				add(event.CounterReset, ends)
			}
			resets[e.A] = true
		case "replace":
			if death, was := died[e.A.GUID]; was {
				y.falls[s.hostLink(death.A.GUID)]++
				delete(died, e.A.GUID)
			}
			add(event.NodeReplaced, e.Detail[strings.LastIndexByte(e.Detail, '(')+1:len(e.Detail)-1])
		case "rename":
			add(event.NodeRenamed, e.A.GUID.String())
		case "lid":
			add(event.LIDChanged, e.A.GUID.String())
		case "sm stop", "sm start":
			add(event.ManagerChange, s.model.Start().Node().GUID().String())
		}
	}
	return y
}

func (s *script) node(guid ib.GUID) *fabric.Node {
	n, _ := s.model.NodeByGUID(guid)
	return n
}

func (s *script) hostLink(guid ib.GUID) string {
	p := s.node(guid).Port(1)
	return pair(event.End{GUID: guid, Port: 1}, event.End{GUID: p.Remote().Node().GUID(), Port: p.Remote().Num()})
}

// expectDeath is what a node comes to that dies and is back: at once, or later, with the
// hosts behind it.
func (s *script) expectDeath(y *tally, kill, revive scenario.Event, log []scenario.Event) {
	n := s.node(kill.A.GUID)
	guid := n.GUID().String()
	switch {
	case kill.At == revive.At:
		y.things[string(event.NodeRebooted)+" "+guid]++
	case n.Type() == ib.NodeCA:
		y.falls[s.hostLink(n.GUID())]++
		y.rises[s.hostLink(n.GUID())]++
	default:
		y.things[string(event.NodeVanished)+" "+guid]++
		y.things[string(event.NodeAppeared)+" "+guid]++
		for p := range n.Ports() {
			if r := p.Remote(); r != nil && r.Node().Type() == ib.NodeCA {
				y.things[string(event.NodeVanished)+" "+r.Node().GUID().String()+" as a consequence"]++
				y.things[string(event.NodeAppeared)+" "+r.Node().GUID().String()+" as a consequence"]++
			}
		}
	}
}

// compareDay is compareTallies for a day on which enough happened.
func compareDay(t *testing.T, want, got *tally) {
	t.Helper()
	compareTallies(t, want, got)
	if len(want.things) < 90 || len(want.falls) < 45 {
		t.Errorf("the day had only %d things and %d links that went down", len(want.things), len(want.falls))
	}
}

// compareTallies says what is missing, and what was told and has not happened.
func compareTallies(t *testing.T, want, got *tally) {
	t.Helper()
	compareCounts(t, "", want.things, got.things)
	compareCounts(t, "falls of ", want.falls, got.falls)
	for ends := range want.falls {
		if up := got.rises[ends]; up != got.downs[ends] && want.rises[ends] > 0 {
			t.Errorf("%s: %d times told that it is up, %d times that it is down", ends, up, got.downs[ends])
		}
	}
}

func compareCounts(t *testing.T, what string, want, got map[string]int) {
	t.Helper()
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if want[k] != got[k] {
			t.Errorf("%s%s", what, fmt.Sprintf("%s: told %d times, want %d", k, got[k], want[k]))
		}
	}
}
