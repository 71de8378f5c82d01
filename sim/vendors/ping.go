package vendors

import (
	"strings"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/vendors/openib"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/internal/gmp"
)

// Servers are the programs "ibping -S" and "ibsysstat -S" on some machines. Use
// it as the agent of openib.ClassPing and openib.ClassSysstat; elsewhere a
// program that is attached may answer.
type Servers struct {
	// Runs tells whether they run at a node. nil is at all channel adapters.
	Runs func(*fabric.Node) bool
}

// Answer implements sim.Agent.
func (s *Servers) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	if m.OUI() != openib.OUI || m.Method() != mad.MethodGet || !s.runs(r.At.Node) {
		return sim.Declined
	}
	status, _ := gmp.Check(m)
	if status == mad.StatusOK {
		status = reply(r.At.Node, m)
	}
	m.SetStatus(status)
	return sim.Answered
}

func (s *Servers) runs(n *fabric.Node) bool {
	if s.Runs != nil {
		return s.Runs(n)
	}
	return n.Type() == ib.NodeCA
}

// reply writes the text of the answer into the data. A ping keeps the rest of
// the request.
func reply(n *fabric.Node, m *mad.Packet) mad.Status {
	data := m.Data()
	if m.Class() == openib.ClassPing {
		copy(data, hostName(n)+"\x00")
		return mad.StatusOK
	}
	switch m.AttrID() {
	case openib.AttrSysstatPing:
	case openib.AttrSysstatHost:
		clear(data)
		copy(data, hostName(n))
	case openib.AttrSysstatCPU:
		clear(data)
		copy(data, cpus)
	default:
		return mad.StatusUnsupportedAttr
	}
	return mad.StatusOK
}

// cpus is what all machines have.
const cpus = "cpu 0: model Simulated CPU MHZ 2000.000\ncpu 1: model Simulated CPU MHZ 2000.000\n"

// maxHostName is that of Linux.
const maxHostName = 64

// hostName is the first word of the description with the domain that Linux has
// when none is set, as node descriptions begin with the name of the host.
func hostName(n *fabric.Node) string {
	name, _, _ := strings.Cut(n.Description(), " ")
	clean := strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, name)
	if clean == "" {
		clean = "localhost"
	}
	return clean[:min(len(clean), maxHostName)] + ".(none)"
}
