package pma

// PortRcvErrorDetails divides PortCounters.RcvErrors by cause (16.1.4).
//
//mad:attr id=0x0015 size=192
type PortRcvErrorDetails struct {
	PortSelect          uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect       uint16 `mad:"16,16" c:"CounterSelect,hex"`
	LocalPhysicalErrors uint16 `mad:"32,16" c:"PortLocalPhysicalErrors,uint" sel:"0"`
	MalformedPktErrors  uint16 `mad:"48,16" c:"PortMalformedPktErrors,uint" sel:"1"`
	BufferOverrunErrors uint16 `mad:"64,16" c:"PortBufferOverrunErrors,uint" sel:"2"`
	DLIDMappingErrors   uint16 `mad:"80,16" c:"PortDLIDMappingErrors,uint" sel:"3"`
	VLMappingErrors     uint16 `mad:"96,16" c:"PortVLMappingErrors,uint" sel:"4"`
	LoopingErrors       uint16 `mad:"112,16" c:"PortLoopingErrors,uint" sel:"5"`
}

// PortXmitDiscardDetails divides PortCounters.XmitDiscards by cause (16.1.4).
//
//mad:attr id=0x0016 size=192
type PortXmitDiscardDetails struct {
	PortSelect                 uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect              uint16 `mad:"16,16" c:"CounterSelect,hex"`
	InactiveDiscards           uint16 `mad:"32,16" c:"PortInactiveDiscards,uint" sel:"0"`
	NeighborMTUDiscards        uint16 `mad:"48,16" c:"PortNeighborMTUDiscards,uint" sel:"1"`
	SwLifetimeLimitDiscards    uint16 `mad:"64,16" c:"PortSwLifetimeLimitDiscards,uint" sel:"2"`
	SwHOQLifetimeLimitDiscards uint16 `mad:"80,16" c:"PortSwHOQLifetimeLimitDiscards,uint" sel:"3"`
}

// PortOpRcvCounters counts received packets of one opcode (16.1.4).
//
//mad:attr id=0x0017 size=192
type PortOpRcvCounters struct {
	OpCode        uint8  `mad:"0,8" c:"OpCode,hex,extra"` // that is counted
	PortSelect    uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16 `mad:"16,16" c:"CounterSelect,hex"`
	OpRcvPkts     uint32 `mad:"32,32" c:"PortOpRcvPkts,uint" sel:"0"`
	OpRcvData     uint32 `mad:"64,32" c:"PortOpRcvData,uint" sel:"1"` // words of 4 bytes
}

// PortFlowCtlCounters counts flow control packets (16.1.4).
//
//mad:attr id=0x0018 size=192
type PortFlowCtlCounters struct {
	PortSelect    uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16 `mad:"16,16" c:"CounterSelect,hex"`
	XmitFlowPkts  uint32 `mad:"32,32" c:"PortXmitFlowPkts,uint" sel:"0"`
	RcvFlowPkts   uint32 `mad:"64,32" c:"PortRcvFlowPkts,uint" sel:"1"`
}
