package scenario

import (
	"errors"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/sim"
)

// command is a command that was read.
type command struct {
	verb  string
	names []*name
	run   func(*Runner) error
	check func(*Runner) error // nil, or what can be checked before
	place func(error) error   // puts an error of a column into its file
}

// action is what a verb makes of its arguments.
type action struct {
	run   func(*Runner) error
	check func(*Runner) error
}

// parse reads a command.
func parse(text string) (*command, error) {
	list, err := split(text)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &Error{Col: 1, Err: expected("", "a command: "+verbNames())}
	}
	v, rest := findVerb(list)
	if v == nil {
		return nil, &Error{Col: list[0].col, Err: expected(unknown(list), "a command: "+verbNames())}
	}
	w := &words{list: rest, end: len([]rune(text)) + 1}
	a := v.parse(w)
	if err := w.finish(); err != nil {
		return nil, err
	}
	return &command{verb: v.Name, names: w.names, run: a.run, check: a.check, place: func(err error) error { return err }}, nil
}

// findVerb looks for the verb that a command begins with; it may have two words.
func findVerb(list []word) (*verb, []word) {
	for _, v := range verbs() {
		parts := strings.Fields(v.Name)
		if len(list) >= len(parts) && slices.EqualFunc(list[:len(parts)], parts, func(w word, s string) bool { return w.text == s }) {
			return &v, list[len(parts):]
		}
	}
	return nil, nil
}

// unknown is the words that should be a verb: two, if there are verbs of two
// that begin so.
func unknown(list []word) string {
	for _, v := range verbs() {
		if len(list) > 1 && strings.HasPrefix(v.Name, list[0].text+" ") {
			return list[0].text + " " + list[1].text
		}
	}
	return list[0].text
}

func verbNames() string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// Check reports whether a text is a command, without the look at a fabric. The
// error is an *Error.
func Check(text string) error {
	_, err := parse(text)
	return err
}

// Do carries out a command at once, and tells what was done. A mistake in it is
// an *Error, and nothing was done; errors of the fabric are those of the events,
// joined.
func (r *Runner) Do(text string) ([]Event, error) {
	c, err := parse(text)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clock = r.now()
	if c.check != nil {
		if err := c.check(r); err != nil {
			return nil, err
		}
	}
	before := len(r.events) + r.dropped
	r.carryOut(c)
	r.noteFinished()
	done := slices.Clone(r.events[max(before-r.dropped, 0):])
	var errs []error
	for _, e := range done {
		errs = append(errs, e.Err)
	}
	return done, errors.Join(errs...)
}

// carryOut carries out a command; what goes wrong is an event. The lock is held.
func (r *Runner) carryOut(c *command) {
	if err := c.run(r); err != nil {
		r.log(Event{Do: c.verb, Err: c.place(err)})
	}
}

// log notes an event, at the present time.
func (r *Runner) log(e Event) {
	e.At = r.clock
	if len(r.events) >= maxEvents {
		half := len(r.events) / 2
		r.events = append([]Event(nil), r.events[half:]...)
		r.dropped += half
	}
	r.events = append(r.events, e)
	if r.onEvent != nil {
		r.onEvent(e)
	}
}

// each does something to all places that a name means, and notes it: both ends
// of the cable as it was before, or is afterwards if there was none.
func (r *Runner) each(verb string, n *name, c condition, do func(at sim.Place) (detail string, err error)) error {
	places, err := r.resolve(n, c)
	if err != nil {
		return err
	}
	for _, at := range places {
		a, b := r.ends(at)
		detail, err := do(at)
		if b.GUID == 0 {
			_, b = r.ends(at)
		}
		r.log(Event{Do: verb, A: a, B: b, Detail: detail, Err: err})
	}
	if len(places) == 0 {
		r.log(Event{Do: verb, Detail: "nothing to do: " + n.text})
	}
	return nil
}

// simply is each for what has no detail.
func simply(verb string, n *name, c condition, do func(*sim.Fabric, sim.Place) error) action {
	return action{run: func(r *Runner) error {
		return r.each(verb, n, c, func(at sim.Place) (string, error) { return "", do(r.sim, at) })
	}}
}
