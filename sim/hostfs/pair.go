package hostfs

import (
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
)

// Adapters of several planes are two devices to their machine: the SMI device
// has a port in each plane, and subnet management; the GSI device has one port
// with the same port GUID, all else, and no cable of its own.

// smiOf is the SMI device that a GSI device belongs to; nil for other adapters.
func (h *Host) smiOf(a *adapter) *fabric.Node {
	p := a.node.Port(1)
	if a.node.Type() != ib.NodeCA || p == nil || p.Remote() != nil || p.GUID() == 0 || !isSMDisabled(p) {
		return nil
	}
	for _, other := range h.adapters {
		if other == a || other.node.Type() != ib.NodeCA {
			continue
		}
		if q := other.node.Port(1); q != nil && q.GUID() == p.GUID() && !isSMDisabled(q) {
			return other.node
		}
	}
	return nil
}

func isSMDisabled(p *fabric.Port) bool {
	info, ok := p.Info()
	return ok && info.CapMask&smp.CapSMDisabled != 0
}

// gsiWire is the way of a GSI device to the fabric: the port of its SMI device,
// but for subnet management.
type gsiWire struct{ *sim.Port }

// Send implements umadev.Wire.
func (w *gsiWire) Send(p *mad.Packet, to mad.Addr, timeout time.Duration) error {
	if p.Class().IsSMP() {
		return nil // the device has no QP0: the packet is lost
	}
	return w.Port.Send(p, to, timeout)
}

// managed is the port whose tables the subnet manager writes.
func (p *port) managed() *sim.Port {
	if p.smi != nil {
		return p.smi
	}
	return p.at
}

// overlay puts what the subnet manager has set at the SMI device into the
// PortInfo of the GSI device.
func (p *port) overlay(v *smp.PortInfo) {
	if p.smi == nil {
		return
	}
	data, status := p.smi.LocalAttribute(smp.AttrPortInfo, uint32(p.smi.Num()))
	if status != mad.StatusOK {
		return
	}
	var set smp.PortInfo
	set.Decode(&data)
	v.LID, v.LMC, v.SMLID, v.SMSL = set.LID, set.LMC, set.SMLID, set.SMSL
	v.GIDPrefix, v.SubnetTimeout = set.GIDPrefix, set.SubnetTimeout
	v.State, v.PhysState = set.State, set.PhysState
}
