package smp

import "github.com/ibscope/ibscope/ib"

// PortInfo describes a port (14.2.5.6). The attribute modifier is the port
// number; its bit 31 in a request says that the sender knows extended speeds.
// The dump leaves out the XDR fields, as libibmad's does.
//
//mad:attr id=0x0015
type PortInfo struct {
	MKey                   uint64       `mad:"0,64" c:"Mkey,hex,secret"` // 0 when the reader may not see it
	GIDPrefix              uint64       `mad:"64,64" c:"GidPrefix,hex"`
	LID                    ib.LID       `mad:"128,16" c:"Lid,uint"`
	SMLID                  ib.LID       `mad:"144,16" c:"SMLid,uint"`
	CapMask                uint32       `mad:"160,32" c:"CapMask,capmask"`
	DiagCode               uint16       `mad:"192,16" c:"DiagCode,hex"`
	MKeyLeasePeriod        uint16       `mad:"208,16" c:"MkeyLeasePeriod,uint"` // seconds
	LocalPort              uint8        `mad:"224,8" c:"LocalPort,uint"`        // the port the request arrived on
	LinkWidthEnabled       ib.LinkWidth `mad:"232,8" c:"LinkWidthEnabled,width-en"`
	LinkWidthSupported     ib.LinkWidth `mad:"240,8" c:"LinkWidthSupported,width-sup"`
	LinkWidthActive        ib.LinkWidth `mad:"248,8" c:"LinkWidthActive,width"`
	LinkSpeedSupported     uint8        `mad:"256,4" c:"LinkSpeedSupported,speed-sup"`
	State                  ib.PortState `mad:"260,4" c:"LinkState,state"`
	PhysState              ib.PhysState `mad:"264,4" c:"PhysLinkState,phys"`
	LinkDownDefault        ib.PhysState `mad:"268,4" c:"LinkDownDefState,ddstate"`
	MKeyProtect            uint8        `mad:"272,2" c:"ProtectBits,uint"`
	LMC                    uint8        `mad:"277,3" c:"LMC,uint"`
	LinkSpeedActive        uint8        `mad:"280,4" c:"LinkSpeedActive,speed"`
	LinkSpeedEnabled       uint8        `mad:"284,4" c:"LinkSpeedEnabled,speed-en"`
	NeighborMTU            ib.MTU       `mad:"288,4" c:"NeighborMTU,mtu"`
	SMSL                   uint8        `mad:"292,4" c:"SMSL,uint"`
	VLCap                  ib.VLCap     `mad:"296,4" c:"VLCap,vlcap"`
	InitType               uint8        `mad:"300,4" c:"InitType,hex"`
	VLHighLimit            uint8        `mad:"304,8" c:"VLHighLimit,uint"`
	VLArbHighCap           uint8        `mad:"312,8" c:"VLArbHighCap,uint"`
	VLArbLowCap            uint8        `mad:"320,8" c:"VLArbLowCap,uint"`
	InitTypeReply          uint8        `mad:"328,4" c:"InitReply,hex"`
	MTUCap                 ib.MTU       `mad:"332,4" c:"MtuCap,mtu"`
	VLStallCount           uint8        `mad:"336,3" c:"VLStallCount,uint"`
	HOQLife                uint8        `mad:"339,5" c:"HoqLife,uint"`
	OperationalVLs         ib.VLCap     `mad:"344,4" c:"OperVLs,opervls"`
	PartEnforceInbound     bool         `mad:"348,1" c:"PartEnforceInb,uint"`
	PartEnforceOutbound    bool         `mad:"349,1" c:"PartEnforceOutb,uint"`
	FilterRawInbound       bool         `mad:"350,1" c:"FilterRawInb,uint"`
	FilterRawOutbound      bool         `mad:"351,1" c:"FilterRawOutb,uint"`
	MKeyViolations         uint16       `mad:"352,16" c:"MkeyViolations,uint"`
	PKeyViolations         uint16       `mad:"368,16" c:"PkeyViolations,uint"`
	QKeyViolations         uint16       `mad:"384,16" c:"QkeyViolations,uint"`
	GUIDCap                uint8        `mad:"400,8" c:"GuidCap,uint"`
	ClientReregister       bool         `mad:"408,1" c:"ClientReregister,uint"`
	McastPKeyTrapSuppress  uint8        `mad:"409,2" c:"McastPkeyTrapSuppressionEnabled,uint"`
	SubnetTimeout          uint8        `mad:"411,5" c:"SubnetTimeout,uint"`
	RespTimeValue          uint8        `mad:"419,5" c:"RespTimeVal,uint"`
	LocalPhyErrors         uint8        `mad:"424,4" c:"LocalPhysErr,uint"`
	OverrunErrors          uint8        `mad:"428,4" c:"OverrunErr,uint"`
	MaxCreditHint          uint16       `mad:"432,16" c:"MaxCreditHint,uint"`
	LinkRoundTripLatency   uint32       `mad:"456,24" c:"RoundTrip,uint"`
	CapMask2               uint16       `mad:"480,16" c:"CapabilityMask2,capmask2"`
	LinkSpeedExtActive     uint8        `mad:"496,4" c:"LinkSpeedExtActive,espeed"`
	LinkSpeedExtSupported  uint8        `mad:"500,4" c:"LinkSpeedExtSupported,espeed-sup"`
	LinkSpeedExtEnabled    uint8        `mad:"507,5" c:"LinkSpeedExtEnabled,espeed-en"`
	LinkSpeedExtActive2    uint8        `mad:"449,2" c:"LinkSpeedExtActive2,espeed2,extra"`
	LinkSpeedExtSupported2 uint8        `mad:"451,2" c:"LinkSpeedExtSupported2,espeed2-sup,extra"`
	LinkSpeedExtEnabled2   uint8        `mad:"453,3" c:"LinkSpeedExtEnabled2,espeed2-en,extra"`
}

// Bits of PortInfo.CapMask.
const (
	CapIsSM                  uint32 = 1 << 1
	CapNotice                uint32 = 1 << 2
	CapTrap                  uint32 = 1 << 3
	CapOptionalIPD           uint32 = 1 << 4
	CapAutomaticMigration    uint32 = 1 << 5
	CapSLMapping             uint32 = 1 << 6
	CapMKeyNVRAM             uint32 = 1 << 7
	CapPKeyNVRAM             uint32 = 1 << 8
	CapLEDInfo               uint32 = 1 << 9
	CapSMDisabled            uint32 = 1 << 10
	CapSystemImageGUID       uint32 = 1 << 11
	CapPKeySwitchPortTrap    uint32 = 1 << 12
	CapCableInfo             uint32 = 1 << 13
	CapExtendedSpeeds        uint32 = 1 << 14
	CapCapMask2              uint32 = 1 << 15
	CapCommunicationMgt      uint32 = 1 << 16
	CapSNMPTunneling         uint32 = 1 << 17
	CapReinit                uint32 = 1 << 18
	CapDeviceMgt             uint32 = 1 << 19
	CapVendorClass           uint32 = 1 << 20
	CapDRNotice              uint32 = 1 << 21
	CapCapMaskNotice         uint32 = 1 << 22
	CapBootMgt               uint32 = 1 << 23
	CapLinkRoundTripLatency  uint32 = 1 << 24
	CapClientReregistration  uint32 = 1 << 25
	CapOtherLocalChanges     uint32 = 1 << 26
	CapLinkSpeedWidthPairs   uint32 = 1 << 27
	CapVendorSpecificMADs    uint32 = 1 << 28
	CapMulticastPKeyTrapSupp uint32 = 1 << 29
	CapMulticastFDBTop       uint32 = 1 << 30
	CapHierarchyInfo         uint32 = 1 << 31
)

// Bits of PortInfo.CapMask2.
const (
	Cap2SetNodeDescription   uint16 = 1 << 0
	Cap2PortInfoExtended     uint16 = 1 << 1
	Cap2Virtualization       uint16 = 1 << 2
	Cap2SwitchPortStateTable uint16 = 1 << 3
	Cap2LinkWidth2x          uint16 = 1 << 4
	Cap2LinkSpeedHDR         uint16 = 1 << 5
	Cap2MKeyProtectBitsExt   uint16 = 1 << 6
	Cap2EnhancedTrap128      uint16 = 1 << 7
	Cap2PartitionTop         uint16 = 1 << 8
	Cap2EnhancedQoSArbiter   uint16 = 1 << 9
	Cap2LinkSpeedNDR         uint16 = 1 << 10
	Cap2ExtendedSpeeds2      uint16 = 1 << 11
	Cap2LinkSpeedXDR         uint16 = 1 << 12
)

// ExtendedSpeedModifier is the modifier bit of a PortInfo request that says
// that the sender understands extended speeds.
const ExtendedSpeedModifier uint32 = 1 << 31
