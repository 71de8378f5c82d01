package format

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/counterdump"
	"github.com/ibscope/ibscope/format/snapshot"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
)

// Snapshot is what files hold, as a snapshot has it: with the counters of all ports
// that some file tells. The first file that tells a counter is believed, but one of
// 64 bits counts more than a narrow one. Counters of ports that are not in the
// fabric are problems.
func (s *Stored) Snapshot() *snapshot.Snapshot {
	out := &snapshot.Snapshot{Taken: s.Fabric.Sweep().Started, Fabric: s.Fabric}
	if len(s.Counters) == 0 {
		return out
	}
	joined, problems := counterdump.Join(s.Fabric, s.Counters)
	for _, p := range problems {
		p.Class = mad.ClassPerf
		out.Problems = append(out.Problems, p)
	}
	c := collection{at: map[place]int{}}
	for i := range joined {
		c.add(&joined[i])
	}
	out.Counters = c.list
	return out
}

type place struct {
	node *fabric.Node
	port int
}

// collection puts the records of each port together.
type collection struct {
	at   map[place]int
	list []snapshot.PortCounters
	wide []map[string]bool // counters that have 64 bits, of each
}

func (c *collection) add(j *counterdump.Joined) {
	key := place{j.Node, j.Port}
	i, known := c.at[key]
	if !known {
		i = len(c.list)
		c.at[key] = i
		c.list = append(c.list, snapshot.PortCounters{Node: j.Node, Port: j.Port})
		c.wide = append(c.wide, map[string]bool{})
	}
	for _, v := range j.Values {
		if field, ok := new(pma.PortCountersExtended).Fields().ByC(v.Name); ok {
			c.put(i, field.JSON, &v)
		} else if field, ok := new(pma.PortCounters).Fields().ByC(v.Name); ok {
			c.put(i, field.JSON, &v)
		}
	}
}

// put sets a counter, unless it is known better.
func (c *collection) put(i int, name string, v *counterdump.Value) {
	p, wide := &c.list[i], c.wide[i]
	at := -1
	for j, known := range p.Names {
		if known == name {
			at = j
		}
	}
	switch {
	case at < 0:
		p.Names, p.Values = append(p.Names, name), append(p.Values, v.N)
	case v.Extended && !wide[name]:
		p.Values[at] = v.N
		p.Saturated = without(p.Saturated, name)
	default:
		return
	}
	wide[name] = v.Extended
	if v.Saturated {
		p.Saturated = append(p.Saturated, name)
	}
}

func without(list []string, name string) []string {
	var rest []string
	for _, s := range list {
		if s != name {
			rest = append(rest, s)
		}
	}
	return rest
}
