package sim

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// setPortInfo sets what the kind of port has: the fields of subnet management
// on ports with a LID, those of the link on ports with a cable.
func (c *command) setPortInfo() mad.Status {
	num, _ := c.asked(c.modifier &^ smp.ExtendedSpeedModifier)
	p := &c.node.ports[num]
	var want smp.PortInfo
	want.Decode(&c.want)
	v := c.sim.portInfo(p)
	old := v
	if !c.isSwitch() || num == 0 {
		if !c.mergeOwner(&v, &want) {
			return mad.StatusInvalidValue
		}
	}
	if c.isSwitch() && num == 0 {
		c.sim.publish(p, &v)
		return c.echo(&want)
	}
	move, ok := linkMove(p, &v, &want)
	if !ok || !c.mergeLink(&v, &want) {
		return mad.StatusInvalidValue
	}
	c.sim.publish(p, &v)
	c.sim.apply(p, move)
	if c.from != v.SMLID {
		c.sim.notifyLinkEnabled(p, &old, &v)
	}
	return c.echo(&want)
}

// echo leaves in the data the one bit of the request that the reply repeats.
func (c *command) echo(want *smp.PortInfo) mad.Status {
	zero := c.completePortInfo(c.holderOf(int(c.in)))
	c.data[offReregister] &^= reregisterBit
	if want.ClientReregister && zero.CapMask&smp.CapClientReregistration != 0 {
		c.data[offReregister] |= reregisterBit
	}
	return mad.StatusOK
}

// mergeOwner takes over the fields of subnet management; false if one is bad.
func (c *command) mergeOwner(v, want *smp.PortInfo) bool {
	isBasic := false
	if c.isSwitch() {
		info := c.completeSwitchInfo()
		isBasic = !info.EnhancedPort0
	}
	last := int(want.LID) + 1<<want.LMC - 1
	switch {
	case want.LID != v.LID && !want.LID.IsUnicast(),
		want.SMLID != v.SMLID && !want.SMLID.IsUnicast(),
		(want.LID != v.LID || want.LMC != v.LMC) && int(want.LID)&(1<<want.LMC-1) != 0,
		want.LID != 0 && last > int(ib.MaxUnicastLID),
		want.LMC != 0 && isBasic:
		return false
	}
	v.LID, v.LMC, v.SMLID, v.SMSL = want.LID, want.LMC, want.SMLID, want.SMSL
	v.MKey, v.MKeyProtect, v.MKeyLeasePeriod = want.MKey, want.MKeyProtect, want.MKeyLeasePeriod
	v.GIDPrefix, v.SubnetTimeout = want.GIDPrefix, want.SubnetTimeout
	v.McastPKeyTrapSuppress = want.McastPKeyTrapSuppress
	v.InitType = want.InitType
	for _, counter := range [...]struct{ have, want *uint16 }{
		{&v.MKeyViolations, &want.MKeyViolations},
		{&v.PKeyViolations, &want.PKeyViolations},
		{&v.QKeyViolations, &want.QKeyViolations},
	} {
		if *counter.want == 0 { // they can only be cleared
			*counter.have = 0
		}
	}
	return true
}

// mergeLink takes over the fields of the link; false if one is bad.
func (c *command) mergeLink(v, want *smp.PortInfo) bool {
	switch {
	case want.NeighborMTU != v.NeighborMTU && (want.NeighborMTU == 0 || want.NeighborMTU > v.MTUCap),
		want.OperationalVLs > v.VLCap,
		want.LinkDownDefault > ib.PhysPolling:
		return false
	}
	v.NeighborMTU = want.NeighborMTU
	v.VLHighLimit, v.VLStallCount, v.HOQLife = want.VLHighLimit, want.VLStallCount, want.HOQLife
	v.LocalPhyErrors, v.OverrunErrors = want.LocalPhyErrors, want.OverrunErrors
	if want.OperationalVLs != 0 {
		v.OperationalVLs = want.OperationalVLs
	}
	if want.LinkDownDefault != 0 {
		v.LinkDownDefault = want.LinkDownDefault
	}
	if c.isSwitch() {
		info := c.completeSwitchInfo()
		v.PartEnforceInbound = want.PartEnforceInbound && info.InboundPartEnforce
		v.PartEnforceOutbound = want.PartEnforceOutbound && info.OutboundPartEnforce
		v.FilterRawInbound = want.FilterRawInbound && info.FilterRawInbound
		v.FilterRawOutbound = want.FilterRawOutbound && info.FilterRawOutbound
	}
	return mergeEnabled(v, want)
}

// Values of the enabled fields that are no sets of bits.
const (
	allWidths     = 0xff
	allSpeeds     = 0xf
	allExtended   = 0x1f
	noExtended    = 0x1e
	allExtended2  = 0x7
	noExtended2   = 0x6
	extendedMask  = 0xf
	extended2Mask = 0x3
)

// mergeEnabled takes over the widths and speeds that the next training may use.
// Zero changes nothing.
func mergeEnabled(v, want *smp.PortInfo) bool {
	ok := true
	if w := want.LinkWidthEnabled; w == allWidths {
		v.LinkWidthEnabled = v.LinkWidthSupported
	} else if w != 0 && w != v.LinkWidthEnabled {
		ok = w&^v.LinkWidthSupported == 0
		v.LinkWidthEnabled = w
	}
	return mergeSpeeds(&v.LinkSpeedEnabled, want.LinkSpeedEnabled, v.LinkSpeedSupported, allSpeeds, allSpeeds) &&
		mergeSpeeds(&v.LinkSpeedExtEnabled, want.LinkSpeedExtEnabled, v.LinkSpeedExtSupported, allExtended, noExtended) &&
		mergeSpeeds(&v.LinkSpeedExtEnabled2, want.LinkSpeedExtEnabled2, v.LinkSpeedExtSupported2, allExtended2, noExtended2) && ok
}

// mergeSpeeds takes over one field of speeds, in which all stands for what is
// supported and none for nothing.
func mergeSpeeds(have *uint8, want, supported, all, none uint8) bool {
	switch {
	case want == 0 || want == *have:
		return true
	case want == all:
		*have = supported
	case want == none || want&^supported == 0:
		*have = want
	default:
		return false
	}
	return true
}
