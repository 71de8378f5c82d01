package pma

// PortSLRcvFECN counts packets with FECN by service level (annex A10).
//
//mad:attr id=0x0032 size=192
type PortSLRcvFECN struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	SLs           [16]uint32 `mad:"32,32*16" c:"PortSLRcvFECN,uint" sel:"0-15"`
}

// PortSLRcvBECN counts packets with BECN by service level (annex A10).
//
//mad:attr id=0x0033 size=192
type PortSLRcvBECN struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	SLs           [16]uint32 `mad:"32,32*16" c:"PortSLRcvBECN,uint" sel:"0-15"`
}

// PortXmitDataSL counts sent data by service level, in words of
// 4 bytes (annex A13).
//
//mad:attr id=0x0036 size=192
type PortXmitDataSL struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	SLs           [16]uint32 `mad:"32,32*16" c:"XmtDataSL,uint" sel:"0-15"`
}

// PortRcvDataSL counts received data by service level, in words of
// 4 bytes (annex A13).
//
//mad:attr id=0x0037 size=192
type PortRcvDataSL struct {
	PortSelect    uint8      `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16     `mad:"16,16" c:"CounterSelect,hex"`
	SLs           [16]uint32 `mad:"32,32*16" c:"RcvDataSL,uint" sel:"0-15"`
}
