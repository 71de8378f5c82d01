package portcontrol

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Change is what a Set of PortInfo is to change. The zero Change changes nothing:
// a field that is 0, or nil, leaves the port as it is.
type Change struct {
	State ib.PortState // PortDown, PortArmed or PortActive
	Phys  ib.PhysState // PhysPolling enables the port, PhysDisabled disables it

	// What the next training of the link may use, as PortInfo has it.
	LinkSpeedEnabled    uint8 // 15: all that is supported
	LinkSpeedExtEnabled uint8 // 31: all that is supported, 30: none
	LinkWidthEnabled    ib.LinkWidth

	OperationalVLs ib.VLCap
	NeighborMTU    ib.MTU

	LID, SMLID      ib.LID
	LMC             *uint8
	MKey            *uint64
	MKeyLeasePeriod *uint16 // seconds
	MKeyProtect     *uint8
}

// placeholderLID stands for the LIDs of a port that nobody has brought up: agents
// refuse a Set with the LID 0 or 0xffff.
const placeholderLID ib.LID = 0x1234

// Apply makes what a port has told of itself, info, the data of a Set: the states,
// widths and speeds are those of the change, of which 0 means no change (IBA vol. 1,
// 14.2.5.6), and so is what the change sets of the rest.
func (c *Change) Apply(info *smp.PortInfo) {
	info.LID, info.SMLID = validLID(c.LID, info.LID), validLID(c.SMLID, info.SMLID)
	info.State, info.PhysState = c.State, c.Phys
	info.LinkWidthEnabled, info.LinkSpeedEnabled = c.LinkWidthEnabled, c.LinkSpeedEnabled
	info.LinkSpeedExtEnabled, info.LinkSpeedExtEnabled2 = c.LinkSpeedExtEnabled, 0
	replace(&info.OperationalVLs, c.OperationalVLs)
	replace(&info.NeighborMTU, c.NeighborMTU)
	replaceBy(&info.LMC, c.LMC)
	replaceBy(&info.MKey, c.MKey)
	replaceBy(&info.MKeyLeasePeriod, c.MKeyLeasePeriod)
	replaceBy(&info.MKeyProtect, c.MKeyProtect)
}

// Wanted is p as it has told of itself, with the fields of the change as they are
// asked for. Of State and PhysState it is where the port is sent.
func (p *Port) Wanted(c *Change) smp.PortInfo {
	info, old := p.Info, p.Info
	c.Apply(&info)
	if !p.HasOwner() { // means nothing there
		info.LID, info.SMLID = old.LID, old.SMLID
	}
	keep(&info.State, old.State)
	keep(&info.PhysState, old.PhysState)
	keep(&info.LinkWidthEnabled, old.LinkWidthEnabled)
	keep(&info.LinkSpeedEnabled, old.LinkSpeedEnabled)
	keep(&info.LinkSpeedExtEnabled, old.LinkSpeedExtEnabled)
	keep(&info.LinkSpeedExtEnabled2, old.LinkSpeedExtEnabled2)
	return info
}

// TakesLinkDown reports whether the link of a port that told info would go down,
// be it only until it has trained again.
func (c *Change) TakesLinkDown(info *smp.PortInfo) bool {
	return info.State != ib.PortDown && (c.State == ib.PortDown || c.Phys != ib.PhysNoChange)
}

// Set writes PortInfo with the change in it, and sets p.Info to what the node has
// made of it.
func (p *Port) Set(ctx context.Context, c *madrpc.Client, change *Change) error {
	info := p.Info
	change.Apply(&info)
	if err := madrpc.Set(ctx, c, p.Target, p.SetModifier(), &info); err != nil {
		return err
	}
	p.Info = info
	return nil
}

// SetModifier is the attribute modifier of Set: the port, and that we know of
// extended speeds if the port does.
func (p *Port) SetModifier() uint32 {
	modifier := uint32(p.Num)
	if p.HasExtendedSpeeds() {
		modifier |= smp.ExtendedSpeedModifier
	}
	return modifier
}

// SetFDR10 has the next training of the link use FDR10, or not. Devices without
// ExtendedPortInfo answer with mad.StatusUnsupportedAttr.
func (p *Port) SetFDR10(ctx context.Context, c *madrpc.Client, enabled bool) error {
	info := p.WithFDR10(enabled)
	if err := madrpc.Set(ctx, c, p.Target, uint32(p.Num), &info); err != nil {
		return err
	}
	p.Extended = &info
	return nil
}

// WithFDR10 is the data that SetFDR10 sends.
func (p *Port) WithFDR10(enabled bool) smp.ExtendedPortInfo {
	var info smp.ExtendedPortInfo
	if p.Extended != nil {
		info = *p.Extended
	}
	info.StateChangeEnable, info.LinkSpeedEnabled = smp.FDR10, 0
	if enabled {
		info.LinkSpeedEnabled = smp.FDR10
	}
	return info
}

func validLID(wanted, have ib.LID) ib.LID {
	switch {
	case wanted != 0:
		return wanted
	case have == 0 || have == ib.PermissiveLID:
		return placeholderLID
	}
	return have
}

// replace sets a value unless the new one is 0.
func replace[T comparable](v *T, by T) {
	var none T
	if by != none {
		*v = by
	}
}

// keep sets a value that is 0 to what it was.
func keep[T comparable](v *T, was T) {
	var none T
	if *v == none {
		*v = was
	}
}

func replaceBy[T any](v, by *T) {
	if by != nil {
		*v = *by
	}
}
