package smp

import "github.com/ibscope/ibscope/mad"

// Identifiers of attributes that have no type here.
const (
	AttrLinkSpeedWidthPairs mad.AttrID = 0x001c // LinkSpeedWidthPairsTable
	AttrVendorSpecificMADs  mad.AttrID = 0x001d // VendorSpecificMadsTable
	AttrHierarchyInfo       mad.AttrID = 0x001e
	AttrCableInfo           mad.AttrID = 0x0032
	AttrRouterNextHops      mad.AttrID = 0xffd1 // vendor attribute of NVIDIA's routers, records of 16 bytes
)
