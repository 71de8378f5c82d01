package gen

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
)

// OUIs that devices tell as vendor ID.
const (
	vendorMellanox = 0x0002c9 // and NVIDIA
	vendorVoltaire = 0x0008f1
)

// First parts of GUIDs: the OUI blocks that the devices' GUIDs come from, and
// how far the GUIDs of one kind are apart.
const (
	adapterGUIDs   ib.GUID = 0xb83fd20300000000
	switchGUIDs    ib.GUID = 0xfc6a1c0300000000
	routerGUIDs    ib.GUID = 0x98039b0300000000
	voltaireGUIDs  ib.GUID = 0x0008f10500000000
	switchGUIDStep         = 0x20
	routerGUIDStep         = 0x100
)

// device is what a node tells of its make.
type device struct {
	vendor uint32
	id     uint16
}

var aggregationNode = device{vendorMellanox, 0xcf09}

// generation is the hardware of one link speed.
type generation struct {
	speed         ib.LinkSpeed
	adapterDevice uint16
	adapterFormat string // as the driver names adapters
	adapterFirst  int    // the number of the first
	switchDevice  uint16
	switchModel   string
	capMask2      uint16
}

// generations lists the hardware from the slowest to the fastest.
var generations = [...]generation{
	{ib.SpeedSDR, 0x6274, "HCA-%d", 1, 0xb924, "MTS2400", 0},
	{ib.SpeedDDR, 0x634a, "HCA-%d", 1, 0xb924, "MTS2400", 0},
	{ib.SpeedQDR, 0x673c, "HCA-%d", 1, 0xbd36, "MIS5030", 0},
	{ib.SpeedFDR10, 0x1003, "HCA-%d", 1, 0xc738, "MSX6036", 0},
	{ib.SpeedFDR, 0x1011, "mlx5_%d", 0, 0xc738, "MSX6036", 0},
	{ib.SpeedEDR, 0x1013, "mlx5_%d", 0, 0xcb20, "MSB7700", 0},
	{ib.SpeedHDR, 0x101b, "mlx5_%d", 0, 0xd2f0, "MQM8700", smp.Cap2LinkSpeedHDR},
	{ib.SpeedNDR, 0x1021, "mlx5_%d", 0, 0xd2f2, "MQM9700", smp.Cap2LinkSpeedHDR | smp.Cap2LinkSpeedNDR},
	{ib.SpeedXDR, 0x1023, "mlx5_%d", 0, 0xd2f4, "QM3400", smp.Cap2LinkSpeedHDR | smp.Cap2LinkSpeedNDR |
		smp.Cap2ExtendedSpeeds2 | smp.Cap2LinkSpeedXDR},
}

// adapterName is the name of the adapter with that number, from 0.
func (g generation) adapterName(num int) string {
	return fmt.Sprintf(g.adapterFormat, g.adapterFirst+num)
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

// newPlan starts a plan of hardware of that speed and width; 0 are HDR and 4x.
func newPlan(op string, speed ib.LinkSpeed, width ib.LinkWidth) (plan, error) {
	fill(&speed, ib.SpeedHDR)
	fill(&width, ib.Width4x)
	g, ok := generationOf(speed)
	if !ok {
		return plan{}, &Error{Op: op, Param: "speed", Value: strings.ToLower(speed.String()), Detail: "must be one of " + speedNames()}
	}
	if width.Lanes() == 0 {
		return plan{}, &Error{Op: op, Param: "width", Value: width.String(), Detail: "must be one of " + widthNames}
	}
	return plan{hardware: hardware{gen: g, width: width}}, nil
}

// setSharp gives the switches aggregation nodes; radix is what they have
// without.
func (h *hardware) setSharp(op string, radix int) error {
	switch {
	case h.gen.speed.Rank() < ib.SpeedEDR.Rank():
		return &Error{Op: op, Param: "sharp", Value: "yes", Detail: "needs a speed from edr on"}
	case radix >= maxRadix:
		return &Error{Op: op, Param: "sharp", Value: "yes", Detail: fmt.Sprintf("needs switches with less than %d ports", maxRadix)}
	}
	h.sharp = true
	return nil
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

// fill sets a field that is zero.
func fill[T comparable](field *T, v T) {
	var zero T
	if *field == zero {
		*field = v
	}
}
