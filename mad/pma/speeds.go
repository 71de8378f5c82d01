package pma

// PortExtendedSpeedsCounters are the counters of the physical layer at speeds
// from FDR on, for forward error correction by Firecode or none (16.1.4).
// Which of the two layouts applies is not in the data: it follows from
// PortInfoExtended.FECModeActive; see RSFECSpeedsCounters.
//
//mad:attr id=0x001f size=192
type PortExtendedSpeedsCounters struct {
	PortSelect             uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect          uint64     `mad:"64,64" c:"CounterSelect,hex"`
	SyncHeaderErrors       uint16     `mad:"128,16" c:"SyncHeaderErrorCounter,uint" sel:"0"`
	UnknownBlocks          uint16     `mad:"144,16" c:"UnknownBlockCounter,uint" sel:"1"`
	ErrorDetection         [12]uint16 `mad:"160,16*12" c:"ErrorDetectionCounterLane,uint" sel:"2-13"` // by lane
	FECCorrectableBlocks   [12]uint32 `mad:"352,32*12" c:"FECCorrectableBlockCtrLane,uint" sel:"14-25"`
	FECUncorrectableBlocks [12]uint32 `mad:"736,32*12" c:"FECUncorrectableBlockCtrLane,uint" sel:"26-37"`
}

// RSFECSpeedsCounters is the layout of PortExtendedSpeedsCounters for forward
// error correction by Reed-Solomon. It applies if the agent has
// CapRSFECCounters and FECModeActive of the port is such a mode.
//
//mad:attr id=0x001f size=192 view
type RSFECSpeedsCounters struct {
	PortSelect             uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect          uint64     `mad:"64,64" c:"CounterSelect,hex"`
	SyncHeaderErrors       uint16     `mad:"128,16" c:"SyncHeaderErrorCounter,uint" sel:"0"`
	UnknownBlocks          uint16     `mad:"144,16" c:"UnknownBlockCounter,uint" sel:"1"`
	FECCorrectableSymbols  [12]uint32 `mad:"352,32*12" c:"FECCorrectableSymbolCtrLane,uint" sel:"14-25"` // by lane
	FECCorrectableBlocks   uint32     `mad:"1120,32" c:"PortFECCorrectableBlockCtr,uint" sel:"38"`
	FECUncorrectableBlocks uint32     `mad:"1152,32" c:"PortFECUncorrectableBlockCtr,uint" sel:"39"`
	FECCorrectedSymbols    uint32     `mad:"1184,32" c:"PortFECCorrectedSymbolCtr,uint" sel:"40"`
}
