package sa

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/gs"
)

// ServiceRecord is a service that a port offers (15.2.5.14).
//
//mad:attr id=0x0031 size=176
//mad:alias 896,512 ServRecData,array
//mad:alias 992,32 ATSNodeAddr,hex
//mad:alias 1024,16 ATSMagicKey,hex
//mad:alias 1040,16 ATSNodeType,hex
//mad:alias 1152,256 ATSNodeName,string
type ServiceRecord struct {
	ID     uint64    `mad:"0,64" c:"ServRecID,hex" sa:"0"`
	GID    ib.GID    `mad:"64,128" c:"ServRecGid,array" sa:"1"`
	PKey   ib.PKey   `mad:"192,16" c:"ServRecPkey,hex" sa:"2"`
	Lease  uint32    `mad:"224,32" c:"ServRecLease,hex" sa:"4"` // seconds; 0xffffffff has no end
	Key    [16]byte  `mad:"256,128" c:"ServRecKey,array,secret" sa:"5"`
	Name   [64]byte  `mad:"384,512" c:"ServRecName,string" sa:"6"`
	Data8  [16]uint8 `mad:"896,8*16" c:"ServRecData8,hex" sa:"7-22"`
	Data16 [8]uint16 `mad:"1024,16*8" c:"ServRecData16,hex" sa:"23-30"`
	Data32 [4]uint32 `mad:"1152,32*4" c:"ServRecData32,hex" sa:"31-34"`
	Data64 [2]uint64 `mad:"1280,64*2" c:"ServRecData64,hex" sa:"35-36"`
}

// Notice is an event that the manager reports (15.2.5.1).
//
//mad:attr id=0x0002 size=80
type Notice struct {
	gs.Notice `mad:"0,640"`
}

// InformInfo subscribes to notices: Set with it (15.3.4).
//
//mad:attr id=0x0003 size=36
type InformInfo struct {
	gs.InformInfo `mad:"0,288"`
}

// InformInfoRecord is a subscription (15.2.5.12).
//
//mad:attr id=0x00f3 size=60
type InformInfoRecord struct {
	SubscriberGID  ib.GID        `mad:"0,128" c:"SubscriberGID,array" sa:"0"`
	SubscriberEnum uint16        `mad:"128,16" c:"SubscriberEnum,hex" sa:"1"`
	Inform         gs.InformInfo `mad:"192,288" sa:"3-5,7-11,13,15"`
}

// ServiceAssociationRecord pairs the key and the name of a service (15.2.5.15).
//
//mad:attr id=0x003b size=80
type ServiceAssociationRecord struct {
	Key  [16]byte `mad:"0,128" c:"ServiceKey,array,secret" sa:"0"`
	Name [64]byte `mad:"128,512" c:"ServiceName,string" sa:"1"`
}
