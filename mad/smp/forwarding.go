package smp

import "github.com/ibscope/ibscope/ib"

// LinearForwardingTable is a block of a switch's unicast table (14.2.5.10):
// the output port of each LID, NoPort if there is none. The attribute
// modifier is the block number; see LFTBlock.
//
//mad:attr id=0x0019
type LinearForwardingTable struct {
	Ports [64]uint8 `mad:"0,8*64" c:"LinearForwTbl,array"`
}

// LIDsPerBlock is the number of LIDs in a LinearForwardingTable.
const LIDsPerBlock = 64

// NoPort in a forwarding table drops packets for the LID.
const NoPort uint8 = 255

// RandomForwardingTable is a block of the unicast table of a switch that
// stores LIDs rather than indexing by them (14.2.5.11). Entry i of each array
// belongs together. The attribute modifier is the block number.
//
//mad:attr id=0x001a
type RandomForwardingTable struct {
	LIDs  [16]ib.LID `mad:"0,16*16/32" c:"LID,uint"`
	Valid [16]bool   `mad:"16,1*16/32" c:"Valid,uint"`
	LMCs  [16]uint8  `mad:"17,3*16/32" c:"LMC,uint"`
	Ports [16]uint8  `mad:"24,8*16/32" c:"Port,uint"`
}

// MulticastForwardingTable is a block of a switch's multicast table
// (14.2.5.12): for each multicast LID the output ports out of a group of 16,
// bit 0 being the lowest. The attribute modifier comes from MFTModifier.
//
//mad:attr id=0x001b
type MulticastForwardingTable struct {
	PortMasks [32]uint16 `mad:"0,16*32" c:"MulticastForwTbl,array"`
}

const (
	// MLIDsPerBlock is the number of multicast LIDs in a MulticastForwardingTable.
	MLIDsPerBlock = 32

	// PortsPerMask is the number of ports that one position covers.
	PortsPerMask = 16
)
