package cc

// SwitchCongestionSetting says when a switch marks packets.
//
//mad:attr id=0x0014 size=192
type SwitchCongestionSetting struct {
	ControlMap    uint32   `mad:"0,32" c:"Control_Map,hex"` // which of the fields below are valid
	VictimMask    [32]byte `mad:"32,256" c:"Victim_Mask,array"`
	CreditMask    [32]byte `mad:"288,256" c:"Credit_Mask,array"`
	Threshold     uint8    `mad:"544,4" c:"Threshold,hex"`    // 0 never, 15 soonest
	PacketSize    uint8    `mad:"552,8" c:"Packet_Size,uint"` // units of 64 bytes; smaller packets are not marked
	CSThreshold   uint8    `mad:"560,4" c:"CS_Threshold,hex"`
	CSReturnDelay uint16   `mad:"576,16" c:"CS_ReturnDelay,hex"` // shift in the upper 2 bits, then multiplier
	MarkingRate   uint16   `mad:"592,16" c:"Marking_Rate,uint"`  // packets between two marks
}

// SwitchPortCongestionSetting is a block of settings for ports of their own: the
// attribute modifier is the number of the block.
//
//mad:attr id=0x0015 size=192
type SwitchPortCongestionSetting struct {
	Ports [48]PortSetting `mad:"0,32*48" c:"extra"`
}

// PortsPerBlock is the number of ports in a SwitchPortCongestionSetting.
const PortsPerBlock = 48

// PortSetting is the setting of one port of a switch.
//
//mad:part size=4
type PortSetting struct {
	Valid       bool   `mad:"0,1" c:"Valid,uint"`
	ControlType bool   `mad:"1,1" c:"Control_Type,uint"` // set: for lack of credits, else congestion
	Threshold   uint8  `mad:"4,4" c:"Threshold,hex"`
	PacketSize  uint8  `mad:"8,8" c:"Packet_Size,uint"`
	MarkingRate uint16 `mad:"16,16" c:"Cong_Parm_Marking_Rate,uint"`
}

// CACongestionSetting says how a CA slows down, by service level.
//
//mad:attr id=0x0016 size=192
type CACongestionSetting struct {
	PortControl uint16      `mad:"0,16" c:"Port_Control,hex"` // bit 0: by service level, else by queue pair
	ControlMap  uint16      `mad:"16,16" c:"Control_Map,hex"` // the service levels whose entries are valid
	SLs         [16]CAEntry `mad:"32,64*16" c:"extra"`
}

// CAEntry is the setting for one service level.
//
//mad:part size=8
type CAEntry struct {
	Timer            uint16 `mad:"0,16" c:"CCTI_Timer,uint"` // units of 1.024 µs
	Increase         uint8  `mad:"16,8" c:"CCTI_Increase,uint"`
	TriggerThreshold uint8  `mad:"24,8" c:"Trigger_Threshold,uint"`
	Min              uint8  `mad:"32,8" c:"CCTI_Min,uint"`
}

// CongestionControlTable is a block of the delays between packets that a CA goes
// through: the attribute modifier is the number of the block.
//
//mad:attr id=0x0017 size=192
type CongestionControlTable struct {
	Limit   uint16         `mad:"0,16" c:"CCTI_Limit,uint"` // last valid index of the whole table
	Entries [64]TableEntry `mad:"32,16*64" c:"extra"`
}

// EntriesPerBlock is the number of entries in a CongestionControlTable.
const EntriesPerBlock = 64

// TableEntry is a delay: the multiplier, shifted right.
//
//mad:part size=2
type TableEntry struct {
	Shift      uint8  `mad:"0,2" c:"CCT_Shift,uint"`
	Multiplier uint16 `mad:"2,14" c:"CCT_Multiplier,uint"`
}
