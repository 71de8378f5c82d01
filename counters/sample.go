package counters

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/field"
	"github.com/ibscope/ibscope/mad/pma"
)

// Sample is what was read of one port in one pass.
type Sample struct {
	Node *fabric.Node
	Num  int // of the port; pma.AllPorts for the sums over all

	// Agent is what the port's agent can do.
	Agent Agent

	// The counters had these values at some time between Before, when the first
	// request was handed to the client, and After, when the last reply had come.
	Before, After time.Time

	// Values are the counters. Those that are not in Has mean nothing.
	Values [NumCounters]uint64
	Has    Set
	// Wide are the counters that were read from a field of 64 bits.
	Wide Set
	// Saturated are the counters that stand at the end of their field: the true
	// values may be higher.
	Saturated Set

	// Err is the first reason for which something is missing, a *Problem; nil
	// where all was read.
	Err error

	more []more
}

// more is an optional attribute of a port.
type more struct {
	attr mad.AttrID
	data [dataSize]byte
}

// dataSize is that of all attributes with counters.
const dataSize = 192

// Agent is what an agent of performance management can do, as its ClassPortInfo
// tells. One that has not told it counts as one that can nothing special.
type Agent struct {
	Known    bool // it has told it
	CapMask  uint16
	CapMask2 uint32
	Lacks    AttrSet // optional attributes that it has refused, or left without a reply
}

// AttrSet is a set of optional attributes.
type AttrSet uint64

// Has reports whether an attribute is in the set.
func (s AttrSet) Has(attr mad.AttrID) bool { return attr < maxAttr && s>>attr&1 != 0 }

// add puts an attribute into the set.
func (s *AttrSet) add(attr mad.AttrID) {
	if attr < maxAttr {
		*s |= 1 << attr
	}
}

// Extended reports whether it has PortCountersExtended.
func (a Agent) Extended() bool {
	return a.CapMask&(pma.CapExtendedWidth|pma.CapExtendedWidthNoIETF) != 0
}

// Additional reports whether that has the error counters too.
func (a Agent) Additional() bool {
	return a.Extended() && a.CapMask2&pma.Cap2AdditionalExtCounters != 0
}

// AllPortSelect reports whether one request may be about all ports.
func (a Agent) AllPortSelect() bool { return a.CapMask&pma.CapAllPortSelect != 0 }

// basic are the counters that mean something in PortCounters.
func (a Agent) basic() Set {
	has := basicTraffic | Errors
	if a.CapMask&pma.CapXmitWait == 0 {
		has &^= 1 << XmitWait
	}
	if a.CapMask&pma.CapQP1Dropped == 0 {
		has &^= 1 << QP1Dropped
	}
	return has
}

// Wide are the counters that the agent has in 64 bits.
func (a Agent) Wide() Set { return a.extended() }

// extended are those that do in PortCountersExtended.
func (a Agent) extended() Set {
	var has Set
	if a.Extended() {
		has = basicTraffic
	}
	if a.CapMask&pma.CapExtendedWidth != 0 {
		has |= ietf
	}
	if a.Additional() {
		has |= a.basic() & Errors
	}
	return has
}

// Port is the port; nil for the sums over all.
func (s *Sample) Port() *fabric.Port { return s.Node.Port(s.Num) }

// XmitBytes is the data that was sent; false if that is not known or beyond 64 bits.
func (s *Sample) XmitBytes() (uint64, bool) { return s.bytes(XmitData) }

// RcvBytes is the data that was received, as XmitBytes.
func (s *Sample) RcvBytes() (uint64, bool) { return s.bytes(RcvData) }

func (s *Sample) bytes(c Counter) (uint64, bool) {
	const wordBytes = 4
	n := s.Values[c]
	return n * wordBytes, s.Has.Has(c) && n < 1<<62
}

// Read decodes an optional attribute that was read; false if it was not.
func (s *Sample) Read(v field.Value) bool {
	for i := range s.more {
		if s.more[i].attr == v.AttrID() {
			return v.UnmarshalBinary(s.more[i].data[:]) == nil
		}
	}
	return false
}

// begin makes s an empty sample of a port.
func (s *Sample) begin(n *fabric.Node, num int, a Agent, now time.Time) {
	*s = Sample{Node: n, Num: num, Agent: a, Before: now, After: now, more: s.more[:0]}
}

// Clone is a copy that may be kept.
func (s *Sample) Clone() *Sample {
	c := new(Sample)
	s.copyTo(c)
	return c
}

// copyTo makes dst a sample of its own.
func (s *Sample) copyTo(dst *Sample) {
	more := append(dst.more[:0], s.more...)
	*dst = *s
	dst.more = more
}

// take puts in what a reply holds.
func (s *Sample) take(attr mad.AttrID, data []byte) {
	if len(data) < dataSize {
		return
	}
	b := (*[dataSize]byte)(data)
	switch attr {
	case pma.AttrPortCounters:
		s.takeBasic(b)
	case pma.AttrPortCountersExtended:
		s.takeExtended(b)
	default:
		s.more = append(s.more, more{attr: attr, data: *b})
	}
}
