package sim

import (
	"time"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// protectReads is the first value of M_KeyProtectBits that keeps strangers from
// reading.
const protectReads = 2

// hidesKey is the value of M_KeyProtectBits that lets strangers read all but the
// M_Key itself.
const hidesKey = 1

// mkeyOf is the M_Key and M_KeyProtectBits of a port.
func (p *port) mkeyOf() (key uint64, protect uint8) {
	raw := p.raw()
	if raw == nil {
		return 0, 0
	}
	return be.Uint64(raw[:]), raw[offLMC] >> 6
}

// admits checks the M_Key of a packet (IBA vol. 1, 14.2.4). It reports false
// for one that the agent drops.
func (t *trip) admits(m *mad.Packet, d *delivery) bool {
	if !t.keeper().admits(t, m, d) {
		return false
	}
	if m.AttrID() != attrPortInfo || t.node.isSwitch {
		return true
	}
	// Another port of an adapter has a key of its own.
	other := t.node.port(int(m.Modifier() &^ smp.ExtendedSpeedModifier & 0x1ff))
	return other == nil || other.num == 0 || other == t.arrived() || other.admits(t, m, d)
}

func (p *port) admits(t *trip, m *mad.Packet, d *delivery) bool {
	if !p.has(quickKeyed) {
		return true
	}
	if key, _ := p.mkeyOf(); key == m.MKey() && !p.has(quickLeased) {
		return true
	}
	return t.sim.checkMKey(p, m, d)
}

// checkMKey is the slow way: the key is wrong, or its lease is running out.
func (s *Fabric) checkMKey(p *port, m *mad.Packet, d *delivery) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLease(p)
	key, protect := p.mkeyOf()
	if key == 0 || key == m.MKey() {
		s.endLease(p)
		return true
	}
	if m.Method() == mad.MethodGet && protect < protectReads {
		return true
	}
	v := s.portInfo(p)
	if v.MKeyViolations < 0xffff {
		v.MKeyViolations++
		s.publish(p, &v)
	}
	if v.MKeyLeasePeriod != 0 && !p.has(quickLeased) {
		s.leases[p] = time.Now().Add(time.Duration(v.MKeyLeasePeriod) * time.Second)
		p.mark(quickLeased, true)
	}
	s.notifyMKey(p, m, d)
	return false
}

// expireLease takes the protection away when the time of the key is over.
func (s *Fabric) expireLease(p *port) {
	if !p.has(quickLeased) || time.Now().Before(s.leases[p]) {
		return
	}
	s.endLease(p)
	v := s.portInfo(p)
	v.MKeyProtect = 0
	s.publish(p, &v)
}

// endLease stops the countdown: a packet with the right key has come.
func (s *Fabric) endLease(p *port) {
	if p.has(quickLeased) {
		delete(s.leases, p)
		p.mark(quickLeased, false)
	}
}

// hideMKey zeroes the M_Key in a PortInfo that somebody reads who did not show
// it. With protection 0 everybody may see it, and with 2 and 3 strangers read
// nothing at all.
func (q *query) hideMKey(shown uint64) {
	var v [8]byte
	if q.data[offLMC]>>6 == hidesKey && be.Uint64(q.data[:]) != shown {
		copy(q.data[:], v[:])
	}
}
