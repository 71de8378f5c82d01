package sa

import "github.com/ibscope/ibscope/mad/gs"

// ClassPortInfo describes the agent of subnet administration.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// Bits of ClassPortInfo.CapMask.
const (
	CapSubnetOptRecords       uint16 = 1 << 8 // SLtoVL, SwitchInfo, forwarding table, P_Key, VL arbitration … records
	CapUDMulticast            uint16 = 1 << 9
	CapMultiPath              uint16 = 1 << 10
	CapReinit                 uint16 = 1 << 11
	CapGIDScopedMultiPath     uint16 = 1 << 12
	CapPortInfoCapMaskMatch   uint16 = 1 << 13 // modifier CapMaskMatch
	CapLinkSpeedWidthPairsRec uint16 = 1 << 14
	CapPAServices             uint16 = 1 << 15
)

// Bits of ClassPortInfo.CapMask2.
const (
	Cap2UnpathRepath          uint32 = 1 << 0
	Cap2QoS                   uint32 = 1 << 1
	Cap2ReversePathPKeyMember uint32 = 1 << 2
	Cap2MulticastFDBTop       uint32 = 1 << 3 // SwitchInfo.MulticastFDBTop is valid
	Cap2HierarchyInfo         uint32 = 1 << 4
	Cap2AdditionalGUID        uint32 = 1 << 5
	Cap2FullPortInfoRecord    uint32 = 1 << 6
	Cap2ExtendedSpeeds        uint32 = 1 << 7
	Cap2MulticastServiceRec   uint32 = 1 << 8
	Cap2CableInfoRecord       uint32 = 1 << 9
	Cap2PortInfoCapMask2Match uint32 = 1 << 10
	Cap2PortInfoExtendedRec   uint32 = 1 << 11
)
