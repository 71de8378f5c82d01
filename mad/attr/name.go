package attr

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// Name is the name of an attribute for messages, "NodeInfo"; for one without
// a name it is "attribute 0x0099".
func Name(class mad.Class, id mad.AttrID) string {
	if a, ok := Lookup(class, id); ok {
		return a.Name
	}
	if name := commonName(id); name != "" {
		return name
	}
	if class.IsSMP() {
		if name := smpName(id); name != "" {
			return name
		}
	}
	return "attribute " + id.String()
}

// commonName is the name of an attribute that every class may have (IBA
// vol. 1, 13.4.8).
func commonName(id mad.AttrID) string {
	switch id {
	case 0x0001:
		return "ClassPortInfo"
	case 0x0002:
		return "Notice"
	case 0x0003:
		return "InformInfo"
	}
	return ""
}

// smpName is the name of an attribute that package smp knows by its
// identifier only.
func smpName(id mad.AttrID) string {
	switch id {
	case smp.AttrLinkSpeedWidthPairs:
		return "LinkSpeedWidthPairsTable"
	case smp.AttrVendorSpecificMADs:
		return "VendorSpecificMadsTable"
	case smp.AttrHierarchyInfo:
		return "HierarchyInfo"
	case smp.AttrCableInfo:
		return "CableInfo"
	case smp.AttrRouterNextHops:
		return "RouterNextHopTable"
	}
	return ""
}
