package pma

// PortVLOpPackets counts received packets of one opcode by virtual
// lane (16.1.4).
//
//mad:attr id=0x0019 size=192
type PortVLOpPackets struct {
	OpCode        uint8      `mad:"0,8" c:"OpCode,hex,extra"` // that is counted
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [16]uint16 `mad:"32,16*16" c:"PortVLOpPackets,uint" sel:"0-15"`
}

// PortVLOpData counts the data of these packets, in words of 4 bytes
// (16.1.4).
//
//mad:attr id=0x001a size=192
type PortVLOpData struct {
	OpCode        uint8      `mad:"0,8" c:"OpCode,hex,extra"` // that is counted
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [16]uint32 `mad:"32,32*16" c:"PortVLOpData,uint" sel:"0-15"`
}

// PortVLXmitFlowCtlUpdateErrors counts overdue flow control updates
// by virtual lane (16.1.4). The counters have two bits.
//
//mad:attr id=0x001b size=192
type PortVLXmitFlowCtlUpdateErrors struct {
	PortSelect    uint8     `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16    `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [16]uint8 `mad:"32,2*16" c:"PortVLXmitFlowCtlUpdateErrors,uint" sel:"0-15"`
}

// PortVLXmitWaitCounters counts ticks in which a virtual lane had data and
// did not send (16.1.4).
//
//mad:attr id=0x001c size=192
type PortVLXmitWaitCounters struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [16]uint16 `mad:"32,16*16" c:"PortVLXmitWait,uint" sel:"0-15"`
}

// SwPortVLCongestion counts packets that a switch discarded by
// virtual lane because of congestion (annex A10).
//
//mad:attr id=0x0030 size=192
type SwPortVLCongestion struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [16]uint16 `mad:"32,16*16" c:"SWPortVLCongestion,uint" sel:"0-15"`
}

// PortVLXmitTimeCong is the time in which a virtual lane from 0 to 14
// was congested (annex A10).
//
//mad:attr id=0x0035 size=192
type PortVLXmitTimeCong struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	VLs           [15]uint32 `mad:"32,32*15" c:"PortVLXmitTimeCong,uint" sel:"0-14"`
}
