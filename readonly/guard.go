// Package readonly keeps a program from changing anything in a fabric: what it sends
// passes a guard, which lets through what asks, and refuses the rest.
package readonly

import (
	"sync/atomic"
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/pma"
	"github.com/ibscope/ibscope/madrpc"
)

// Allow is what an operator allows beside reading.
type Allow struct {
	Resets bool // counters of performance management may be set to 0
}

// A Guard is a transport that sends nothing by which a fabric would change. It lists
// what may pass, so that a method that nobody has thought of does not:
//
//   - Get, GetTable, GetTraceTable and GetMulti of any class, and what acknowledges
//     their replies, which has the method of the reply;
//   - answers to others: GetResp and ReportResp.
//
// So it refuses Set and Delete of all classes: of subnet management and
// administration, resets of counters, writes to the configuration space of devices. It
// refuses Send, Report, Trap and TrapRepress, too: who gets one does something about it.
//
// By the specification a Get changes nothing. What a vendor's agent makes of a Get in
// its own class nobody can tell from outside; those that this module sends only read.
// A Get with a wrong M_Key or P_Key is counted as a violation, and may cause a trap.
type Guard struct {
	madrpc.Transport
	allow   Allow
	refused atomic.Uint64
}

// New puts a guard on a transport, which it owns.
func New(t madrpc.Transport, allow Allow) *Guard { return &Guard{Transport: t, allow: allow} }

// Send sends a packet, or fails with an *Error.
func (g *Guard) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if !g.allow.Passes(p) {
		g.refused.Add(1)
		return &Error{Op: "send", Class: p.Class(), Method: p.Method(), Attr: p.AttrID(), To: to}
	}
	return g.Transport.Send(p, to, timeout)
}

// Refused is how many packets were refused.
func (g *Guard) Refused() uint64 { return g.refused.Load() }

// Unwrap is the transport below. Who sends through that is not guarded.
func (g *Guard) Unwrap() madrpc.Transport { return g.Transport }

// Answer tells the transport below which requests are wanted, if it has to be told:
// that of package umad has. Others give all that come.
func (g *Guard) Answer(class mad.Class, oui uint32) error {
	if a, ok := g.Transport.(interface{ Answer(mad.Class, uint32) error }); ok {
		return a.Answer(class, oui)
	}
	return nil
}

// Passes reports whether a packet may be sent.
func (a Allow) Passes(p *mad.Packet) bool {
	switch p.Method() {
	case mad.MethodGet, mad.MethodGetTable, mad.MethodGetTraceTabl, mad.MethodGetMulti,
		mad.MethodGetResp, mad.MethodGetTable | mad.ResponseBit, mad.MethodGetTraceTabl | mad.ResponseBit,
		mad.MethodGetMulti | mad.ResponseBit, mad.MethodReport | mad.ResponseBit:
		return true
	case mad.MethodSet:
		return a.Resets && p.Class() == mad.ClassPerf && hasCounters(p.AttrID())
	}
	return false
}

// hasCounters reports whether all that a Set of an attribute of performance management
// does is to set counters.
func hasCounters(id mad.AttrID) bool {
	switch id {
	case pma.AttrClassPortInfo, pma.AttrPortSamplesControl, pma.AttrPortSamplesResult:
		return false
	}
	for _, a := range pma.Attributes() {
		if a.ID == id {
			return true
		}
	}
	return false
}
