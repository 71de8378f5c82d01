package scenario

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/perf"
)

// amount is a counter and a number for it.
type amount struct {
	word
	counter string
	n       uint64
}

const anAmount = "COUNTER=N, as SymbolErrorCounter=10 or PortXmitDataSL.XmtDataSL3=7"

// amounts reads COUNTER=N, at least one.
func (w *words) amounts() []amount {
	var list []amount
	for len(list) == 0 || len(w.list) > 0 && !strings.HasPrefix(w.list[0].text, "over=") {
		at := w.next(anAmount)
		counter, number, _ := strings.Cut(at.text, "=")
		n, err := parseUint64(number)
		if counter == "" || err != nil {
			w.fail(at, expected(at.text, anAmount))
		}
		list = append(list, amount{at, counter, n})
		if w.err != nil {
			break
		}
	}
	return list
}

// fullNames are the names of a counter with its attributes: without one, all
// that have such a field.
func fullNames(c *perf.Counters, at sim.Place, counter string) ([]string, error) {
	if c == nil {
		return nil, missing("the fabric has no counters")
	}
	if strings.Contains(counter, ".") {
		if _, err := c.Get(at, counter); err != nil {
			return nil, missing("no counter is called %s", quote(counter))
		}
		return []string{counter}, nil
	}
	var names []string
	for _, n := range c.Names() {
		if _, field, _ := strings.Cut(n, "."); strings.EqualFold(field, counter) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil, missing("no counter is called %s", quote(counter))
	}
	return names, nil
}

// onCounters is a command that does something to each of the counters.
func onCounters(verb string, n *name, list []amount, do func(r *Runner, at sim.Place, counters []string, n uint64) error) action {
	apply := func(r *Runner, at sim.Place) (string, error) {
		var texts []string
		var errs []error
		for _, a := range list {
			counters, err := fullNames(r.counters, at, a.counter)
			if err == nil {
				err = do(r, at, counters, a.n)
			}
			texts = append(texts, a.counter+"="+strconv.FormatUint(a.n, 10))
			errs = append(errs, err)
		}
		return strings.Join(texts, " "), errors.Join(errs...)
	}
	check := func(r *Runner) error {
		nodes := n.nodes(r.sim)
		for _, a := range list {
			if len(nodes) == 0 {
				break
			}
			if _, err := fullNames(r.counters, sim.Place{Node: nodes[0], Port: min(1, nodes[0].NumPorts())}, a.counter); err != nil {
				return &Error{Col: a.col, Err: err}
			}
		}
		return nil
	}
	return action{check: check, run: func(r *Runner) error {
		return r.each(verb, n, isUp, func(at sim.Place) (string, error) { return apply(r, at) })
	}}
}

func parseSet(w *words) action {
	return onCounters("set", w.port(), w.amounts(), func(r *Runner, at sim.Place, counters []string, n uint64) error {
		var errs []error
		for _, c := range counters {
			errs = append(errs, r.counters.Set(at, c, n))
		}
		return errors.Join(errs...)
	})
}

// count adds to one counter, which moves all that count the same thing.
func count(r *Runner, at sim.Place, counters []string, n uint64) error {
	return r.counters.Count(at, counters[0], n)
}

func parseCountCommand(w *words) action {
	return onCounters("count", w.port(), w.amounts(), count)
}

// parts is how many steps a burst has at most.
const parts = 20

func parseBurst(w *words) action {
	n, list := w.port(), w.amounts()
	over := option(w, w.options("over"), "over", aDuration, 10*time.Second, parsePositive)
	return onCounters("burst", n, list, func(r *Runner, at sim.Place, counters []string, n uint64) error {
		for i := uint64(1); i <= parts; i++ {
			part := n*i/parts - n*(i-1)/parts
			if n > 1<<58 { // the product would overflow
				part = n / parts
			}
			wait := over * time.Duration(i-1) / (parts - 1)
			if part > 0 && !r.later(wait, func() {
				if err := count(r, at, counters, part); err != nil {
					r.log(Event{Do: "burst", A: r.end(at), Err: err})
				}
			}) {
				return invalid("too much is going on already")
			}
		}
		return nil
	})
}
