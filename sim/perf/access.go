package perf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/sim"
)

// Get is the value of a counter of a port. Its name is an attribute and a field
// as the C tools print them, "PortCounters.SymbolErrorCounter" or
// "PortXmitDataSL.XmtDataSL3"; upper and lower case are alike, and the other
// names that ibsim's command PerformanceSet has are known as well. A name or port
// that is not there is an *Error that wraps os.ErrNotExist.
func (c *Counters) Get(at sim.Place, name string) (uint64, error) {
	p, l, i, err := c.find("get", at, name)
	if err != nil {
		return 0, err
	}
	var r reading
	c.read(at, p, l, &r)
	defer r.done()
	return r.value(i), nil
}

// Set makes the value of a counter v, or the largest that it can be. It goes on
// from there. The errors are those of Get.
func (c *Counters) Set(at sim.Place, name string, v uint64) error {
	p, l, i, err := c.find("set", at, name)
	if err != nil {
		return err
	}
	d := c.ledger(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	m := moment{opcode: d.opcode[l.index]}
	c.at(at, p, c.now(), &m)
	d.set(l, i, &m, v)
	return nil
}

// Count adds n to what a counter counts, as if it had happened now: all counters
// of the same thing move. The errors are those of Get.
func (c *Counters) Count(at sim.Place, name string, n uint64) error {
	p, l, i, err := c.find("count", at, name)
	if err != nil {
		return err
	}
	d := c.ledger(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.added == nil {
		d.added = map[quantity]uint64{}
	}
	d.added[l.counters[i].of] += n
	return nil
}

// Zero makes all counters of a port 0, as after power-on. The errors are those
// of Get.
func (c *Counters) Zero(at sim.Place) error {
	p, ok := c.port(at)
	if !ok {
		return notExist("set", "all counters", "node %s port %d", at.Node.GUID(), at.Port)
	}
	d := c.ledger(p)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range c.layouts {
		m := moment{opcode: d.opcode[l.index]}
		c.at(at, p, c.now(), &m)
		for i := range l.counters {
			d.set(l, i, &m, 0)
		}
	}
	return nil
}

// Names lists the counters, in the order of the attributes.
func (c *Counters) Names() []string {
	var names []string
	for _, l := range c.layouts {
		for i := range l.counters {
			names = append(names, l.attribute.Name+"."+l.counters[i].name)
		}
	}
	return names
}

// aliases are names of ibsim where they differ from those of the C tools.
var aliases = strings.NewReplacer(
	"portmalformedpacketerrors", "portmalformedpkterrors",
	"portvlxmitwaitcounters.portvlxmitwaitcounters", "portvlxmitwaitcounters.portvlxmitwait",
)

// find looks up port and counter.
func (c *Counters) find(op string, at sim.Place, name string) (p int, l *layout, i int, err error) {
	p, ok := c.port(at)
	if !ok {
		return 0, nil, 0, notExist(op, name, "node %s port %d", at.Node.GUID(), at.Port)
	}
	attribute, field, _ := strings.Cut(aliases.Replace(strings.ToLower(name)), ".")
	for _, l := range c.layouts {
		if !strings.EqualFold(l.attribute.Name, attribute) {
			continue
		}
		i = slices.IndexFunc(l.counters, func(n counter) bool { return strings.EqualFold(n.name, field) })
		if i >= 0 {
			return p, l, i, nil
		}
	}
	return 0, nil, 0, notExist(op, fmt.Sprintf("%q", name), "no counter has that name")
}
