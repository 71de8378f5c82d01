package field

// capMaskNames are libibmad's names for the bits of PortInfo.CapabilityMask,
// from bit 0 on, with its spelling; bits without a name are not shown.
var capMaskNames = [32]string{
	1:  "IsSM",
	2:  "IsNoticeSupported",
	3:  "IsTrapSupported",
	4:  "IsOptionalIPDSupported",
	5:  "IsAutomaticMigrationSupported",
	6:  "IsSLMappingSupported",
	7:  "IsMKeyNVRAM",
	8:  "IsPKeyNVRAM",
	9:  "IsLedInfoSupported",
	10: "IsSMdisabled",
	11: "IsSystemImageGUIDsupported",
	12: "IsPkeySwitchExternalPortTrapSupported",
	14: "IsExtendedSpeedsSupported",
	15: "IsCapabilityMask2Supported",
	16: "IsCommunicatonManagementSupported",
	17: "IsSNMPTunnelingSupported",
	18: "IsReinitSupported",
	19: "IsDeviceManagementSupported",
	20: "IsVendorClassSupported",
	21: "IsDRNoticeSupported",
	22: "IsCapabilityMaskNoticeSupported",
	23: "IsBootManagementSupported",
	24: "IsLinkRoundTripLatencySupported",
	25: "IsClientRegistrationSupported",
	26: "IsOtherLocalChangesNoticeSupported",
	27: "IsLinkSpeedWidthPairsTableSupported",
	28: "IsVendorSpecificMadsTableSupported",
	29: "IsMcastPkeyTrapSuppressionSupported",
	30: "IsMulticastFDBTopSupported",
	31: "IsHierarchyInfoSupported",
}

// capMask2Names are the same for PortInfo.CapabilityMask2.
var capMask2Names = [16]string{
	0:  "IsSetNodeDescriptionSupported",
	1:  "IsPortInfoExtendedSupported",
	2:  "IsVirtualizationSupported",
	3:  "IsSwitchPortStateTableSupported",
	4:  "IsLinkWidth2xSupported",
	5:  "IsLinkSpeedHDRSupported",
	6:  "IsMKeyProtectBitsExtSupported",
	7:  "IsEnhancedTrap128Supported",
	8:  "IsPartitionTopSupported",
	9:  "IsEnhancedQoSArbiterSupported",
	10: "IsLinkSpeedNDRSupported",
}

// appendMask appends v in hexadecimal without leading zeros, and below it the
// name of each set bit, behind four tabs.
func appendMask(dst []byte, v uint64, names []string) []byte {
	width := 4
	for width < 64 && v>>width != 0 {
		width += 4
	}
	dst = append(dst, "0x"...)
	for shift := width - 4; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[v>>shift&0xf])
	}
	for bit, name := range names {
		if v&(1<<bit) != 0 && name != "" {
			dst = append(append(dst, "\n\t\t\t\t"...), name...)
		}
	}
	return dst
}
