package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// recall answers a task from memory. It reports false where it must be sent.
func (s *sweep) recall(t *task) bool {
	if t.node == nil || t.node.past == nil {
		return false
	}
	data := t.request.Packet.SMPData()
	switch r, port := t.node.past, int(t.step.port); t.step.kind {
	case askDescription:
		return s.opts.memory.description(r, data)
	case askPortInfo:
		return s.opts.memory.portInfo(r, port, data)
	case askExtended:
		return r.extended(port, data)
	case probe:
		return s.recallLink(t, r.known.Port(port), data)
	}
	return false
}

func (m *memory) description(r *remembered, data *[mad.DataSize]byte) bool {
	if r.distrusted || !r.known.HasDescription() || m.isDue(r.known, descriptionTurn) {
		return false
	}
	*data = *r.known.DescriptionBytes()
	return true
}

func (m *memory) portInfo(r *remembered, port int, data *[mad.DataSize]byte) bool {
	p := r.known.Port(port)
	if p == nil || p.InfoBytes() == nil || r.distrusted || r.ports[port]&outdated != 0 || m.isDue(r.known, port) {
		return false
	}
	isSwitch := r.known.Type() == ib.NodeSwitch
	if !isSwitch && mayComeUp(p) || isSwitch && port != 0 && mayComeUp(p) && (r.hinted || m.level == Normal) {
		return false
	}
	r.ports[port] |= portTold
	*data = *p.InfoBytes()
	return true
}

// mayComeUp reports whether a port has no link, or one that nobody has made
// Active yet: what changes next needs no flag to be expected.
func mayComeUp(p *fabric.Port) bool { return p.Remote() == nil || p.State() != ib.PortActive }

// extended answers where PortInfo was answered.
func (r *remembered) extended(port int, data *[mad.DataSize]byte) bool {
	if r.ports[port]&(portTold|outdated) != portTold {
		return false
	}
	ext := r.known.Port(port).ExtendedInfoBytes()
	if ext == nil {
		return false
	}
	*data = *ext
	return true
}

// recallLink answers who is behind a port. Over the first link that leads to a
// switch, and in Normal to any node, it is asked.
func (s *sweep) recallLink(t *task, p *fabric.Port, data *[mad.DataSize]byte) bool {
	m := s.opts.memory
	far := m.behind(p)
	if far == nil || m.isLinkDue(p, p.Remote()) {
		return false
	}
	if far.node == nil && (m.level == Normal || far.known.Type() == ib.NodeSwitch) {
		far.led, t.leads = true, far
		return false
	}
	far.unproved = far.unproved || far.node == nil
	*data = *far.known.InfoBytes()
	info := far.known.Info()
	info.LocalPort = uint8(p.Remote().Num())
	if far.known.Type() != ib.NodeSwitch {
		info.PortGUID = p.Remote().GUID()
	}
	info.Encode(data)
	for _, end := range m.ends(p) {
		end.of.ports[end.port] |= linkTold
	}
	return true
}

// behind is the node behind a port, if memory is to be believed; else nil.
func (m *memory) behind(p *fabric.Port) *remembered {
	if m.searched || p == nil || p.Remote() == nil || p.Remote().Remote() != p {
		return nil
	}
	for _, end := range m.ends(p) {
		if end.of.unusable || end.of.distrusted || end.of.ports[end.port]&outdated != 0 {
			return nil
		}
	}
	return &m.nodes[p.Remote().Node().Index()]
}

// waits keeps a probe back while another one asks the node behind it who it is.
func (s *sweep) waits(t *task) bool {
	if t.step.kind != probe || t.node == nil || t.node.past == nil {
		return false
	}
	far := s.opts.memory.behind(t.node.past.known.Port(int(t.step.port)))
	if far == nil || !far.led {
		return false
	}
	far.waiting = append(far.waiting, t)
	return true
}

// answer ends a task with what memory has told. It does not prove that the node
// answers.
func (s *sweep) answer(t *task) {
	n := t.node
	lost := n.lost
	t.recalled, t.request.Tries = true, 0
	s.finish(&t.request)
	n.lost = lost
}
