package gmp

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/sim"
)

// RespTime is the RespTimeValue of all agents: replies come within 2 ms.
const RespTime = 9

// Check looks at the header of a request. For a Get or a Set that its agent may
// carry out it is StatusOK and Answered. Else the status is that of the reply,
// or there is none: messages that are not requests are Declined.
func Check(m *mad.Packet) (mad.Status, sim.Outcome) {
	switch m.Method() {
	case mad.MethodSend, mad.MethodTrap, mad.MethodReport, mad.MethodTrapRepress:
		return 0, sim.Declined
	}
	if m.BaseVersion() != 1 || m.ClassVersion() != m.Class().Version() {
		return mad.StatusBadVersion, sim.Answered
	}
	if m.Method() != mad.MethodGet && m.Method() != mad.MethodSet {
		return mad.StatusUnsupportedMethod, sim.Answered
	}
	return mad.StatusOK, sim.Answered
}
