package rdma

import "fmt"

// CapMask is PortInfo.CapabilityMask (IBA vol. 1, 14.2.5.6). RoCE ports have a
// few of its bits.
type CapMask uint32

// Bits that programs ask for.
const (
	CapSM               CapMask = 1 << 1  // a subnet manager runs on the port
	CapSMDisabled       CapMask = 1 << 10 // the port has no subnet management interface
	CapCapMask2         CapMask = 1 << 15
	CapCommunicationMgt CapMask = 1 << 16
	CapDeviceMgt        CapMask = 1 << 19
)

// capNames are the names of the specification, by bit. On RoCE ports the kernel
// uses bit 26 for GIDs that are made from IP addresses.
var capNames = [32]string{
	1: "IsSM", 2: "IsNoticeSupported", 3: "IsTrapSupported", 4: "IsOptionalIPDSupported",
	5: "IsAutomaticMigrationSupported", 6: "IsSLMappingSupported", 7: "IsMKeyNVRAM", 8: "IsPKeyNVRAM",
	9: "IsLEDInfoSupported", 10: "IsSMdisabled", 11: "IsSystemImageGUIDSupported",
	12: "IsPKeySwitchExternalPortTrapSupported", 13: "IsCableInfoSupported", 14: "IsExtendedSpeedsSupported",
	15: "IsCapabilityMask2Supported", 16: "IsCommunicationManagementSupported",
	17: "IsSNMPTunnelingSupported", 18: "IsReinitSupported", 19: "IsDeviceManagementSupported",
	20: "IsVendorClassSupported", 21: "IsDRNoticeSupported", 22: "IsCapabilityMaskNoticeSupported",
	23: "IsBootManagementSupported", 24: "IsLinkRoundTripLatencySupported",
	25: "IsClientReregistrationSupported", 26: "IsOtherLocalChangesNoticeSupported",
	27: "IsLinkSpeedWidthPairsTableSupported", 28: "IsVendorSpecificMadsTableSupported",
	29: "IsMcastPkeyTrapSuppressionSupported", 30: "IsMulticastFDBTopSupported", 31: "IsHierarchyInfoSupported",
}

// Has reports whether all bits of c are set.
func (m CapMask) Has(c CapMask) bool { return m&c == c }

// Names lists the capabilities by their names in the specification, lowest bit
// first; a bit without a name is "bit N".
func (m CapMask) Names() []string { return bitNames(uint64(m), capNames[:]) }

// String gives the form 0x02594868.
func (m CapMask) String() string { return fmt.Sprintf("0x%08x", uint32(m)) }

// MarshalText implements encoding.TextMarshaler.
func (m CapMask) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// CapMask2 is PortInfo.CapabilityMask2. Netlink has it, sysfs does not.
type CapMask2 uint16

var cap2Names = [16]string{
	0: "IsSetNodeDescriptionSupported", 1: "IsPortInfoExtendedSupported", 2: "IsVirtualizationSupported",
	3: "IsSwitchPortStateTableSupported", 4: "IsLinkWidth2xSupported", 5: "IsLinkSpeedHDRSupported",
	6: "IsMKeyProtectBitsExtendedSupported", 7: "IsEnhancedTrap128Supported", 8: "IsPartitionTopSupported",
	9: "IsEnhancedQoSArbiterSupported", 10: "IsLinkSpeedNDRSupported", 11: "IsExtendedSpeeds2Supported",
	12: "IsLinkSpeedXDRSupported",
}

// Names lists the capabilities as CapMask.Names does.
func (m CapMask2) Names() []string { return bitNames(uint64(m), cap2Names[:]) }

// String gives the form 0x0032.
func (m CapMask2) String() string { return fmt.Sprintf("0x%04x", uint16(m)) }

// MarshalText implements encoding.TextMarshaler.
func (m CapMask2) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

func bitNames(mask uint64, names []string) []string {
	var out []string
	for bit, name := range names {
		switch {
		case mask>>bit&1 == 0:
		case name != "":
			out = append(out, name)
		default:
			out = append(out, fmt.Sprintf("bit %d", bit))
		}
	}
	return out
}
