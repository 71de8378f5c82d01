package sa

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// SLtoVLMappingTableRecord is the table of a port for packets that came in by
// one port (15.2.5.4).
//
//mad:attr id=0x0013 size=16
type SLtoVLMappingTableRecord struct {
	LID     ib.LID                 `mad:"0,16" c:"LID,uint" sa:"0"`
	InPort  uint8                  `mad:"16,8" c:"InPort,uint" sa:"1"`
	OutPort uint8                  `mad:"24,8" c:"OutPort,uint" sa:"2"`
	Table   smp.SLtoVLMappingTable `mad:"64,64"`
}

// LinearForwardingTableRecord is a block of a switch's unicast table (15.2.5.6).
//
//mad:attr id=0x0015 size=72
type LinearForwardingTableRecord struct {
	LID   ib.LID                    `mad:"0,16" c:"LID,uint" sa:"0"`
	Block uint16                    `mad:"16,16" c:"Block,uint" sa:"1"`
	Table smp.LinearForwardingTable `mad:"64,512"`
}

// RandomForwardingTableRecord is a block of the unicast table of a switch that
// stores LIDs (15.2.5.7).
//
//mad:attr id=0x0016 size=72
type RandomForwardingTableRecord struct {
	LID   ib.LID                    `mad:"0,16" c:"RecordLID,uint" sa:"0"`
	Block uint16                    `mad:"16,16" c:"Block,uint" sa:"1"`
	Table smp.RandomForwardingTable `mad:"64,512"`
}

// MulticastForwardingTableRecord is a block of a switch's multicast table for
// 16 ports (15.2.5.8).
//
//mad:attr id=0x0017 size=72
type MulticastForwardingTableRecord struct {
	LID      ib.LID                       `mad:"0,16" c:"LID,uint" sa:"0"`
	Position uint8                        `mad:"16,4" c:"Position,uint" sa:"1"`
	Block    uint16                       `mad:"23,9" c:"Block,uint" sa:"3"`
	Table    smp.MulticastForwardingTable `mad:"64,512"`
}

// PKeyTableRecord is a block of a port's P_Key table (15.2.5.11).
//
//mad:attr id=0x0033 size=72
type PKeyTableRecord struct {
	LID     ib.LID        `mad:"0,16" c:"LID,uint" sa:"0"`
	Block   uint16        `mad:"16,16" c:"Block,uint" sa:"1"`
	PortNum uint8         `mad:"32,8" c:"Port,uint" sa:"2"`
	Table   smp.PKeyTable `mad:"64,512"`
}

// VLArbitrationTableRecord is half of one of a port's arbitration tables
// (15.2.5.9).
//
//mad:attr id=0x0036 size=72
type VLArbitrationTableRecord struct {
	LID     ib.LID                 `mad:"0,16" c:"LID,uint" sa:"0"`
	PortNum uint8                  `mad:"16,8" c:"Port,uint" sa:"1"`
	Block   uint8                  `mad:"24,8" c:"Block,uint" sa:"2"` // 1 and 2 low, 3 and 4 high priority
	Table   smp.VLArbitrationTable `mad:"64,512"`
}
