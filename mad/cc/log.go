package cc

import "github.com/ibscope/ibscope/ib"

// CongestionLog is what a node wrote down about congestion. LogType says which
// of the two layouts the rest has, CongestionLogSwitch or CongestionLogCA. Its
// data begins at byte 32 of the MAD and not at byte 64.
//
//mad:attr id=0x0013 size=224
type CongestionLog struct {
	LogType LogType `mad:"0,8" c:"LogType,uint"`
	Flags   uint8   `mad:"8,8" c:"CongestionFlags,hex"`
}

// LogType is the kind of a CongestionLog.
type LogType uint8

// The kinds.
const (
	LogSwitch LogType = 1
	LogCA     LogType = 2
)

// CongestionLogSwitch is the log of a switch.
//
//mad:attr id=0x0013 size=224 view
type CongestionLogSwitch struct {
	LogType          LogType            `mad:"0,8" c:"LogType,uint,extra"`
	Flags            uint8              `mad:"8,8" c:"CongestionFlags,hex,extra"`
	EventCounter     uint16             `mad:"16,16" c:"LogEventsCounter,uint"`
	CurrentTimeStamp uint32             `mad:"32,32" c:"CurrentTimeStamp,uint"`
	PortMap          [32]byte           `mad:"64,256" c:"PortMap,array"` // ports that marked packets
	Entries          [15]SwitchLogEntry `mad:"320,96*15" c:"extra"`
}

// SwitchLogEntry is an event in the log of a switch.
//
//mad:part size=12
type SwitchLogEntry struct {
	SLID      ib.LID `mad:"0,16" c:"SLID,uint"`
	DLID      ib.LID `mad:"16,16" c:"DLID,uint"`
	SL        uint8  `mad:"32,4" c:"SL,uint"`
	TimeStamp uint32 `mad:"64,32" c:"Timestamp,uint"`
}

// CongestionLogCA is the log of a CA.
//
// The specification lets the second time stamp begin at an odd place; here it is
// aligned, as devices and the C tools have it.
//
//mad:attr id=0x0013 size=224 view
type CongestionLogCA struct {
	LogType               LogType        `mad:"0,8" c:"LogType,uint,extra"`
	Flags                 uint8          `mad:"8,8" c:"CongestionFlags,hex,extra"`
	ThresholdEventCounter uint16         `mad:"16,16" c:"ThresholdEventCounter,uint"`
	ThresholdEventMap     uint16         `mad:"32,16" c:"ThresholdCongestionEventMap,hex"` // bit for each SL
	CurrentTimeStamp      uint32         `mad:"64,32" c:"CurrentTimeStamp,uint"`
	Entries               [13]CALogEntry `mad:"96,128*13" c:"extra"`
}

// CALogEntry is an event in the log of a CA.
//
//mad:part size=16
type CALogEntry struct {
	LocalQP     uint32 `mad:"0,24" c:"Local_QP_CN_Entry,uint"`
	SL          uint8  `mad:"24,4" c:"SL_CN_Entry,uint"`
	ServiceType uint8  `mad:"28,4" c:"Service_Type_CN_Entry,hex"`
	RemoteQP    uint32 `mad:"32,24" c:"Remote_QP_Number_CN_Entry,uint"`
	LocalLID    ib.LID `mad:"64,16" c:"Local_LID_CN,uint"`
	RemoteLID   ib.LID `mad:"80,16" c:"Remote_LID_CN_Entry,uint"`
	TimeStamp   uint32 `mad:"96,32" c:"Timestamp_CN_Entry,uint"`
}
