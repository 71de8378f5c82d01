package umad

import (
	"github.com/ibscope/ibscope/mad"
)

// AgentRequest says which MADs an agent sends and receives.
type AgentRequest struct {
	Class   mad.Class
	Version uint8 // of the class; 0 = the one that the class has

	// Methods lists the requests that the agent answers. An agent without any
	// is a client: it receives the replies to what it sends.
	Methods []mad.Method

	OUI  uint32 // 24 bits, for vendor classes 0x30–0x4f
	RMPP bool   // the kernel splits and joins messages longer than a MAD

	// UserRMPP leaves RMPP to the caller: its packets come as they are.
	UserRMPP bool
}

// Agent is a registration with the kernel. It ends with Close, or with its port.
type Agent struct {
	port *Port
	id   uint32
	req  AgentRequest
}

// ID is the kernel's number of the agent, 0…31.
func (a *Agent) ID() int { return int(a.id) }

// Request is what the agent was registered for.
func (a *Agent) Request() AgentRequest { return a.req }

// qp is the queue pair that the class uses.
func (r *AgentRequest) qp() uint32 {
	if r.Class.IsSMP() {
		return mad.QPSubnet
	}
	return mad.QPGeneral
}

// methodMask is the set of requests in the kernel's form.
func (r *AgentRequest) methodMask() (m [2]uint64) {
	for _, method := range r.Methods {
		method &^= mad.ResponseBit
		m[method/64] |= 1 << (method % 64)
	}
	return m
}

// registration is the request in the form of the newer ioctl.
func (r *AgentRequest) registration() registration {
	reg := registration{
		qpn: r.qp(), class: uint8(r.Class), classVersion: r.Version,
		methods: r.methodMask(), oui: r.OUI,
	}
	if reg.classVersion == 0 {
		reg.classVersion = r.Class.Version()
	}
	if r.RMPP {
		reg.rmppVersion = 1
	}
	if r.UserRMPP {
		reg.flags = flagUserRMPP
	}
	return reg
}

// old is a registration in the form of the older ioctl, for kernels before 4.0.
func (r *registration) old() oldRegistration {
	o := oldRegistration{qpn: uint8(r.qpn), class: r.class, classVersion: r.classVersion, rmppVersion: r.rmppVersion}
	o.oui = [3]uint8{uint8(r.oui >> 16), uint8(r.oui >> 8), uint8(r.oui)}
	for i, m := range r.methods {
		o.methods[2*i], o.methods[2*i+1] = uint32(m), uint32(m>>32)
	}
	return o
}

// flagUserRMPP is IB_USER_MAD_USER_RMPP.
const flagUserRMPP = 1
