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
