package smp

// SwitchInfo describes a switch as a whole (14.2.5.4).
//
//mad:attr id=0x0012
type SwitchInfo struct {
	LinearFDBCap        uint16 `mad:"0,16" c:"LinearFdbCap,uint"`
	RandomFDBCap        uint16 `mad:"16,16" c:"RandomFdbCap,uint"`
	MulticastFDBCap     uint16 `mad:"32,16" c:"McastFdbCap,uint"`
	LinearFDBTop        uint16 `mad:"48,16" c:"LinearFdbTop,uint"`
	DefaultPort         uint8  `mad:"64,8" c:"DefPort,uint"`
	DefaultMcastPrimary uint8  `mad:"72,8" c:"DefMcastPrimPort,uint"`
	DefaultMcastOther   uint8  `mad:"80,8" c:"DefMcastNotPrimPort,uint"`
	LifeTime            uint8  `mad:"88,5" c:"LifeTime,uint"`
	PortStateChange     bool   `mad:"93,1" c:"StateChange,uint"`
	OptimizedSLtoVL     uint8  `mad:"94,2" c:"OptSLtoVLMapping,uint"`
	LIDsPerPort         uint16 `mad:"96,16" c:"LidsPerPort,uint"`
	PartitionEnforceCap uint16 `mad:"112,16" c:"PartEnforceCap,uint"`
	InboundPartEnforce  bool   `mad:"128,1" c:"InboundPartEnf,uint"`
	OutboundPartEnforce bool   `mad:"129,1" c:"OutboundPartEnf,uint"`
	FilterRawInbound    bool   `mad:"130,1" c:"FilterRawInbound,uint"`
	FilterRawOutbound   bool   `mad:"131,1" c:"FilterRawOutbound,uint"`
	EnhancedPort0       bool   `mad:"132,1" c:"EnhancedPort0,uint"`
	MulticastFDBTop     uint16 `mad:"144,16" c:"MulticastFDBTop,hex"`
}
