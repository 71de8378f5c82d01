package scenario

import (
	"errors"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
)

func parseLinkDown(w *words) action {
	return simply("link down", w.port(), isUp, (*sim.Fabric).LinkDown)
}

func parseLinkUp(w *words) action {
	return simply("link up", w.port(), isDown, (*sim.Fabric).LinkUp)
}

func parseUnplug(w *words) action {
	return simply("unplug", w.port(), hasCable, unplug)
}

func unplug(s *sim.Fabric, at sim.Place) error {
	if !hasCable(s, at) {
		return invalid("the port has no cable")
	}
	return s.Unlink(at)
}

// flapping is a link that goes down and up.
type flapping struct {
	r            *Runner
	at           sim.Place
	period, down time.Duration
	times        int
}

func parseFlap(w *words) action {
	n := w.port()
	o := w.options("times", "period", "down")
	f := flapping{
		times:  option(w, o, "times", "1…1000000", 1, parseCount),
		period: option(w, o, "period", aDuration, 2*time.Second, parsePositive),
	}
	f.down = option(w, o, "down", aDuration, f.period/2, parsePositive)
	if f.down >= f.period {
		w.fail(o["down"], invalid("down=%v is not less than period=%v", f.down, f.period))
	}
	return action{run: func(r *Runner) error {
		return r.each("flap", n, isUp, func(at sim.Place) (string, error) {
			f := f
			f.r, f.at = r, at
			return "", f.goDown(f.times)
		})
	}}
}

// goDown begins a flap, and more of them until there were n.
func (f *flapping) goDown(n int) error {
	if err := f.r.sim.LinkDown(f.at); err != nil {
		return err
	}
	ok := f.r.later(f.down, func() { f.note("flap up", f.r.sim.LinkUp(f.at)) })
	if n > 1 {
		ok = ok && f.r.later(f.period, func() {
			f.note("flap", f.goDown(n-1))
		})
	}
	if !ok {
		return invalid("too much is going on already")
	}
	return nil
}

func (f *flapping) note(verb string, err error) {
	a, b := f.r.ends(f.at)
	f.r.log(Event{Do: verb, A: a, B: b, Err: err})
}

func parsePlug(w *words) action {
	a, b := w.port(), w.port()
	a.free, b.free = true, true
	return action{run: func(r *Runner) error {
		from, err := r.one(a, isFree)
		if err != nil {
			return err
		}
		return r.each("plug", b, isFree, func(to sim.Place) (string, error) { return "", r.sim.Link(to, from) })
	}}
}

func isFree(s *sim.Fabric, at sim.Place) bool { return at.Port != 0 && !hasCable(s, at) }

func parseMove(w *words) action {
	a, b := w.port(), w.port()
	b.free = true
	return action{run: func(r *Runner) error {
		from, err := r.one(a, hasCable)
		if err != nil {
			return err
		}
		return r.each("move", b, isFree, func(to sim.Place) (string, error) { return r.move(from, to) })
	}}
}

// move takes the end of a cable from one port to another.
func (r *Runner) move(from, to sim.Place) (string, error) {
	far, ok := r.sim.Cable(from)
	switch {
	case !ok:
		return "", invalid("%s has no cable", r.end(from))
	case to.Port == 0 || hasCable(r.sim, to):
		return "", invalid("the port has a cable, or can have none")
	}
	return "from " + r.end(from).String(), errors.Join(r.sim.Unlink(from), r.sim.Link(far, to))
}

// cables are the places of a name as far as cables are concerned: without a
// port all ports of the node.
func (w *words) cables() *name {
	n := w.place()
	if n.port == noPort {
		n.port = everyPort
	}
	return n
}

func parseReplug(w *words) action {
	n := w.cables()
	n.free = true
	return simply("replug", n, wasUnplugged, replug)
}

// first is where the cable at a port led at first.
func first(at sim.Place) (sim.Place, bool) {
	p := at.Node.Port(at.Port)
	if p == nil || p.Remote() == nil {
		return sim.Place{}, false
	}
	return sim.Place{Node: p.Remote().Node(), Port: p.Remote().Num()}, true
}

func wasUnplugged(s *sim.Fabric, at sim.Place) bool {
	far, ok := first(at)
	return ok && !hasCable(s, at) && !hasCable(s, far)
}

func replug(s *sim.Fabric, at sim.Place) error {
	far, ok := first(at)
	if !ok {
		return invalid("the port had no cable at first")
	}
	if now, ok := s.Cable(at); ok && now == far {
		return nil // a pattern names both ends, and the other one came first
	}
	return s.Link(at, far)
}

func parseClear(w *words) action {
	return simply("clear", w.cables(), anything, (*sim.Fabric).ResetPort)
}

func parseSpeed(w *words) action {
	n := w.port()
	to := read(w, "a rate: a width, a speed or both, as 1xSDR, or full", parseRate)
	text := to.String()
	switch {
	case to == (fabric.LinkRate{}):
		text = "full"
	case to.Width == 0:
		text = to.Speed.String()
	case to.Speed == 0:
		text = to.Width.String()
	}
	return action{run: func(r *Runner) error {
		return r.each("speed", n, hasCable, func(at sim.Place) (string, error) { return text, r.sim.LimitLink(at, to) })
	}}
}

func parseLoss(w *words) action {
	n := w.place()
	d := sim.Disturbance{Loss: read(w, aShare, parseShare)}
	o := w.options("attr")
	d.Attr = option(w, o, "attr", "the name or number of an attribute", 0, parseAttribute)
	detail := percent(d.Loss)
	if at, ok := o["attr"]; ok {
		detail += " of " + at.text
	}
	return action{run: func(r *Runner) error {
		return r.each("loss", n, anything, func(at sim.Place) (string, error) {
			return detail, r.sim.Disturb(at.Node, at.Port, d)
		})
	}}
}
