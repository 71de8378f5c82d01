package pma

// PortRcvConCtrl counts received packets that signal congestion (annex A10).
//
//mad:attr id=0x0031 size=192
type PortRcvConCtrl struct {
	PortSelect    uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16 `mad:"16,16" c:"CounterSelect,hex"`
	PktRcvFECN    uint32 `mad:"32,32" c:"PortPktRcvFECN,uint" sel:"0"`
	PktRcvBECN    uint32 `mad:"64,32" c:"PortPktRcvBECN,uint" sel:"1"`
}

// PortXmitConCtrl is the time in which a port was congested (annex A10).
//
//mad:attr id=0x0034 size=192
type PortXmitConCtrl struct {
	PortSelect    uint8  `mad:"8,8" c:"PortSelect,uint"`
	CounterSelect uint16 `mad:"16,16" c:"CounterSelect,hex"`
	XmitTimeCong  uint32 `mad:"32,32" c:"PortXmitTimeCong,uint" sel:"0"`
}
