package gen

import (
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// vendorMellanox is the OUI that Mellanox and NVIDIA devices tell as vendor ID.
const vendorMellanox = 0x0002c9

// First halves of GUIDs: the OUI blocks that the devices' GUIDs come from.
const (
	adapterGUIDs ib.GUID = 0xb83fd20300000000
	switchGUIDs  ib.GUID = 0xfc6a1c0300000000
)

// generation is the hardware of one link speed.
type generation struct {
	speed         ib.LinkSpeed
	adapterDevice uint16
	adapterName   string // as the driver numbers it
	switchDevice  uint16
	switchModel   string
	capMask2      uint16
}

// generations lists the hardware from the slowest to the fastest.
var generations = [...]generation{
	{ib.SpeedSDR, 0x6274, "HCA-1", 0xb924, "MTS2400", 0},
	{ib.SpeedDDR, 0x634a, "HCA-1", 0xb924, "MTS2400", 0},
	{ib.SpeedQDR, 0x673c, "HCA-1", 0xbd36, "MIS5030", 0},
	{ib.SpeedFDR10, 0x1003, "HCA-1", 0xc738, "MSX6036", 0},
	{ib.SpeedFDR, 0x1011, "mlx5_0", 0xc738, "MSX6036", 0},
	{ib.SpeedEDR, 0x1013, "mlx5_0", 0xcb20, "MSB7700", 0},
	{ib.SpeedHDR, 0x101b, "mlx5_0", 0xd2f0, "MQM8700", smp.Cap2LinkSpeedHDR},
	{ib.SpeedNDR, 0x1021, "mlx5_0", 0xd2f2, "MQM9700", smp.Cap2LinkSpeedHDR | smp.Cap2LinkSpeedNDR},
	{ib.SpeedXDR, 0x1023, "mlx5_0", 0xd2f4, "QM3400", smp.Cap2LinkSpeedHDR | smp.Cap2LinkSpeedNDR |
		smp.Cap2ExtendedSpeeds2 | smp.Cap2LinkSpeedXDR},
}

// generationOf finds the hardware of a speed; false if there is none.
func generationOf(s ib.LinkSpeed) (generation, bool) {
	for _, g := range generations {
		if g.speed == s {
			return g, true
		}
	}
	return generation{}, false
}

// speedNames lists the speeds for messages: "sdr, ddr, …".
func speedNames() string {
	var names []string
	for _, g := range generations {
		names = append(names, strings.ToLower(g.speed.String()))
	}
	return strings.Join(names, ", ")
}

// supported is the set of speeds that hardware of the generation supports. Each
// base and extended speed comes with the slower ones of its field.
func (g generation) supported() (base, ext, ext2 uint8) {
	switch {
	case g.speed.Ext2() != 0:
		return 7, 0xf, upTo(g.speed.Ext2())
	case g.speed.Ext() != 0:
		return 7, upTo(g.speed.Ext()), 0
	case g.speed == ib.SpeedFDR10:
		return 7, 0, 0
	}
	return upTo(g.speed.Base()), 0, 0
}

// upTo is all the bits of a speed code up to its only one.
func upTo(code uint8) uint8 { return code | (code - 1) }
