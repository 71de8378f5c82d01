package pma

// PortCounters are the basic counters of a port (16.1.3.5). CounterSelect2
// holds the bits of the mask from 16 on: XmitWait and QP1Dropped.
//
// libibmad reads QP1Dropped from the place of VL15Dropped; here it stands where
// IBA has it.
//
//mad:attr id=0x0012 size=192
type PortCounters struct {
	PortSelect             uint8  `mad:"8,8" c:"PortSelect,uint"` // AllPorts for all, if the agent can
	CounterSelect          uint16 `mad:"16,16" c:"CounterSelect,hex"`
	SymbolErrors           uint16 `mad:"32,16" c:"SymbolErrorCounter,uint" sel:"0"`
	LinkErrorRecovery      uint8  `mad:"48,8" c:"LinkErrorRecoveryCounter,uint" sel:"1"`
	LinkDowned             uint8  `mad:"56,8" c:"LinkDownedCounter,uint" sel:"2"`
	RcvErrors              uint16 `mad:"64,16" c:"PortRcvErrors,uint" sel:"3"`
	RcvRemotePhysErrors    uint16 `mad:"80,16" c:"PortRcvRemotePhysicalErrors,uint" sel:"4"`
	RcvSwitchRelayErrors   uint16 `mad:"96,16" c:"PortRcvSwitchRelayErrors,uint" sel:"5"`
	XmitDiscards           uint16 `mad:"112,16" c:"PortXmitDiscards,uint" sel:"6"`
	XmitConstraintErrors   uint8  `mad:"128,8" c:"PortXmitConstraintErrors,uint" sel:"7"`
	RcvConstraintErrors    uint8  `mad:"136,8" c:"PortRcvConstraintErrors,uint" sel:"8"`
	CounterSelect2         uint8  `mad:"144,8" c:"CounterSelect2,hex"`
	LocalLinkIntegrity     uint8  `mad:"152,4" c:"LocalLinkIntegrityErrors,uint" sel:"9"`
	ExcessiveBufferOverrun uint8  `mad:"156,4" c:"ExcessiveBufferOverrunErrors,uint" sel:"10"`
	QP1Dropped             uint16 `mad:"160,16" c:"QP1Dropped,uint" sel:"17"`
	VL15Dropped            uint16 `mad:"176,16" c:"VL15Dropped,uint" sel:"11"`
	XmitData               uint32 `mad:"192,32" c:"PortXmitData,uint" sel:"12"` // words of 4 bytes
	RcvData                uint32 `mad:"224,32" c:"PortRcvData,uint" sel:"13"`  // words of 4 bytes
	XmitPkts               uint32 `mad:"256,32" c:"PortXmitPkts,uint" sel:"14"`
	RcvPkts                uint32 `mad:"288,32" c:"PortRcvPkts,uint" sel:"15"`
	XmitWait               uint32 `mad:"320,32" c:"PortXmitWait,uint" sel:"16"` // ticks; valid with CapXmitWait only
}

// AllPorts in PortSelect stands for all ports of a node, if the agent has
// CapAllPortSelect.
const AllPorts uint8 = 0xff

// PortCountersExtended are the counters of a port with 64 bits (16.1.4).
// Agents have them with CapExtendedWidth or CapExtendedWidthNoIETF (then without
// the unicast and multicast ones); those from SymbolErrors on with
// Cap2AdditionalExtCounters. CounterSelect2 holds the bits of the mask from 16
// on.
//
//mad:attr id=0x001d size=192
type PortCountersExtended struct {
	PortSelect             uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect          uint16 `mad:"16,16" c:"CounterSelect,hex"`
	XmitData               uint64 `mad:"64,64" c:"PortXmitData,uint" sel:"0"` // words of 4 bytes
	RcvData                uint64 `mad:"128,64" c:"PortRcvData,uint" sel:"1"` // words of 4 bytes
	XmitPkts               uint64 `mad:"192,64" c:"PortXmitPkts,uint" sel:"2"`
	RcvPkts                uint64 `mad:"256,64" c:"PortRcvPkts,uint" sel:"3"`
	UnicastXmitPkts        uint64 `mad:"320,64" c:"PortUnicastXmitPkts,uint" sel:"4"`
	UnicastRcvPkts         uint64 `mad:"384,64" c:"PortUnicastRcvPkts,uint" sel:"5"`
	MulticastXmitPkts      uint64 `mad:"448,64" c:"PortMulticastXmitPkts,uint" sel:"6"`
	MulticastRcvPkts       uint64 `mad:"512,64" c:"PortMulticastRcvPkts,uint" sel:"7"`
	CounterSelect2         uint32 `mad:"32,32" c:"CounterSelect2,hex"`
	SymbolErrors           uint64 `mad:"576,64" c:"SymbolErrorCounter,uint" sel:"16"`
	LinkErrorRecovery      uint64 `mad:"640,64" c:"LinkErrorRecoveryCounter,uint" sel:"17"`
	LinkDowned             uint64 `mad:"704,64" c:"LinkDownedCounter,uint" sel:"18"`
	RcvErrors              uint64 `mad:"768,64" c:"PortRcvErrors,uint" sel:"19"`
	RcvRemotePhysErrors    uint64 `mad:"832,64" c:"PortRcvRemotePhysicalErrors,uint" sel:"20"`
	RcvSwitchRelayErrors   uint64 `mad:"896,64" c:"PortRcvSwitchRelayErrors,uint" sel:"21"`
	XmitDiscards           uint64 `mad:"960,64" c:"PortXmitDiscards,uint" sel:"22"`
	XmitConstraintErrors   uint64 `mad:"1024,64" c:"PortXmitConstraintErrors,uint" sel:"23"`
	RcvConstraintErrors    uint64 `mad:"1088,64" c:"PortRcvConstraintErrors,uint" sel:"24"`
	LocalLinkIntegrity     uint64 `mad:"1152,64" c:"LocalLinkIntegrityErrors,uint" sel:"25"`
	ExcessiveBufferOverrun uint64 `mad:"1216,64" c:"ExcessiveBufferOverrunErrors,uint" sel:"26"`
	VL15Dropped            uint64 `mad:"1280,64" c:"VL15Dropped,uint" sel:"27"`
	XmitWait               uint64 `mad:"1344,64" c:"PortXmitWait,uint" sel:"28"` // ticks
	QP1Dropped             uint64 `mad:"1408,64" c:"QP1Dropped,uint" sel:"29"`
}
