package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// mayWantExtended reports whether Mellanox ExtendedPortInfo may have to be asked
// for: the device has it, and the port is up at what looks like QDR.
func (s *sweep) mayWantExtended(n *node, p *fabric.Port) bool {
	if s.opts.NoExtendedPortInfo {
		return false
	}
	info, ok := p.Info()
	if !ok || info.PhysState != ib.PhysLinkUp || info.LinkSpeedActive != ib.SpeedQDR.Base() {
		return false
	}
	about := n.Info()
	return smp.HasExtendedPortInfo(about.VendorID, about.DeviceID)
}

// wantsExtended reports whether the port runs at no extended speed, so that QDR
// may be FDR10. It holds as well once ExtendedPortInfo has told that it is.
func wantsExtended(p *fabric.Port) bool {
	speed := p.Active().Speed
	return speed == ib.SpeedQDR || speed == ib.SpeedFDR10
}
