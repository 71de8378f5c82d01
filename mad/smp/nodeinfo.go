package smp

import "github.com/ibscope/ibscope/ib"

// NodeInfo describes a node and the port it was asked through (14.2.5.3).
//
//mad:attr id=0x0011
type NodeInfo struct {
	BaseVersion     uint8       `mad:"0,8" c:"BaseVers,uint"`
	ClassVersion    uint8       `mad:"8,8" c:"ClassVers,uint"`
	NodeType        ib.NodeType `mad:"16,8" c:"NodeType,nodetype"`
	NumPorts        uint8       `mad:"24,8" c:"NumPorts,uint"` // physical ports, port 0 not counted
	SystemImageGUID ib.GUID     `mad:"32,64" c:"SystemGuid,hex"`
	NodeGUID        ib.GUID     `mad:"96,64" c:"Guid,hex"`
	PortGUID        ib.GUID     `mad:"160,64" c:"PortGuid,hex"` // of the port asked; of port 0 on a switch
	PartitionCap    uint16      `mad:"224,16" c:"PartCap,uint"`
	DeviceID        uint16      `mad:"240,16" c:"DevId,hex"`
	Revision        uint32      `mad:"256,32" c:"Revision,hex"`
	LocalPort       uint8       `mad:"288,8" c:"LocalPort,uint"` // the port the request arrived on
	VendorID        uint32      `mad:"296,24" c:"VendorId,hex"`  // IEEE OUI of the vendor
}
