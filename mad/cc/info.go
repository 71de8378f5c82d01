package cc

import "github.com/ibscope/ibscope/mad/gs"

// ClassPortInfo describes the agent at a port.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// CongestionInfo says what a node can do.
//
//mad:attr id=0x0011 size=192
type CongestionInfo struct {
	Info            uint16 `mad:"0,16" c:"CongestionInfo,hex"`   // InfoCreditStarvation
	ControlTableCap uint8  `mad:"16,8" c:"ControlTableCap,uint"` // blocks of 64 entries of the CongestionControlTable
}

// InfoCreditStarvation is the bit of CongestionInfo.Info that says that a switch
// marks packets for want of credits.
const InfoCreditStarvation uint16 = 1 << 0

// CongestionKeyInfo protects the agent from strangers.
//
//mad:attr id=0x0012 size=192
type CongestionKeyInfo struct {
	CCKey       uint64 `mad:"0,64" c:"CC_Key,hex,secret"` // 0 when the reader may not see it
	Protect     bool   `mad:"64,1" c:"CC_KeyProtectBit,uint"`
	LeasePeriod uint16 `mad:"80,16" c:"CC_KeyLeasePeriod,uint"` // seconds
	Violations  uint16 `mad:"96,16" c:"CC_KeyViolations,uint"`
}

// TimeStamp is the node's clock, in units of 1.024 µs.
//
//mad:attr id=0x0018 size=192
type TimeStamp struct {
	TimeStamp uint32 `mad:"0,32" c:"Timestamp,uint"`
}
