package sim

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// LimitLink makes the cable at a port one that carries no more than a rate: the
// link goes down and trains again, at the best that both ends have enabled and
// the cable allows. The zero rate is no limit. Unlink takes the limit away with
// the cable.
func (s *Fabric) LimitLink(at Place, to fabric.LinkRate) error {
	return s.change("limit", at, func(p *port) error {
		peer := p.peer.Load()
		delete(s.limits, peer)
		if to == (fabric.LinkRate{}) {
			delete(s.limits, p)
		} else {
			if s.limits == nil {
				s.limits = map[*port]fabric.LinkRate{}
			}
			s.limits[p] = to
		}
		if peer != nil && p.isUp() {
			s.fail(p)
		}
		s.train(p)
		return nil
	})
}

// limit takes out of what v has enabled what the cable between two ports does
// not carry.
func (s *Fabric) limit(p, peer *port, v *smp.PortInfo) {
	for _, end := range [...]*port{p, peer} {
		rate, ok := s.limits[end]
		if !ok {
			continue
		}
		for w := ib.LinkWidth(1); w != 0; w <<= 1 {
			if w.Lanes() > rate.Width.Lanes() && rate.Width != 0 {
				v.LinkWidthEnabled &^= w
			}
		}
		if rate.Speed == 0 {
			continue
		}
		v.LinkSpeedEnabled = upToSpeed(ib.SpeedFrom(v.LinkSpeedEnabled, 0, 0), rate.Speed).Base()
		v.LinkSpeedExtEnabled = upToSpeed(ib.SpeedFrom(0, set(v.LinkSpeedExtEnabled, noExtended, extendedMask), 0), rate.Speed).Ext()
		v.LinkSpeedExtEnabled2 = upToSpeed(ib.SpeedFrom(0, 0, set(v.LinkSpeedExtEnabled2, noExtended2, extended2Mask)), rate.Speed).Ext2()
	}
}

// carries reports whether the cable between two ports allows a speed.
func (s *Fabric) carries(p, peer *port, speed ib.LinkSpeed) bool {
	for _, end := range [...]*port{p, peer} {
		if rate := s.limits[end]; rate.Speed != 0 && rate.Speed.Rank() < speed.Rank() {
			return false
		}
	}
	return true
}

// upToSpeed leaves the speeds that are not faster than top.
func upToSpeed(speeds, top ib.LinkSpeed) ib.LinkSpeed {
	for bit := ib.LinkSpeed(1); bit != 0; bit <<= 1 {
		if bit.Rank() > top.Rank() {
			speeds &^= bit
		}
	}
	return speeds
}

// ResetPort makes a port as after power-on: its cable is pulled, and what was
// set of it forgotten.
func (s *Fabric) ResetPort(at Place) error {
	if err := s.Unlink(at); err != nil {
		return err
	}
	return s.change("reset", at, func(p *port) error {
		s.resetPort(p)
		return nil
	})
}
