package sa

import (
	"sync"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	adm "github.com/ibscope/ibscope/mad/sa"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/sm"
)

// Agent answers for subnet administration wherever a manager runs. It is a
// sim.Conversation.
type Agent struct {
	manager   *sm.Manager
	transfers transfers

	mu        sync.Mutex
	databases map[sim.Place]*database // by the place of the manager
}

// Start plugs subnet administration into the fabric of m.
func Start(m *sm.Manager) (*Agent, error) {
	a := &Agent{manager: m, databases: map[sim.Place]*database{}}
	for _, s := range m.Subnets() {
		a.databaseOf(s)
	}
	return a, m.Fabric().Use(mad.ClassSubnAdm, a)
}

// Close takes the agent out of the fabric. Transfers that are under way end.
func (a *Agent) Close() error {
	a.transfers.end()
	return a.manager.Fabric().Use(mad.ClassSubnAdm, nil)
}

func (a *Agent) databaseOf(s *sm.Subnet) *database {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.databases[s.SM]
	if d == nil {
		d = newDatabase(a.manager, s)
		a.databases[s.SM] = d
	}
	return d
}

// Methods of the replies.
const (
	getTableResp = mad.MethodGetTable | mad.ResponseBit
	getMultiResp = mad.MethodGetMulti | mad.ResponseBit
)

// Answer implements sim.Agent.
func (a *Agent) Answer(r sim.Request, m *mad.Packet) sim.Outcome {
	subnet := a.manager.SubnetAt(r.At)
	if subnet == nil {
		return sim.Declined
	}
	switch m.Method() {
	case mad.MethodTrap, mad.MethodReport, mad.MethodTrapRepress, mad.MethodSend:
		return sim.Silent
	}
	if m.IsRMPP() {
		if m.RMPP().Type != mad.RMPPData {
			a.transfers.heard(r, m) // acknowledgements have the response bit of requests
			return sim.Silent
		}
		if status := checkRequestRMPP(m.RMPP()); status != mad.RMPPNormal {
			abort(m, status)
			return sim.Answered
		}
		r.Reply(acknowledgement(m))
	}
	if a.transfers.has(r, m) {
		return sim.Silent // a repeated request: the answer is under way
	}
	q := &query{database: a.databaseOf(subnet), subnet: subnet, from: r.From, packet: m}
	q.run()
	return a.reply(r, m, q)
}

// reply turns m into the answer, or into its first segment.
func (a *Agent) reply(r sim.Request, m *mad.Packet, q *query) sim.Outcome {
	method := m.Method()
	m.SetMethod(method | mad.ResponseBit)
	if method == mad.MethodSet {
		m.SetMethod(mad.MethodGetResp)
	}
	m.SetStatus(q.status)
	m.SetRMPP(mad.RMPPHeader{})
	switch {
	case q.status != mad.StatusOK:
		return sim.Answered
	case m.Method() == getTableResp || m.Method() == getMultiResp:
		return a.transfers.begin(r, m, q.records, q.stride)
	}
	clear(m.Data())
	copy(m.Data(), q.records)
	m.SetAttrOffset(uint16(adm.Stride(q.size) / 8))
	return sim.Answered
}

// Heard implements sim.Conversation: what goes on in a transfer.
func (a *Agent) Heard(r sim.Request, m *mad.Packet) {
	if m.IsRMPP() && a.manager.SubnetAt(r.At) != nil {
		a.transfers.heard(r, m)
	}
}

// gid is the GID of a port.
func (q *query) gid(p *sm.EndPort) ib.GID { return ib.GIDFrom(q.subnet.Prefix, p.GUID) }
