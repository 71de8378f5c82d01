package sa

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// NodeRecord is a port of a node: there is one for each LID-carrying port of a
// CA or router and one for a switch (15.2.5.2).
//
//mad:attr id=0x0011 size=108
type NodeRecord struct {
	LID  ib.LID              `mad:"0,16" c:"Lid,uint" sa:"0"`
	Node smp.NodeInfo        `mad:"32,320" sa:"2-13"`
	Desc smp.NodeDescription `mad:"352,512" sa:"14"`
}

// PortInfoRecord is the PortInfo of a port (15.2.5.3).
//
//mad:attr id=0x0012 size=68
type PortInfoRecord struct {
	EndPortLID ib.LID       `mad:"0,16" c:"EndPortLid,uint" sa:"0"` // of port 0 for the ports of a switch
	PortNum    uint8        `mad:"16,8" c:"PortNum,uint" sa:"1"`
	Options    uint8        `mad:"24,8" c:"Options,hex" sa:"2"`
	Port       smp.PortInfo `mad:"32,512" sa:"3-18,20-45,47-50,52-55,57"`
}

// CapMaskMatch is the modifier of a query for PortInfoRecords that finds ports
// with any of the capabilities in PortInfo.CapMask.
const CapMaskMatch uint32 = 1 << 31

// SwitchInfoRecord is the SwitchInfo of a switch (15.2.5.5).
//
//mad:attr id=0x0014 size=24
type SwitchInfoRecord struct {
	LID    ib.LID         `mad:"0,16" c:"LID,uint" sa:"0"`
	Switch smp.SwitchInfo `mad:"32,160"`
}

// SMInfoRecord is the SMInfo of a subnet manager (15.2.5.10).
//
//mad:attr id=0x0018 size=25
type SMInfoRecord struct {
	LID ib.LID     `mad:"0,16" c:"LID,uint" sa:"0"`
	SM  smp.SMInfo `mad:"32,168" sa:"2-6"`
}

// LinkRecord is a link as seen from one of its ends (15.2.5.13).
//
//mad:attr id=0x0020 size=6
type LinkRecord struct {
	FromLID  ib.LID `mad:"0,16" c:"FromLID,uint" sa:"0"`
	FromPort uint8  `mad:"16,8" c:"FromPort,uint" sa:"1"`
	ToPort   uint8  `mad:"24,8" c:"ToPort,uint" sa:"2"`
	ToLID    ib.LID `mad:"32,16" c:"ToLID,uint" sa:"3"`
}

// GUIDInfoRecord is a block of the GUID table of a port (15.2.5.18).
//
//mad:attr id=0x0030 size=72
type GUIDInfoRecord struct {
	LID   ib.LID     `mad:"0,16" c:"Lid,uint" sa:"0"`
	Block uint8      `mad:"16,8" c:"BlockNum,uint" sa:"1"`
	GUIDs [8]ib.GUID `mad:"64,64*8" c:"Guid,hex" sa:"4-11"`
}
