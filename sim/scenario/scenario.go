package scenario

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/traffic"
)

// Scenario is a file that was read. The zero Scenario is one without a timeline.
type Scenario struct {
	Name  string  // a line for people
	URI   string  // of the topology, "sim:…"; "" if the file names none
	Seed  uint64  // of everything that is random
	Speed float64 // how many seconds of the scenario pass in one; 0 counts as 1

	physics  *physics
	traffic  []trafficRule
	faults   []fault
	timeline []*entry
}

func (s *Scenario) speed() float64 {
	if s.Speed == 0 {
		return 1
	}
	return s.Speed
}

// Length is when the last entry of the timeline begins, false if one repeats for
// ever.
func (s *Scenario) Length() (time.Duration, bool) {
	last := time.Duration(0)
	for _, e := range s.timeline {
		end := e.at
		switch {
		case e.every == 0:
		case e.repeat > 0 && (e.until == 0 || e.at+time.Duration(e.repeat-1)*e.every <= e.until):
			end += time.Duration(e.repeat-1) * e.every
		case e.until > 0:
			end += max(0, e.until-e.at) / e.every * e.every
		default:
			return 0, false
		}
		last = max(last, end)
	}
	return last, true
}

// Apply puts seed, physics and faults into the options of a fabric that will be
// made of a model. Names that nothing has are an *Error, or several joined.
func (s *Scenario) Apply(f *fabric.Fabric, o *sim.Options) error {
	if s.Seed != 0 {
		o.Seed = s.Seed
	}
	if s.physics == nil && len(s.faults) == 0 {
		return nil
	}
	names, err := sim.New(f, nil) // to look names up
	if err != nil {
		return err
	}
	faults, err := s.makeFaults(names)
	o.Faults = append(o.Faults, faults...)
	return errors.Join(err, s.physics.apply(names, o))
}

// Traffic is the rules for the counters of a fabric of a model. The errors are
// those of Apply.
func (s *Scenario) Traffic(f *fabric.Fabric) ([]traffic.Rule, error) {
	if len(s.traffic) == 0 {
		return nil, nil
	}
	names, err := sim.New(f, nil)
	if err != nil {
		return nil, err
	}
	return s.makeTraffic(names)
}

// namers are the commands behind which a node may have a name that it has not
// at first.
var namers = []string{"rename", "replace", "guid"}

// check looks for what does not fit the fabric before anything happens.
func (s *Scenario) check(r *Runner) error {
	var errs []error
	renames := false
	for _, e := range s.timeline {
		renames = renames || slices.ContainsFunc(e.do, func(c *command) bool { return slices.Contains(namers, c.verb) })
	}
	for _, e := range s.timeline {
		for _, c := range e.do {
			if err := c.checkIn(r, renames); err != nil {
				errs = append(errs, c.place(err))
			}
		}
	}
	return errors.Join(errs...)
}

// checkIn finds names that nothing has, unless that may come.
func (c *command) checkIn(r *Runner, renames bool) error {
	for _, n := range c.names {
		if renames {
			break
		}
		nodes := n.nodes(r.sim)
		if len(nodes) == 0 {
			return &Error{Col: n.col, Err: missing("no node fits %s", quote(cmp.Or(n.node, n.text)))}
		}
		most := 0
		for _, node := range nodes {
			most = max(most, node.NumPorts())
		}
		if n.port > most {
			return &Error{Col: n.col, Err: missing("%s has ports 1…%d, not %d", quote(n.node), most, n.port)}
		}
	}
	if c.check != nil {
		return c.check(r)
	}
	return nil
}
