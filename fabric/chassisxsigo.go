package fabric

import "github.com/ibscope/ibscope/ib"

// Xsigo GUIDs tell what they belong to: after the company identifier comes a
// byte with the kind of node (1 switch, 2 host adapter, 3 target adapter), then
// one with the kind of port.
const (
	xsigoSwitchGUID ib.GUID = 0x00139701_00000000
	xsigoHCAGUID    ib.GUID = 0x00139702_00000000
	xsigoTCAGUID    ib.GUID = 0x00139703_00000000
	xsigoLeafOne    ib.GUID = 0x00139701_02000000

	xsigoVendorMask ib.GUID = 0xffffff00_00000000
	xsigoKindMask   ib.GUID = 0xffffffff_00000000
	xsigoPortMask   ib.GUID = 0xffffffff_ff000000
)

// IsXsigo reports whether a GUID belongs to Xsigo.
func IsXsigo(g ib.GUID) bool { return g&xsigoVendorMask == xsigoSwitchGUID&xsigoVendorMask }

// IsXsigoHCA reports whether a GUID is that of a Xsigo host adapter, whose node
// description is the host's name.
func IsXsigoHCA(g ib.GUID) bool { return g&xsigoKindMask == xsigoHCAGUID }

// IsXsigoTCA reports whether a GUID is that of a Xsigo target adapter, which
// sits in the chassis slot that its peer's port number names.
func IsXsigoTCA(g ib.GUID) bool { return g&xsigoKindMask == xsigoTCAGUID }

func xsigoChassisGUID(n *Node, system ib.GUID) ib.GUID {
	if !IsXsigoHCA(system) && !IsXsigoTCA(system) {
		if system&xsigoKindMask == xsigoSwitchGUID {
			return system & slotByteMask
		}
		return system
	}
	port := n.Port(1)
	if port == nil {
		return 0
	}
	if port.remote == nil {
		return system
	}
	// The first leaf switch stands for the chassis that holds both.
	if peer := port.remote.node.Info().SystemImageGUID; peer&xsigoPortMask == xsigoLeafOne {
		return peer & slotByteMask
	}
	return system
}
