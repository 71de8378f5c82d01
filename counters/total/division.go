package total

import (
	"github.com/ibscope/ibscope/counters"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// A division is an attribute with details, and the counters that it divides.
type division struct {
	attr    mad.AttrID
	divides [2]counters.Counter
}

var divisions = [...]division{
	{pma.AttrPortRcvErrorDetails, [...]counters.Counter{counters.RcvErrors, counters.RcvSwitchRelayErrors}},
	{pma.AttrPortXmitDiscardDetails, [...]counters.Counter{counters.XmitDiscards, counters.XmitDiscards}},
}

// DetailAttributes are the attributes that AlsoDetails may ask for.
func DetailAttributes() []mad.AttrID {
	list := make([]mad.AttrID, len(divisions))
	for i := range divisions {
		list[i] = divisions[i].attr
	}
	return list
}

// AlsoDetails is for counters.Options.Also, beside Also: it asks for details where the
// counters that they divide have moved since the details were read last, stand at the
// end of their field, or are not 0 and the details are not known; and at all ports once
// in a number of passes, a part of them in each. Add finds the details in the sample.
// Nobody is asked who lacks the attribute.
func (a *Accumulator) AlsoDetails(s *counters.Sample, every int) []mad.AttrID {
	port := s.Port()
	if port == nil {
		return nil
	}
	e := a.ports[Key{s.Node.GUID(), s.Num}]
	inTurn := every <= 1 || (a.pass+uint64(s.Num)+turn(uint64(s.Node.GUID())))%uint64(every) == 0
	var list []mad.AttrID
	for i, d := range divisions {
		if !s.Agent.Lacks.Has(d.attr) && (inTurn || e.isOutdated(i, s)) {
			list = append(list, d.attr)
		}
	}
	return list
}

// turn spreads nodes, whose GUIDs are often in steps, over passes.
func turn(guid uint64) uint64 {
	const odd = 0x9e3779b97f4a7c15 // 2^64 by the golden ratio
	return guid * odd >> 32
}

// isOutdated reports whether a counter that a division divides tells of something new.
func (e *entry) isOutdated(i int, s *counters.Sample) bool {
	for j, c := range divisions[i].divides {
		before := uint64(0)
		if e != nil {
			before = e.divided[i][j]
		}
		if s.Has.Has(c) && (s.Values[c] != before || s.Saturated.Has(c)) {
			return true
		}
	}
	return false
}

// learnDetails takes details from a sample that has some.
func (a *Accumulator) learnDetails(e *entry, p *Port, s *counters.Sample) {
	e.learn(p, s, 0, &a.received)
	e.learn(p, s, 1, &a.discards)
}

// learn takes in one attribute.
func (e *entry) learn(p *Port, s *counters.Sample, i int, v field.Value) {
	if !s.Read(v) {
		return
	}
	d := &Details{}
	if p.Details != nil {
		*d = *p.Details
	}
	switch v := v.(type) {
	case *pma.PortRcvErrorDetails:
		d.set(LocalPhysicalErrors, v.LocalPhysicalErrors)
		d.set(MalformedPktErrors, v.MalformedPktErrors)
		d.set(BufferOverrunErrors, v.BufferOverrunErrors)
		d.set(DLIDMappingErrors, v.DLIDMappingErrors)
		d.set(VLMappingErrors, v.VLMappingErrors)
		d.set(LoopingErrors, v.LoopingErrors)
	case *pma.PortXmitDiscardDetails:
		d.set(InactiveDiscards, v.InactiveDiscards)
		d.set(NeighborMTUDiscards, v.NeighborMTUDiscards)
		d.set(SwLifetimeLimitDiscards, v.SwLifetimeLimitDiscards)
		d.set(SwHOQLifetimeLimitDiscards, v.SwHOQLifetimeLimitDiscards)
	}
	p.Details = d
	for j, c := range divisions[i].divides {
		e.divided[i][j] = s.Values[c]
	}
}
