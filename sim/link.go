package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// move is what a Set of PortInfo does to the link.
type move struct {
	state ib.PortState // PortNoChange, PortDown, PortArmed or PortActive
	phys  ib.PhysState // of PortDown: where the port goes
}

// linkMove finds what want asks for (IBA vol. 1, 14.2.5.6 and 7.2.7); false if
// the link may not go there. Initialize, Armed and Active follow one another,
// neither end more than one step ahead. Down is always possible.
func linkMove(p *port, v, want *smp.PortInfo) (move, bool) {
	if want.PhysState > ib.PhysDisabled {
		return move{}, false
	}
	peer := ib.PortDown
	if r := p.peer.Load(); r != nil && p.isUp() {
		peer = stateOf(r)
	}
	switch want.State {
	case ib.PortNoChange, ib.PortDown:
		if want.PhysState != 0 {
			return move{ib.PortDown, want.PhysState}, true
		}
		if want.State == ib.PortNoChange {
			return move{}, true
		}
		phys := v.LinkDownDefault
		if want.LinkDownDefault != 0 {
			phys = want.LinkDownDefault
		}
		return move{ib.PortDown, phys}, true
	case ib.PortArmed:
		ok := want.PhysState == 0 && (v.State == ib.PortInitialize && peer >= ib.PortInitialize || v.State == ib.PortArmed)
		return move{state: ib.PortArmed}, ok
	case ib.PortActive:
		ok := want.PhysState == 0 && (v.State == ib.PortArmed && peer >= ib.PortArmed || v.State == ib.PortActive)
		return move{state: ib.PortActive}, ok
	}
	return move{}, false
}

// stateOf is the logical state; a port that nobody knows more of is Active.
func stateOf(p *port) ib.PortState {
	if raw := p.raw(); raw != nil && raw[offSpeeds]&0xf != 0 {
		return ib.PortState(raw[offSpeeds] & 0xf)
	}
	return ib.PortActive
}

// apply carries out a move. The caller holds Fabric.mu.
func (s *Fabric) apply(p *port, m move) {
	switch m.state {
	case ib.PortDown:
		s.goDown(p, m.phys)
		s.train(p)
	case ib.PortArmed, ib.PortActive:
		if v := s.portInfo(p); v.State != m.state {
			v.State = m.state
			s.publish(p, &v)
		}
	}
}

// activate is what happens to an Armed port that a data packet reaches.
func (s *Fabric) activate(p *port) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.portInfo(p); v.State == ib.PortArmed {
		v.State = ib.PortActive
		s.publish(p, &v)
	}
}

// goDown takes the link at p down: p goes to the physical state phys, and the
// other end, which loses it, to the one that it has by default. PortStateChange
// does not report what a Set did to p itself.
func (s *Fabric) goDown(p *port, phys ib.PhysState) {
	wasUp := p.isUp()
	v := s.portInfo(p)
	v.State, v.PhysState = ib.PortDown, phys
	s.publish(p, &v)
	peer := p.peer.Load()
	if !wasUp || peer == nil {
		return
	}
	if peer != p && peer.peer.Load() == p {
		s.lose(peer)
	}
	if m := s.monitor.Load(); m != nil {
		(*m).LinkDowned(p.place())
		(*m).LinkDowned(peer.place())
	}
}

// lose is what happens to a port that notices that its link is gone.
func (s *Fabric) lose(p *port) {
	v := s.portInfo(p)
	v.State, v.PhysState = ib.PortDown, v.LinkDownDefault
	fill(&v.PhysState, ib.PhysPolling)
	s.publish(p, &v)
	s.stateChanged(p)
}

// train brings the link at p up if both ends poll: with the widest and fastest
// that both have enabled. Without any it stays down.
func (s *Fabric) train(p *port) {
	peer := p.peer.Load()
	if peer == nil || peer.peer.Load() != p || p.node.isDead.Load() || peer.node.isDead.Load() ||
		p.has(quickCut) || peer.has(quickCut) {
		return
	}
	a, b := s.portInfo(p), s.portInfo(peer)
	if a.PhysState != ib.PhysPolling || b.PhysState != ib.PhysPolling {
		return
	}
	limited := a
	s.limit(p, peer, &limited)
	r, ok := negotiate(&limited, &b)
	if !ok {
		return
	}
	s.trainFDR10(p, peer, r)
	for _, end := range [...]struct {
		p *port
		v *smp.PortInfo
	}{{p, &a}, {peer, &b}} {
		end.v.State, end.v.PhysState = ib.PortInitialize, ib.PhysLinkUp
		end.v.LinkWidthActive, end.v.LinkSpeedActive = r.width, r.speed
		end.v.LinkSpeedExtActive, end.v.LinkSpeedExtActive2 = r.ext, r.ext2
		fill(&end.v.OperationalVLs, end.v.VLCap)
		s.publish(end.p, end.v)
	}
	s.stateChanged(p)
	s.stateChanged(peer)
	s.cameUp(p)
	s.cameUp(peer)
}

// rate is what a link runs at, in the form of PortInfo.
type rate struct {
	width            ib.LinkWidth
	speed, ext, ext2 uint8
}

// negotiate finds the best that both ends have enabled; false if there is
// nothing.
func negotiate(a, b *smp.PortInfo) (rate, bool) {
	r := rate{width: (a.LinkWidthEnabled & b.LinkWidthEnabled).Max()}
	r.speed = highest(a.LinkSpeedEnabled & b.LinkSpeedEnabled)
	r.ext2 = highest(set(a.LinkSpeedExtEnabled2, noExtended2, extended2Mask) & set(b.LinkSpeedExtEnabled2, noExtended2, extended2Mask))
	if r.ext2 == 0 {
		r.ext = highest(set(a.LinkSpeedExtEnabled, noExtended, extendedMask) & set(b.LinkSpeedExtEnabled, noExtended, extendedMask))
	}
	return r, r.width != 0 && r.speed|r.ext|r.ext2 != 0
}

// set is the bits of an enabled field.
func set(field, none, mask uint8) uint8 {
	if field == none {
		return 0
	}
	return field & mask
}

// highest is the highest bit that is set.
func highest(code uint8) uint8 {
	code = upTo(code)
	return code ^ code>>1
}

// trainFDR10 is the vendor's part of the training: links at QDR run at FDR10 if
// both ends have it enabled.
func (s *Fabric) trainFDR10(p, peer *port, r rate) {
	var ends [2][mad.DataSize]byte
	active := byte(0)
	if r.ext|r.ext2 == 0 && r.speed == ib.SpeedQDR.Base() && s.carries(p, peer, ib.SpeedFDR10) {
		active = 1
	}
	for i, end := range [...]*port{p, peer} {
		q := query{sim: s, node: end.node, in: end.num, modifier: uint32(end.num), data: &ends[i]}
		if q.extendedPortInfo() != mad.StatusOK {
			active = 0
		}
		active &= ends[i][offFDR10Enabled]
	}
	for i, end := range [...]*port{p, peer} {
		if ends[i][offFDR10Active]&1 != active {
			ends[i][offFDR10Active] = active
			end.node.store(attrExtendedPortInfo, uint32(end.num), &ends[i])
		}
	}
}

// stateChanged is what a switch does when one of its links went up or down by
// itself: it remembers, and tells the subnet manager.
func (s *Fabric) stateChanged(p *port) {
	n := p.node
	if !n.isSwitch || n.isDead.Load() {
		return
	}
	q := query{sim: s, node: n}
	v := q.completeSwitchInfo()
	v.PortStateChange = true
	s.publishSwitch(n, &v)
	s.notifyLinkState(&n.ports[0])
}

// portInfo is the PortInfo of a port with all fields filled in.
func (s *Fabric) portInfo(p *port) smp.PortInfo {
	q := query{sim: s, node: p.node, in: p.num}
	return q.completePortInfo(int(p.num))
}

// publish makes v the PortInfo of p. The caller holds Fabric.mu.
func (s *Fabric) publish(p *port, v *smp.PortInfo) {
	var b [mad.DataSize]byte
	if raw := p.raw(); raw != nil {
		b = *raw
	}
	v.ClientReregister = false
	v.Encode(&b)
	p.info.Store(&b)
	p.quick.Store(summary(&b) | p.quick.Load()&quickKept)
}
