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
	incoming  incoming
	reports   reports

	mu        sync.Mutex
	databases map[sim.Place]*database // by the place of the manager
}

// Start plugs subnet administration into the fabric of m.
func Start(m *sm.Manager) (*Agent, error) {
	a := &Agent{manager: m, databases: map[sim.Place]*database{}}
	for _, s := range m.Subnets() {
		a.databaseOf(s)
	}
	m.Notices(a.report)
	return a, m.Fabric().Use(mad.ClassSubnAdm, a)
}

// Close takes the agent out of the fabric. What is under way ends.
func (a *Agent) Close() error {
	a.manager.Notices(nil)
	a.transfers.end()
	a.incoming.close()
	a.reports.end()
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
	case mad.MethodReport:
		return sim.Declined // for a program on the manager's machine
	case mad.MethodTrap, mad.MethodTrapRepress, mad.MethodSend:
		return sim.Silent
	}
	var whole []byte
	if m.IsRMPP() {
		if m.RMPP().Type != mad.RMPPData { // acknowledgements have the response bit of requests
			a.Heard(r, m)
			return sim.Silent
		}
		var answer *mad.Packet
		if whole, answer = a.incoming.take(r, m); whole == nil {
			if answer == nil {
				return sim.Silent
			}
			*m = *answer
			return sim.Answered
		}
		r.Reply(answer)
	}
	if a.transfers.has(r, m) {
		return sim.Silent // a repeated request: the answer is under way
	}
	q := &query{database: a.databaseOf(subnet), subnet: subnet, request: r, packet: m, want: whole}
	q.run()
	for _, n := range q.events {
		a.report(subnet, n)
	}
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

// Heard implements sim.Conversation: what goes on in a transfer, and that a
// report has come.
func (a *Agent) Heard(r sim.Request, m *mad.Packet) {
	switch {
	case a.manager.SubnetAt(r.At) == nil:
	case m.Method() == mad.MethodReport|mad.ResponseBit:
		a.reports.answered(r.Sender, m)
	case m.IsRMPP():
		a.incoming.stopped(r, m)
		a.transfers.heard(r, m)
	}
}

// gid is the GID of a port.
func (q *query) gid(p *sm.EndPort) ib.GID { return ib.GIDFrom(q.subnet.Prefix, p.GUID) }
