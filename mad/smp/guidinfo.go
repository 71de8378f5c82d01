package smp

import "github.com/ibscope/ibscope/ib"

// GUIDInfo is a block of a port's GUID table (14.2.5.5). The attribute
// modifier is the block number; GUID 0 of block 0 is the port's own and read-only.
//
//mad:attr id=0x0014
type GUIDInfo struct {
	GUIDs [8]ib.GUID `mad:"0,64*8" c:"GUID,hex"`
}

// GUIDsPerBlock is the number of GUIDs in a GUIDInfo.
const GUIDsPerBlock = 8
