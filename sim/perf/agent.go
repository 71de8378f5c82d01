package perf

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// Answer implements sim.Agent.
func (c *Counters) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	status, outcome := gmp.Check(m)
	if outcome != sim.Answered {
		return outcome
	}
	if _, ok := c.port(r.At); !ok {
		return sim.Silent
	}
	if status == mad.StatusOK {
		status = c.carryOut(r.At, m)
	}
	m.SetStatus(status)
	return sim.Answered
}

// carryOut does a Get or a Set. A request that is refused keeps its data.
func (c *Counters) carryOut(at sim.Place, m *mad.Packet) mad.Status {
	if m.Modifier() != 0 {
		return mad.StatusInvalidValue
	}
	k := &c.kinds[at.Node.Index()]
	data, isSet := m.Data(), m.Method() == mad.MethodSet
	switch m.AttrID() {
	case pma.AttrClassPortInfo:
		if isSet {
			return mad.StatusUnsupportedAttr // redirection and traps are not changed
		}
		k.classPortInfo(data)
		return mad.StatusOK
	case pma.AttrPortSamplesControl:
		return c.samplesControl(at, data, isSet)
	case pma.AttrPortSamplesResult:
		return c.samplesResult(at, data, isSet)
	}
	asked := at
	if at.Port != int(data[1]) && k.isSwitch {
		asked.Port = int(data[1])
	}
	l := c.layout(at.Node, asked.Port, uint16(m.AttrID()))
	switch {
	case l == nil:
		return mad.StatusUnsupportedAttr
	case data[1] == pma.AllPorts && k.capMask&pma.CapAllPortSelect != 0 && at.Node.NumPorts() < int(pma.AllPorts):
		c.answerAll(at, l, data, isSet)
	case !mayAsk(k, at, int(data[1])):
		return mad.StatusInvalidValue
	default:
		c.answerOne(asked, l, data, isSet)
	}
	return mad.StatusOK
}

// mayAsk: a switch answers for all its ports, another node only for the port
// that it was asked at.
func mayAsk(k *kind, at sim.Place, port int) bool {
	if k.isSwitch {
		return port <= at.Node.NumPorts()
	}
	return port == at.Port
}

// answerOne carries out a request about one port.
func (c *Counters) answerOne(at sim.Place, l *layout, data []byte, isSet bool) {
	p, _ := c.port(at)
	has := c.kinds[at.Node.Index()].has(l)
	if isSet {
		c.reset(at, p, l, l.mask.selected(data)&has, data[0])
	}
	var r reading
	c.read(at, p, l, &r)
	defer r.done()
	l.mask.clear(data)
	data[0] = r.moment.opcode
	for i := range l.counters {
		if n := &l.counters[i]; n.bit&has != 0 {
			n.put(data, r.value(i))
		}
	}
}

// answerAll carries out a request about all ports: the counters are added up,
// and stop like any other.
func (c *Counters) answerAll(at sim.Place, l *layout, data []byte, isSet bool) {
	k := &c.kinds[at.Node.Index()]
	has := k.has(l)
	var sums [maxCounters]uint64
	var r reading
	for at.Port = k.first; at.Port <= at.Node.NumPorts(); at.Port++ {
		p, _ := c.port(at)
		if isSet {
			c.reset(at, p, l, l.mask.selected(data)&has, data[0])
		}
		c.read(at, p, l, &r)
		for i := range l.counters {
			sums[i] = l.counters[i].sum(sums[i], r.value(i))
		}
		r.done()
	}
	l.mask.clear(data)
	data[0] = r.moment.opcode
	for i := range l.counters {
		if n := &l.counters[i]; n.bit&has != 0 {
			n.put(data, sums[i])
		}
	}
}
