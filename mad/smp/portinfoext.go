package smp

// PortInfoExtended describes the forward error correction of a port
// (14.2.5.19); ports have it if CapMask2 has Cap2PortInfoExtended. The
// attribute modifier is the port number.
//
// libibmad reads the four HDR and NDR fields from wrong places (HDR supported
// from byte 12, HDR enabled from 18, NDR supported from 16, NDR enabled from
// 22); here they stand where IBA has them.
//
//mad:attr id=0x0033
type PortInfoExtended struct {
	CapMask             uint32  `mad:"0,32" c:"CapMask,hex"` // CapExt… bits
	FECModeActive       FECMode `mad:"32,16" c:"FECModeActive,uint"`
	FDRFECModeSupported uint16  `mad:"48,16" c:"FDRFECModeSupported,hex"` // bit i stands for FECMode i
	FDRFECModeEnabled   uint16  `mad:"64,16" c:"FDRFECModeEnabled,hex"`
	EDRFECModeSupported uint16  `mad:"80,16" c:"EDRFECModeSupported,hex"`
	EDRFECModeEnabled   uint16  `mad:"96,16" c:"EDRFECModeEnabled,hex"`
	HDRFECModeSupported uint16  `mad:"112,16" c:"HDRFECModeSupported,hex"`
	HDRFECModeEnabled   uint16  `mad:"128,16" c:"HDRFECModeEnabled,hex"`
	NDRFECModeSupported uint16  `mad:"144,16" c:"NDRFECModeSupported,hex"`
	NDRFECModeEnabled   uint16  `mad:"160,16" c:"NDRFECModeEnabled,hex"`
}

// CapExtFECMode is the bit of PortInfoExtended.CapMask that says that the
// other fields are valid.
const CapExtFECMode uint32 = 1 << 0

// FECMode is a kind of forward error correction.
type FECMode uint16

// The kinds of forward error correction.
const (
	FECNone         FECMode = 0
	FECFirecode     FECMode = 1
	FECRS           FECMode = 2 // Reed-Solomon
	FECLowLatencyRS FECMode = 3
	FECRS2          FECMode = 4
)

// IsRS reports whether ports in this mode count symbols that Reed-Solomon
// corrected, rather than blocks for each lane.
func (m FECMode) IsRS() bool { return m == FECRS || m == FECRS2 }
