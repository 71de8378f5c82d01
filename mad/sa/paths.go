package sa

import "github.com/ibscope/ibscope/ib"

// PathRecord is a path between two ports (15.2.5.16). The selectors of MTU, rate
// and packet lifetime say in a query how the value is meant (Selector…).
//
//mad:attr id=0x0035 size=64
type PathRecord struct {
	ServiceID       uint64  `mad:"0,64" c:"PathRecServiceID,hex,extra" sa:"0-1"`
	DGID            ib.GID  `mad:"64,128" c:"PathRecDGid,array" sa:"2"`
	SGID            ib.GID  `mad:"192,128" c:"PathRecSGid,array" sa:"3"`
	DLID            ib.LID  `mad:"320,16" c:"PathRecDLid,uint" sa:"4"`
	SLID            ib.LID  `mad:"336,16" c:"PathRecSLid,uint" sa:"5"`
	RawTraffic      bool    `mad:"352,1" c:"PathRecRawTraffic,uint,extra" sa:"6"`
	FlowLabel       uint32  `mad:"356,20" c:"PathRecFlowLabel,hex,extra" sa:"8"`
	HopLimit        uint8   `mad:"376,8" c:"PathRecHopLimit,uint,extra" sa:"9"`
	TClass          uint8   `mad:"384,8" c:"PathRecTClass,hex,extra" sa:"10"`
	Reversible      bool    `mad:"392,1" c:"PathRecReversible,uint,extra" sa:"11"`
	NumPath         uint8   `mad:"393,7" c:"PathRecNumPath,uint" sa:"12"` // in a query: at most that many for each pair of ports
	PKey            ib.PKey `mad:"400,16" c:"PathRecPKey,hex,extra" sa:"13"`
	QoSClass        uint16  `mad:"416,12" c:"PathRecQoSClass,hex,extra" sa:"14"`
	SL              uint8   `mad:"428,4" c:"PathRecSL,uint" sa:"15"`
	MTUSelector     uint8   `mad:"432,2" c:"PathRecMTUSelector,uint,extra" sa:"16"`
	MTU             ib.MTU  `mad:"434,6" c:"PathRecMTU,mtu,extra" sa:"17"`
	RateSelector    uint8   `mad:"440,2" c:"PathRecRateSelector,uint,extra" sa:"18"`
	Rate            Rate    `mad:"442,6" c:"PathRecRate,uint,extra" sa:"19"`
	PktLifeSelector uint8   `mad:"448,2" c:"PathRecPktLifeSelector,uint,extra" sa:"20"`
	PktLife         uint8   `mad:"450,6" c:"PathRecPktLife,uint,extra" sa:"21"` // 4.096 µs · 2^value
	Preference      uint8   `mad:"456,8" c:"PathRecPreference,uint,extra"`
}

// MultiPathRecord asks for paths between two sets of ports (15.2.5.20): the
// first SGIDCount GIDs are sources, the DGIDCount behind them destinations.
// Replies are PathRecords. More GIDs than fit here do not fit in one MAD.
//
//mad:attr id=0x003a size=200
type MultiPathRecord struct {
	RawTraffic      bool       `mad:"0,1" c:"MultiPathRawTraffic,uint,extra" sa:"0"`
	FlowLabel       uint32     `mad:"4,20" c:"MultiPathFlowLabel,hex,extra" sa:"2"`
	HopLimit        uint8      `mad:"24,8" c:"MultiPathHopLimit,uint,extra" sa:"3"`
	TClass          uint8      `mad:"32,8" c:"MultiPathTClass,hex,extra" sa:"4"`
	Reversible      bool       `mad:"40,1" c:"MultiPathReversible,uint,extra" sa:"5"`
	NumPath         uint8      `mad:"41,7" c:"MultiPathNumPath,uint" sa:"6"`
	PKey            ib.PKey    `mad:"48,16" c:"MultiPathPKey,hex,extra" sa:"7"`
	QoSClass        uint16     `mad:"64,12" c:"MultiPathQoSClass,hex,extra" sa:"8"`
	SL              uint8      `mad:"76,4" c:"MultiPathSL,uint,extra" sa:"9"`
	MTUSelector     uint8      `mad:"80,2" c:"MultiPathMTUSelector,uint,extra" sa:"10"`
	MTU             ib.MTU     `mad:"82,6" c:"MultiPathMTU,mtu,extra" sa:"11"`
	RateSelector    uint8      `mad:"88,2" c:"MultiPathRateSelector,uint,extra" sa:"12"`
	Rate            Rate       `mad:"90,6" c:"MultiPathRate,uint,extra" sa:"13"`
	PktLifeSelector uint8      `mad:"96,2" c:"MultiPathPktLifeSelector,uint,extra" sa:"14"`
	PktLife         uint8      `mad:"98,6" c:"MultiPathPktLife,uint,extra" sa:"15"`
	ServiceIDHigh   uint8      `mad:"104,8" c:"MultiPathServiceIDHigh,hex,extra" sa:"16"` // upper 8 bits of the service ID
	Independence    uint8      `mad:"112,2" c:"MultiPathIndependence,uint,extra" sa:"17"`
	SGIDCount       uint8      `mad:"120,8" c:"MultiPathNumSrc,uint" sa:"19"`
	DGIDCount       uint8      `mad:"128,8" c:"MultiPathNumDest,uint" sa:"20"`
	ServiceIDLow    uint64     `mad:"136,56" c:"MultiPathServiceIDLow,hex,extra" sa:"21"`
	GIDs            [11]ib.GID `mad:"192,128*11" c:"MultiPathGid,array,extra"`
}

// TraceRecord is one node on a path (15.2.5.19).
//
//mad:attr id=0x0039 size=46
type TraceRecord struct {
	GIDPrefix    uint64      `mad:"0,64" c:"GIDPrefix,hex"`
	IDGeneration uint16      `mad:"64,16" c:"IDGeneration,hex"`
	NodeType     ib.NodeType `mad:"88,8" c:"NodeType,nodetype"`
	NodeID       uint64      `mad:"96,64" c:"NodeID,hex"` // GUIDs, or numbers that stand for them
	ChassisID    uint64      `mad:"160,64" c:"ChassisID,hex"`
	EntryPortID  uint64      `mad:"224,64" c:"EntryPortID,hex"`
	ExitPortID   uint64      `mad:"288,64" c:"ExitPortID,hex"`
	EntryPort    uint8       `mad:"352,8" c:"EntryPort,uint"`
	ExitPort     uint8       `mad:"360,8" c:"ExitPort,uint"`
}

// How a query means the value of an MTU, a rate or a packet lifetime.
const (
	SelectorGreater uint8 = 0
	SelectorLess    uint8 = 1
	SelectorExact   uint8 = 2
	SelectorBest    uint8 = 3 // largest MTU or rate, smallest lifetime; the value does not count
)
