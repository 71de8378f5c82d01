package smp

import "github.com/ibscope/ibscope/ib"

// RouterInfo describes a router between subnets. NVIDIA's routers have it, as
// a vendor attribute; IBA describes routers by NodeInfo and PortInfo only.
//
//mad:attr id=0xffd0
type RouterInfo struct {
	CapMask            uint32 `mad:"0,32" c:"CapabilityMask,hex"`
	NextHopTableCap    uint32 `mad:"32,32" c:"NextHopTableCap,uint"` // records that fit
	NextHopTableTop    uint32 `mad:"64,32" c:"NextHopTableTop,uint"` // highest record in use
	AdjacentSubnetsTop uint8  `mad:"112,8" c:"AdjacentSiteLocalSubnetsTableTop,uint"`
	AdjacentSubnetsCap uint8  `mad:"120,8" c:"AdjacentSiteLocalSubnetsTableCap,uint"`
}

// AdjacentSubnetsTable is a block of the subnets that a router reaches
// directly. Entry i of each array belongs together. The attribute modifier is
// the block number.
//
//mad:attr id=0xffd2
type AdjacentSubnetsTable struct {
	PKeys          [8]ib.PKey `mad:"0,16*8/64" c:"PKey,hex"`
	SubnetPrefixes [8]uint16  `mad:"16,16*8/64" c:"SubnetPrefix,hex"` // last 16 bits of a site-local prefix
	MasterSMLIDs   [8]ib.LID  `mad:"48,16*8/64" c:"MasterSMLID,uint"`
}
