package gs

import "github.com/ibscope/ibscope/ib"

// ClassPortInfo describes the agent of a class at a port: what it can do, where
// requests go that it redirects, and where its traps go (13.4.8.1). What the
// bits of CapMask from 8 on and of CapMask2 mean is up to the class.
//
//mad:part size=72
type ClassPortInfo struct {
	BaseVersion       uint8   `mad:"0,8" c:"BaseVersion,uint"`
	ClassVersion      uint8   `mad:"8,8" c:"ClassVersion,uint"`
	CapMask           uint16  `mad:"16,16" c:"CapabilityMask,hex"`
	CapMask2          uint32  `mad:"32,27" c:"CapabilityMask2,hex"`
	RespTimeValue     uint8   `mad:"59,5" c:"RespTimeVal,uint"` // replies come within 4.096 µs · 2^value
	RedirectGID       ib.GID  `mad:"64,128" c:"RedirectGID,array"`
	RedirectTC        uint8   `mad:"192,8" c:"RedirectTC,hex"`
	RedirectSL        uint8   `mad:"200,4" c:"RedirectSL,uint"`
	RedirectFlowLabel uint32  `mad:"204,20" c:"RedirectFL,hex"`
	RedirectLID       ib.LID  `mad:"224,16" c:"RedirectLID,uint"` // 0 when RedirectGID says where
	RedirectPKey      ib.PKey `mad:"240,16" c:"RedirectPKey,hex"`
	RedirectQP        uint32  `mad:"264,24" c:"RedirectQP,hex"`
	RedirectQKey      uint32  `mad:"288,32" c:"RedirectQKey,hex"`
	TrapGID           ib.GID  `mad:"320,128" c:"TrapGID,array"`
	TrapTC            uint8   `mad:"448,8" c:"TrapTC,hex"`
	TrapSL            uint8   `mad:"456,4" c:"TrapSL,uint"`
	TrapFlowLabel     uint32  `mad:"460,20" c:"TrapFL,hex"`
	TrapLID           ib.LID  `mad:"480,16" c:"TrapLID,uint"`
	TrapPKey          ib.PKey `mad:"496,16" c:"TrapPKey,hex"`
	TrapHopLimit      uint8   `mad:"512,8" c:"TrapHL,uint"`
	TrapQP            uint32  `mad:"520,24" c:"TrapQP,hex"`
	TrapQKey          uint32  `mad:"544,32" c:"TrapQKey,hex"`
}

// Bits of ClassPortInfo.CapMask that all classes have.
const (
	CapTrap   uint16 = 1 << 0 // the agent sends traps
	CapNotice uint16 = 1 << 1 // it answers Get and Set of Notice
)
