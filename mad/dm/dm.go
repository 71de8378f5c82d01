package dm

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/gs"
)

// ClassPortInfo describes the agent at a port.
//
//mad:attr id=0x0001 size=72
type ClassPortInfo struct {
	gs.ClassPortInfo `mad:"0,576"`
}

// IOUnitInfo lists the slots of an I/O unit (16.3.3.3).
//
//mad:attr id=0x0010 size=132
type IOUnitInfo struct {
	ChangeID       uint16     `mad:"0,16" c:"ChangeID,uint"` // grows when controllers come or go
	MaxControllers uint8      `mad:"16,8" c:"MaxControllers,uint"`
	DiagDeviceID   bool       `mad:"30,1" c:"DiagDeviceID,uint"`
	OptionROM      bool       `mad:"31,1" c:"OptionROM,uint"`
	Controllers    [256]uint8 `mad:"32,4*256" c:"Controller,uint"` // Slot… constants
}

// What is in a slot of an I/O unit.
const (
	SlotEmpty   uint8 = 0
	SlotPresent uint8 = 1
	SlotNone    uint8 = 15 // the unit has no such slot
)

// IOControllerProfile describes the controller in a slot (16.3.3.4). The
// attribute modifier is the number of the slot, from 1.
//
//mad:attr id=0x0011 size=128
type IOControllerProfile struct {
	GUID              ib.GUID  `mad:"0,64" c:"Guid,hex"`
	VendorID          uint32   `mad:"64,24" c:"VendorId,hex"`
	DeviceID          uint32   `mad:"96,32" c:"DeviceId,hex"`
	DeviceVersion     uint16   `mad:"128,16" c:"DeviceVersion,hex"`
	SubsystemVendorID uint32   `mad:"160,24" c:"SubsystemVendorId,hex"`
	SubsystemID       uint32   `mad:"192,32" c:"SubsystemId,hex"`
	IOClass           uint16   `mad:"224,16" c:"IoClass,hex"`
	IOSubclass        uint16   `mad:"240,16" c:"IoSubclass,hex"`
	Protocol          uint16   `mad:"256,16" c:"Protocol,hex"`
	ProtocolVersion   uint16   `mad:"272,16" c:"ProtocolVersion,hex"`
	SendDepth         uint16   `mad:"320,16" c:"SendMessageDepth,uint"`
	RDMAReadDepth     uint8    `mad:"344,8" c:"RdmaReadDepth,uint"`
	SendSize          uint32   `mad:"352,32" c:"SendMessageSize,uint"`  // bytes
	RDMASize          uint32   `mad:"384,32" c:"RdmaTransferSize,uint"` // bytes
	OpsCap            uint8    `mad:"416,8" c:"ControllerOperationsCapability,hex"`
	ServiceEntries    uint8    `mad:"432,8" c:"ServiceEntries,uint"`
	ID                [64]byte `mad:"512,512" c:"IdString,string"`
}

// ServiceEntries is a part of the list of services of a controller (16.3.3.5).
// The attribute modifier comes from ServiceEntriesModifier.
//
//mad:attr id=0x0012 size=192
type ServiceEntries struct {
	Entries [4]ServiceEntry `mad:"0,384*4"`
}

// ServiceEntry is a service of a controller.
//
//mad:part size=48
type ServiceEntry struct {
	Name [40]byte `mad:"0,320" c:"ServiceName,string"`
	ID   uint64   `mad:"320,64" c:"ServiceId,hex"`
}

// ServiceEntriesModifier is the attribute modifier for the services from first to
// last of the controller in a slot, four at most.
func ServiceEntriesModifier(slot uint16, first, last uint8) uint32 {
	return uint32(slot)<<16 | uint32(last)<<8 | uint32(first)
}
