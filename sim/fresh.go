package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// resetAll makes all nodes as after power-on, with their links trained.
func (s *Fabric) resetAll() {
	for i := range s.nodes {
		s.reset(&s.nodes[i])
	}
	for i := range s.nodes {
		for num := range s.nodes[i].ports {
			s.boot(&s.nodes[i].ports[num])
		}
	}
}

// boot is train for a fabric that starts: whatever the model tells of a link
// that is up stays, but for the logical state. Nobody is told.
func (s *Fabric) boot(p *port) {
	m := p.node.model.Port(int(p.num))
	if !isUp(m) {
		return
	}
	v := s.portInfo(p)
	v.State, v.PhysState = ib.PortInitialize, ib.PhysLinkUp
	s.publish(p, &v)
}

// reset forgets all that was set: what the node has after power-on.
func (s *Fabric) reset(n *node) {
	n.tables.Store(nil)
	if n.isSwitch {
		n.forwarding.Store(nothing)
		n.topLID.Store(0)
		s.resetSwitch(n)
	}
	for i := range n.ports {
		if i != 0 || n.isSwitch {
			s.resetPort(&n.ports[i])
		}
	}
}

func (s *Fabric) resetSwitch(n *node) {
	q := query{sim: s, node: n}
	v := q.completeSwitchInfo()
	v.LinearFDBTop, v.LifeTime = 0, 0
	v.DefaultPort, v.DefaultMcastPrimary, v.DefaultMcastOther = 0, 0, 0
	v.OptimizedSLtoVL = 0
	v.MulticastFDBTop = 0
	zero := s.portInfo(&n.ports[0])
	if zero.CapMask&smp.CapMulticastFDBTop != 0 {
		v.MulticastFDBTop = noMulticast
	}
	v.PortStateChange = true
	s.publishSwitch(n, &v)
}

func (s *Fabric) resetPort(p *port) {
	s.endLease(p)
	q := query{sim: s, node: p.node, in: p.num}
	v := q.modelPortInfo(int(p.num)) // what is enabled is part of the hardware here
	v.MKey, v.MKeyProtect, v.MKeyLeasePeriod = 0, 0, 0
	v.LID, v.LMC, v.SMLID, v.SMSL = 0, 0, 0, 0
	v.MKeyViolations, v.PKeyViolations, v.QKeyViolations = 0, 0, 0
	v.PartEnforceInbound, v.PartEnforceOutbound = false, false
	v.InitType, v.InitTypeReply = 0, 0
	v.LinkDownDefault = ib.PhysPolling
	v.NeighborMTU = min(v.MTUCap, ib.MTU2048)
	v.OperationalVLs = v.VLCap
	v.CapMask &^= smp.CapIsSM
	if s.hasManager(p) {
		v.CapMask |= smp.CapIsSM
	}
	if p.node.isSwitch && p.num == 0 {
		v.State, v.PhysState = ib.PortActive, ib.PhysLinkUp
	} else {
		v.State, v.PhysState = ib.PortDown, ib.PhysPolling
	}
	s.publish(p, &v)
}

// hasManager reports whether a program is subnet manager at the port.
func (s *Fabric) hasManager(p *port) bool {
	if s.clients.managers.Load() == 0 {
		return false
	}
	s.clients.mu.RLock()
	defer s.clients.mu.RUnlock()
	for _, c := range s.clients.at[p] {
		if c.isSM.Load() {
			return true
		}
	}
	return false
}
