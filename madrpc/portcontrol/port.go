package portcontrol

import (
	"context"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
)

// Port is a port as its node tells of it.
type Port struct {
	Target mad.Target // how the node was asked
	Num    int

	Node    smp.NodeInfo
	Info    smp.PortInfo
	CapMask uint32 // of the port; of the whole switch, which port 0 has

	// Extended is Mellanox ExtendedPortInfo, nil if the device is not known to
	// have it or Options leave it out.
	Extended *smp.ExtendedPortInfo
}

// Options tune Read and Peer. Nil options have the defaults.
type Options struct {
	// NoExtendedPortInfo leaves out the Mellanox attribute that tells FDR10.
	NoExtendedPortInfo bool
}

// IsSwitch reports whether the port is one of a switch.
func (p *Port) IsSwitch() bool { return p.Node.NodeType == ib.NodeSwitch }

// HasExtendedSpeeds reports whether the port knows speeds beyond QDR.
func (p *Port) HasExtendedSpeeds() bool { return p.CapMask&smp.CapExtendedSpeeds != 0 }

// HasOwner reports whether the fields of PortInfo that belong to subnet
// management, such as the M_Key, are this port's: not on switches, but for port 0.
func (p *Port) HasOwner() bool { return !p.IsSwitch() || p.Num == 0 }

// Read asks a node for one of its ports. When a request fails, the port has what
// was read before; the *madrpc.Error says which request it was.
func Read(ctx context.Context, c *madrpc.Client, to mad.Target, num int, o *Options) (*Port, error) {
	p := &Port{Target: to, Num: num}
	var err error
	if p.Node, err = madrpc.GetSMP[smp.NodeInfo](ctx, c, to, 0); err != nil {
		return p, err
	}
	return p, p.read(ctx, c, o)
}

// read asks for all but the NodeInfo.
func (p *Port) read(ctx context.Context, c *madrpc.Client, o *Options) error {
	if p.IsSwitch() {
		zero, err := madrpc.GetSMP[smp.PortInfo](ctx, c, p.Target, 0)
		if err != nil {
			return err
		}
		p.CapMask = zero.CapMask
	}
	info, err := madrpc.GetSMP[smp.PortInfo](ctx, c, p.Target, uint32(p.Num))
	if err != nil {
		return err
	}
	p.Info = info
	if !p.IsSwitch() {
		p.CapMask = info.CapMask
	}
	if o != nil && o.NoExtendedPortInfo || !smp.HasExtendedPortInfo(p.Node.VendorID, p.Node.DeviceID) {
		return nil
	}
	extended, err := madrpc.GetSMP[smp.ExtendedPortInfo](ctx, c, p.Target, uint32(p.Num))
	if err != nil {
		return err
	}
	p.Extended = &extended
	return nil
}
