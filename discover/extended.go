package discover

import (
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
)

// vendorBull is the vendor whose relabelled devices below have the attribute.
const vendorBull = 0x119f

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
	return hasExtendedPortInfo(about.VendorID, about.DeviceID)
}

// wantsExtended reports whether the port runs at no extended speed, so that QDR
// may be FDR10. It holds as well once ExtendedPortInfo has told that it is.
func wantsExtended(p *fabric.Port) bool {
	speed := p.Active().Speed
	return speed == ib.SpeedQDR || speed == ib.SpeedFDR10
}

// hasExtendedPortInfo is libibnetdisc's list of devices that have Mellanox
// ExtendedPortInfo. Newer devices do not run FDR10 and need not be asked.
func hasExtendedPortInfo(vendor uint32, device uint16) bool {
	switch device {
	case 0xc738, 0xc739, 0xc73a, 0xc73b, 0xc839, 0xcb20, 0xcf08, 0xcf09, 0xd2f0, 0xa2d2:
		return true
	}
	if device >= 0x1003 && device <= 0x101b {
		return true
	}
	if vendor != vendorBull {
		return false
	}
	switch device {
	case 0x1b02, 0x1b33, 0x1b40, 0x1b41, 0x1b50, 0x1b60, 0x1b61, 0x1b73, 0x1b83, 0x1b93, 0x1b94,
		0x1ba0, 0x1bb4, 0x1bb5, 0x1bc4, 0x1bc5, 0x1bc6, 0x1bd0, 0x1bd1, 0x1bd2, 0x1bd3, 0x1bd4, 0x1bd5, 0x1bf0:
		return true
	}
	return false
}
