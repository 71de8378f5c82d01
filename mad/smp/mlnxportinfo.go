package smp

// ExtendedPortInfo is NVIDIA's (Mellanox's) vendor attribute of a port: the
// speed FDR10, which IBA does not have, and ports with a special use. The
// attribute modifier is the port number. Devices without it answer with
// mad.StatusUnsupportedAttr.
//
//mad:attr id=0xff90
type ExtendedPortInfo struct {
	StateChangeEnable  uint8  `mad:"24,8" c:"StateChangeEnable,hex"`
	LinkSpeedSupported uint8  `mad:"56,8" c:"LinkSpeedSupported,hex"` // bit 0: FDR10
	LinkSpeedEnabled   uint8  `mad:"88,8" c:"LinkSpeedEnabled,hex"`
	LinkSpeedActive    uint8  `mad:"120,8" c:"LinkSpeedActive,hex"`
	CapMask            uint16 `mad:"144,16" c:"CapMask,hex,extra"`
	SpecialPortCapMask uint8  `mad:"368,8" c:"SpecialPortCapMask,hex,extra"`
	IsSpecialPort      bool   `mad:"376,1" c:"IsSpecialPort,uint,extra"`
	SpecialPortType    uint8  `mad:"380,4" c:"SpecialPortType,uint,extra"` // SpecialPort… constants
}

// FDR10 is the bit of the speeds of ExtendedPortInfo.
const FDR10 uint8 = 1 << 0

// Values of ExtendedPortInfo.SpecialPortType.
const (
	SpecialPortAggregation uint8 = 1 // to the aggregation node (SHARP) of a switch
	SpecialPortRouter      uint8 = 2
	SpecialPortGateway     uint8 = 3 // to Ethernet
)

// vendorBull is the vendor whose relabelled devices below have the attribute.
const vendorBull = 0x119f

// HasExtendedPortInfo reports whether a device, as NodeInfo names it, is known to
// have ExtendedPortInfo: the list is that of libibnetdisc and infiniband-diags.
// Newer devices do not run FDR10 and need not be asked.
func HasExtendedPortInfo(vendor uint32, device uint16) bool {
	switch device {
	case 0xc738, 0xc739, 0xc73a, 0xc73b, 0xc839, 0xcb20, 0xcf08, 0xcf09, 0xd2f0, 0xa2d2:
		return true
	}
	if device >= 0x1003 && device <= 0x101b {
		return true
	}
	if vendor != vendorBull {
		return false
	}
	switch device {
	case 0x1b02, 0x1b33, 0x1b40, 0x1b41, 0x1b50, 0x1b60, 0x1b61, 0x1b73, 0x1b83, 0x1b93, 0x1b94,
		0x1ba0, 0x1bb4, 0x1bb5, 0x1bc4, 0x1bc5, 0x1bc6, 0x1bd0, 0x1bd1, 0x1bd2, 0x1bd3, 0x1bd4, 0x1bd5, 0x1bf0:
		return true
	}
	return false
}
