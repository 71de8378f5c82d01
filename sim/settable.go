package sim

import (
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// setGUIDInfo sets aliases. GUID 0 is the port's own and stays.
func (c *command) setGUIDInfo() mad.Status {
	c.keepFirst(8*int(c.guidCap()) - 64*int(c.modifier))
	if c.modifier == 0 {
		copy(c.want[:8], c.data[:8])
	}
	c.node.store(attrGUIDInfo, uint32(c.in)<<16|c.modifier, &c.want)
	return mad.StatusOK
}

func (c *command) guidCap() uint8 {
	info := c.completePortInfo(c.holderOf(int(c.in)))
	return info.GUIDCap
}

// keepFirst cuts what lies beyond the last entry of a table.
func (c *command) keepFirst(bytes int) {
	if bytes >= 0 && bytes < len(c.want) {
		clear(c.want[bytes:])
	}
}

func (c *command) setPKeyTable() mad.Status {
	port, block := c.modifier>>16, c.modifier&0xffff
	size := c.partitionCap(int(port))
	if !c.isSwitch() {
		port, size = uint32(c.in), c.partitionCap(0)
	}
	c.keepFirst(2 * (int(size) - int(block)*pkeysPerBlock))
	c.node.store(attrPKeyTable, port<<16|block, &c.want)
	return mad.StatusOK
}

// setSLtoVL also knows the modifiers of switches that map the same from, or to,
// all ports.
func (c *command) setSLtoVL() mad.Status {
	clear(c.want[8:])
	in, out := int(c.modifier>>8&0xff), int(c.modifier&0xff)
	if !c.isSwitch() {
		c.node.store(attrSLtoVL, uint32(c.in), &c.want)
		return mad.StatusOK
	}
	info := c.completeSwitchInfo()
	all := c.modifier & (smp.SLtoVLAllInPorts | smp.SLtoVLAllOutPorts)
	if all != 0 && info.OptimizedSLtoVL == 0 {
		return mad.StatusInvalidValue
	}
	firstIn, lastIn, firstOut, lastOut := in, in, out, out
	if all&smp.SLtoVLAllInPorts != 0 {
		firstIn, lastIn = 0, len(c.node.ports)-1
	}
	if all&smp.SLtoVLAllOutPorts != 0 {
		firstOut, lastOut = 0, len(c.node.ports)-1
	}
	for i := firstIn; i <= lastIn; i++ {
		for o := firstOut; o <= lastOut; o++ {
			c.node.store(attrSLtoVL, uint32(i)<<8|uint32(o), &c.want)
		}
	}
	return mad.StatusOK
}

// setVLArbitration cuts what lies beyond the capacities that PortInfo tells.
func (c *command) setVLArbitration() mad.Status {
	section := smp.VLArbSection(c.modifier >> 16)
	port, _ := c.asked(c.modifier & 0xffff)
	info := c.completePortInfo(port)
	size, before := int(info.VLArbLowCap), 0
	if section >= smp.VLArbHighFirst {
		size = int(info.VLArbHighCap)
	}
	if section == smp.VLArbLowSecond || section == smp.VLArbHighSecond {
		before = vlarbPerBlock
	}
	c.keepFirst(2 * max(size-before, 0))
	c.node.store(attrVLArbitration, uint32(section)<<16|uint32(port), &c.want)
	return mad.StatusOK
}

func (c *command) setLinearFDB() mad.Status {
	info := c.completeSwitchInfo()
	c.node.setBlock(int(c.modifier), (int(info.LinearFDBCap)+lidsPerBlock-1)/lidsPerBlock, &c.want)
	return mad.StatusOK
}

func (c *command) setMulticastFDB() mad.Status {
	c.node.store(attrMulticastFDB, c.modifier&0xf00001ff, &c.want)
	return mad.StatusOK
}

func (c *command) setLEDInfo() mad.Status {
	num, _ := c.asked(c.modifier)
	light := [mad.DataSize]byte{c.want[0] & 0x80}
	c.node.store(attrLEDInfo, uint32(num), &light)
	return mad.StatusOK
}

// setPortInfoExtended enables modes of error correction out of those that the
// port has.
func (c *command) setPortInfoExtended() mad.Status {
	num, _ := c.asked(c.modifier)
	var want, v smp.PortInfoExtended
	want.Decode(&c.want)
	v.Decode(c.data)
	for _, mode := range [...]struct {
		want, has uint16
		enabled   *uint16
	}{
		{want.FDRFECModeEnabled, v.FDRFECModeSupported, &v.FDRFECModeEnabled},
		{want.EDRFECModeEnabled, v.EDRFECModeSupported, &v.EDRFECModeEnabled},
		{want.HDRFECModeEnabled, v.HDRFECModeSupported, &v.HDRFECModeEnabled},
		{want.NDRFECModeEnabled, v.NDRFECModeSupported, &v.NDRFECModeEnabled},
	} {
		if mode.want&^mode.has != 0 {
			return mad.StatusInvalidValue
		}
		*mode.enabled = mode.want
	}
	v.Encode(c.data)
	c.node.store(attrPortInfoExtended, uint32(num), c.data)
	return mad.StatusOK
}

// setExtendedPortInfo enables FDR10, from the next training on.
func (c *command) setExtendedPortInfo() mad.Status {
	num, _ := c.asked(c.modifier)
	if c.want[offFDR10Enabled]&^c.data[offFDR10Supported] != 0 {
		return mad.StatusInvalidValue
	}
	c.data[offFDR10Enabled] = c.want[offFDR10Enabled]
	c.data[offStateChangeEnable] = c.want[offStateChangeEnable]
	c.node.store(attrExtendedPortInfo, uint32(num), c.data)
	return mad.StatusOK
}

// Bytes of Mellanox ExtendedPortInfo.
const (
	offStateChangeEnable = 3
	offFDR10Supported    = 7
	offFDR10Enabled      = 11
	offFDR10Active       = 15
)
