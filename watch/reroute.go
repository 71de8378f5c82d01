package watch

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// When forwarding tables are read after a change that a subnet manager answers with
// other routes.
const (
	firstLook  = 10 * time.Second // it has begun by then, and mostly ended
	secondLook = 2 * time.Minute  // it has ended by then
	routesGap  = 5 * time.Minute  // between two changes that are followed, whatever happens
)

// routesTurn is when forwarding tables are read: each Every, and after changes.
type routesTurn struct {
	turn
	changed time.Time // the last change that was not followed for good yet
	looked  time.Time // when the last reading began that followed one
}

// change has tables be read soon.
func (t *routesTurn) change(now time.Time) {
	t.changed = now
	if !t.running {
		t.follow()
	}
}

func (t *routesTurn) begin(now time.Time) {
	if !t.changed.IsZero() {
		t.looked = now
	}
	t.turn.begin(now)
}

func (t *routesTurn) end(now time.Time) {
	t.turn.end(now)
	t.follow()
}

// follow sets when the last change is to be followed, if it still is.
func (t *routesTurn) follow() {
	switch {
	case t.changed.IsZero():
	case !t.began.Before(t.changed.Add(secondLook)):
		t.changed = time.Time{} // that was late enough
	case t.looked.Before(t.changed): // not looked at yet
		at := t.changed.Add(firstLook)
		if gap := t.looked.Add(routesGap); !t.looked.IsZero() && at.Before(gap) {
			at = gap
		}
		t.sooner(at)
	default:
		t.sooner(t.changed.Add(secondLook))
	}
}

// goOn has a reading that ran into its deadline go on soon.
func (t *routesTurn) goOn(now time.Time) { t.sooner(now.Add(t.pace.Every / 4)) }

func (t *routesTurn) sooner(at time.Time) {
	if t.due.IsZero() || at.Before(t.due) {
		t.due = at
	}
}

// followRoutes has forwarding tables be read after a sweep, if it is the first, or has
// found what a subnet manager answers with other routes.
func (w *Watcher) followRoutes(before, now *State) {
	t := &w.schedule.routes
	if w.opts.Routes.Every <= 0 {
		return
	}
	if t.began.IsZero() {
		t.asked = true
		return
	}
	was, _ := before.Master()
	is, known := now.Master()
	if known && was.Node != 0 && was.GUID != is.GUID || reroutes(before.Fabric, now.Fabric) {
		t.change(time.Now())
	}
}

// reroutes reports whether what is different in a fabric makes subnet managers route
// otherwise: switches, links between them, where adapters are, LIDs. An adapter that is
// gone does not: nobody sends to it.
func reroutes(was, is *fabric.Fabric) bool {
	if was == is || was == nil {
		return false
	}
	switches := 0
	for n := range is.Nodes() {
		old, ok := was.NodeByGUID(n.GUID())
		if !ok || old.Type() != n.Type() || old.NumPorts() != n.NumPorts() || moved(old, n) {
			return true
		}
		if n.Type() == ib.NodeSwitch {
			switches++
		}
	}
	for range was.Switches() {
		switches--
	}
	return switches != 0
}

// moved reports whether ways to or over a node may be other ones.
func moved(was, is *fabric.Node) bool {
	isSwitch := is.Type() == ib.NodeSwitch
	if isSwitch {
		a, _ := was.SwitchInfo()
		b, _ := is.SwitchInfo()
		if a.LinearFDBTop != b.LinearFDBTop {
			return true
		}
	}
	for p := range is.Ports() {
		q := was.Port(p.Num())
		if q == nil {
			return true
		}
		hasLID := !isSwitch && p.Remote() != nil || p.Num() == 0
		if hasLID && p.LID() != 0 && (p.LID() != q.LID() || p.LMC() != q.LMC() || !isSwitch && far(p) != far(q)) {
			return true
		}
		if isSwitch && p.Num() > 0 && trunk(p) != trunk(q) {
			return true
		}
	}
	return false
}

// far is where the link of a port leads.
func far(p *fabric.Port) place {
	if r := p.Remote(); r != nil {
		return place{r.Node().GUID(), r.Num()}
	}
	return place{}
}

// trunk is where the link of a port leads that carries packets to another switch.
func trunk(p *fabric.Port) place {
	if r := p.Remote(); r == nil || r.Node().Type() != ib.NodeSwitch || isInactive(p) || isInactive(r) {
		return place{}
	}
	return far(p)
}

func isInactive(p *fabric.Port) bool {
	return p.State() != ib.PortActive && p.State() != ib.PortNoChange
}
