package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// command is a Set that has reached a node's agent. What a value may be is
// checked before anything changes; a bad one is mad.StatusInvalidValue. The
// reply has the new value, as a Get would give it.
type command struct {
	query
	want [mad.DataSize]byte
	from ib.LID // of the sender, permissive if it has none
}

// run carries out the command.
func (c *command) run(attr mad.AttrID) mad.Status {
	set := c.setter(attr)
	if set == nil {
		return mad.StatusUnsupportedAttr
	}
	c.sim.mu.Lock()
	defer c.sim.mu.Unlock()
	// The Get finds whether there is such a thing, and what it holds now.
	if status := c.get(attr); status != mad.StatusOK {
		return status
	}
	if status := set(); status != mad.StatusOK {
		return status
	}
	reregister := attr == attrPortInfo && c.data[offReregister]&reregisterBit != 0
	*c.data = [mad.DataSize]byte{}
	status := c.get(attr)
	if reregister { // o14-12.2.1: the reply repeats it
		c.data[offReregister] |= reregisterBit
	}
	return status
}

// offReregister is the byte of PortInfo with the bit ClientReregister.
const (
	offReregister = 51
	reregisterBit = 0x80
)

// setter is what sets an attribute; nil for those that cannot be set.
func (c *command) setter(attr mad.AttrID) func() mad.Status {
	switch attr {
	case attrNodeDescription:
		return c.setNodeDescription
	case attrSwitchInfo:
		return c.setSwitchInfo
	case attrGUIDInfo:
		return c.setGUIDInfo
	case attrPortInfo:
		return c.setPortInfo
	case attrPKeyTable:
		return c.setPKeyTable
	case attrSLtoVL:
		return c.setSLtoVL
	case attrVLArbitration:
		return c.setVLArbitration
	case attrLinearFDB:
		return c.setLinearFDB
	case attrMulticastFDB:
		return c.setMulticastFDB
	case attrLEDInfo:
		return c.setLEDInfo
	case attrPortInfoExtended:
		return c.setPortInfoExtended
	case attrExtendedPortInfo:
		return c.setExtendedPortInfo
	}
	return nil
}

// setNodeDescription is for nodes that say that others may name them.
func (c *command) setNodeDescription() mad.Status {
	info := c.completePortInfo(c.holderOf(int(c.in)))
	if info.CapMask&smp.CapCapMask2 == 0 || info.CapMask2&smp.Cap2SetNodeDescription == 0 {
		return mad.StatusUnsupportedAttr
	}
	want := c.want
	c.node.description.Store(&want)
	return mad.StatusOK
}

func (c *command) setSwitchInfo() mad.Status {
	var want smp.SwitchInfo
	want.Decode(&c.want)
	v := c.completeSwitchInfo()
	ports := uint8(c.node.model.NumPorts())
	isPort := func(num uint8) bool { return num <= ports || num == noRoute }
	if want.LinearFDBTop != v.LinearFDBTop && want.LinearFDBTop >= v.LinearFDBCap ||
		!isPort(want.DefaultPort) || !isPort(want.DefaultMcastPrimary) || !isPort(want.DefaultMcastOther) {
		return mad.StatusInvalidValue
	}
	v.LinearFDBTop, v.LifeTime = want.LinearFDBTop, want.LifeTime
	v.DefaultPort, v.DefaultMcastPrimary, v.DefaultMcastOther = want.DefaultPort, want.DefaultMcastPrimary, want.DefaultMcastOther
	v.OptimizedSLtoVL = want.OptimizedSLtoVL
	zero := c.completePortInfo(0)
	if zero.CapMask&smp.CapMulticastFDBTop != 0 {
		top := want.MulticastFDBTop
		if top != 0 && top != v.MulticastFDBTop && top != noMulticast &&
			(top < uint16(ib.MinMulticastLID) || int(top-uint16(ib.MinMulticastLID)) >= int(v.MulticastFDBCap)) {
			return mad.StatusInvalidValue
		}
		v.MulticastFDBTop = top
	}
	if want.PortStateChange { // writing 1 clears it
		v.PortStateChange = false
	}
	c.sim.publishSwitch(c.node, &v)
	c.node.topLID.Store(int32(v.LinearFDBTop))
	return mad.StatusOK
}

// noMulticast is the MulticastFDBTop of a switch without groups; 0, which OpenSM
// writes, bounds nothing.
const noMulticast = 0xbfff

// publishSwitch makes v the SwitchInfo of n. The caller holds Fabric.mu.
func (s *Fabric) publishSwitch(n *node, v *smp.SwitchInfo) {
	var b [mad.DataSize]byte
	if old := n.switchInfo.Load(); old != nil {
		b = *old
	} else if raw := n.model.SwitchInfoBytes(); raw != nil {
		b = *raw
	}
	v.Encode(&b)
	n.switchInfo.Store(&b)
}
