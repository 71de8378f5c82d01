package smp

import (
	"encoding/binary"

	"github.com/ibscope/ibscope/ib"
)

// Notice is an event that an agent reports in a Trap (13.4.8.2). A generic
// notice has a trap number that IBA defines, others a device ID; what Details
// holds depends on it.
//
//mad:attr id=0x0002
//mad:alias 80,16 NoticeDataLID,uint
//mad:alias 96,16 NoticeDataTrap144LID,uint
//mad:alias 128,32 NoticeDataTrap144CapMask,uint
type Notice struct {
	IsGeneric    bool     `mad:"0,1" c:"NoticeIsGeneric,uint"`
	Type         uint8    `mad:"1,7" c:"NoticeType,uint"`              // Notice… constants
	ProducerType uint32   `mad:"8,24" c:"NoticeProducerType,nodetype"` // ib.NodeType if generic, else OUI
	TrapNumber   uint16   `mad:"32,16" c:"NoticeTrapNumber,uint"`      // device ID if not generic
	IssuerLID    ib.LID   `mad:"48,16" c:"NoticeIssuerLID,uint"`
	Toggle       bool     `mad:"64,1" c:"NoticeToggle,uint"`
	Count        uint16   `mad:"65,15" c:"NoticeCount,uint"`
	Details      [54]byte `mad:"80,432" c:"NoticeDataDetails,array"`
}

// Types of a notice.
const (
	NoticeFatal    uint8 = 0
	NoticeUrgent   uint8 = 1
	NoticeSecurity uint8 = 2
	NoticeSM       uint8 = 3 // subnet management
	NoticeInfo     uint8 = 4
	NoticeEmpty    uint8 = 0x7f
)

// Trap numbers of subnet management (14.2.5.1, table of traps).
const (
	TrapGIDInService       uint16 = 64 // sent by the subnet manager
	TrapGIDOutOfService    uint16 = 65
	TrapMcastGroupCreated  uint16 = 66
	TrapMcastGroupDeleted  uint16 = 67
	TrapLinkStateChange    uint16 = 128 // a port of the switch LID changed state
	TrapLocalLinkIntegrity uint16 = 129
	TrapBufferOverrun      uint16 = 130
	TrapFlowControl        uint16 = 131 // flow control update watchdog
	TrapCapMaskChange      uint16 = 144
	TrapSysImageGUIDChange uint16 = 145
	TrapBadMKey            uint16 = 256
	TrapBadPKey            uint16 = 257
	TrapBadQKey            uint16 = 258
	TrapBadPKeySwitchPort  uint16 = 259
)

// Link is the LID and the port that traps 128 to 131 are about; port is 0 in
// trap 128, which names the switch only. It reports false for other notices.
func (v *Notice) Link() (lid ib.LID, port uint8, ok bool) {
	switch {
	case !v.IsGeneric:
		return 0, 0, false
	case v.TrapNumber == TrapLinkStateChange:
		return ib.LID(binary.BigEndian.Uint16(v.Details[0:])), 0, true
	case v.TrapNumber >= TrapLocalLinkIntegrity && v.TrapNumber <= TrapFlowControl:
		return ib.LID(binary.BigEndian.Uint16(v.Details[2:])), v.Details[4], true
	}
	return 0, 0, false
}
