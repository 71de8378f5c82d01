package smp

import "github.com/ibscope/ibscope/ib"

// PortInfoModifier selects a port. With extended the request says that the
// sender understands extended speeds (smpquery -x).
func PortInfoModifier(port uint8, extended bool) uint32 {
	if extended {
		return uint32(port) | ExtendedSpeedModifier
	}
	return uint32(port)
}

// PKeyModifier selects a block of the P_KeyTable of a switch port; CAs and
// routers ignore the port.
func PKeyModifier(port uint8, block uint16) uint32 { return uint32(port)<<16 | uint32(block) }

// SLtoVLModifier selects the SLtoVLMappingTable of a switch for packets from
// port in to port out. CAs and routers have one table and ignore both.
func SLtoVLModifier(in, out uint8) uint32 { return uint32(in)<<8 | uint32(out) }

// Bits that a Set may add to SLtoVLModifier for a switch with
// SwitchInfo.OptimizedSLtoVL: the table holds for all ports of that side.
const (
	SLtoVLAllOutPorts uint32 = 1 << 16
	SLtoVLAllInPorts  uint32 = 1 << 17
)

// VLArbSection is a half of one of the two arbitration tables of a port.
type VLArbSection uint8

// The sections, each of VLArbPerBlock entries.
const (
	VLArbLowFirst   VLArbSection = 1
	VLArbLowSecond  VLArbSection = 2
	VLArbHighFirst  VLArbSection = 3
	VLArbHighSecond VLArbSection = 4
)

// VLArbModifier selects a section of the arbitration tables of a switch port;
// CAs and routers ignore the port.
func VLArbModifier(section VLArbSection, port uint8) uint32 {
	return uint32(section)<<16 | uint32(port)
}

// MFTModifier selects a block of MLIDsPerBlock multicast LIDs, and by position
// (0…15) the PortsPerMask ports that its masks stand for.
func MFTModifier(position uint8, block uint16) uint32 {
	return uint32(position&0xf)<<28 | uint32(block&0x1ff)
}

// LFTBlock is where the output port of a LID stands: the block, which is the
// attribute modifier, and the index in it.
func LFTBlock(lid ib.LID) (block uint32, index int) {
	return uint32(lid) / LIDsPerBlock, int(lid) % LIDsPerBlock
}

// MFTBlock is where the port mask of a multicast LID stands: the block for
// MFTModifier and the index in it. It reports false if lid is not multicast.
func MFTBlock(lid ib.LID) (block uint16, index int, ok bool) {
	if !lid.IsMulticast() {
		return 0, 0, false
	}
	n := uint16(lid - ib.MinMulticastLID)
	return n / MLIDsPerBlock, int(n % MLIDsPerBlock), true
}

// MFTPort is where a port stands in a mask: the position for MFTModifier and
// the bit.
func MFTPort(port uint8) (position uint8, bit int) {
	return port / PortsPerMask, int(port % PortsPerMask)
}
