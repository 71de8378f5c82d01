package hostfs

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/fuse"
)

const (
	pkeysPerBlock = 32
	guidsPerBlock = 8
)

// dir is /sys/class/infiniband/NAME/ports/N.
func (p *port) dir(a *adapter) *fuse.Node {
	files := []*fuse.Node{
		p.line("state", func(v *smp.PortInfo) (string, bool) { return portState(v.State), true }),
		p.line("phys_state", func(v *smp.PortInfo) (string, bool) { return physState(v.PhysState), true }),
		p.line("lid", func(v *smp.PortInfo) (string, bool) { return fmt.Sprintf("0x%x", uint16(v.LID)), true }),
		p.line("lid_mask_count", func(v *smp.PortInfo) (string, bool) { return strconv.Itoa(int(v.LMC)), true }),
		p.line("sm_lid", func(v *smp.PortInfo) (string, bool) { return fmt.Sprintf("0x%x", uint16(v.SMLID)), true }),
		p.line("sm_sl", func(v *smp.PortInfo) (string, bool) { return strconv.Itoa(int(v.SMSL)), true }),
		p.line("cap_mask", func(v *smp.PortInfo) (string, bool) { return fmt.Sprintf("0x%08x", p.capMask(v)), true }),
		p.line("rate", func(v *smp.PortInfo) (string, bool) { return rate(v.LinkWidthActive, p.speed(v)) }),
		text("link_layer", "InfiniBand"),
		fuse.Dir("gids", p.gids()...),
		fuse.Dir("gid_attrs", fuse.Dir("types", p.gidTypes()...), fuse.Dir("ndevs")),
		fuse.Dir("pkeys", p.pkeys(a)...),
	}
	return fuse.Dir(strconv.Itoa(p.num), append(files, p.counters()...)...)
}

// info is the PortInfo of the port.
func (p *port) info() (v smp.PortInfo, ok bool) {
	data, status := p.at.LocalAttribute(smp.AttrPortInfo, uint32(p.num))
	v.Decode(&data)
	p.overlay(&v)
	return v, status == mad.StatusOK
}

// line is a file with a value from PortInfo.
func (p *port) line(name string, value func(*smp.PortInfo) (string, bool)) *fuse.Node {
	return computed(name, func() (string, bool) {
		v, ok := p.info()
		if !ok {
			return "", false
		}
		return value(&v)
	})
}

// capMask: a client that has the issm device open is a subnet manager.
func (p *port) capMask(v *smp.PortInfo) uint32 {
	if p.issm.IsOpen() {
		return v.CapMask | smp.CapIsSM
	}
	return v.CapMask
}

// gids makes the table of GIDs: subnet prefix and GUID, also where there is no GUID.
func (p *port) gids() []*fuse.Node {
	count := p.gidCount()
	list := make([]*fuse.Node, 0, count)
	for i := range count {
		list = append(list, computed(strconv.Itoa(i), func() (string, bool) {
			data, status := p.managed().LocalAttribute(smp.AttrGUIDInfo, uint32(i/guidsPerBlock))
			v, ok := p.info()
			g := ib.GIDFrom(v.GIDPrefix, ib.GUID(binary.BigEndian.Uint64(data[8*(i%guidsPerBlock):])))
			return fmt.Sprintf("%s:%s", guid(ib.GUID(g.Prefix())), guid(g.GUID())), ok && status == mad.StatusOK
		}))
	}
	return list
}

func (p *port) gidCount() int {
	v, _ := p.info()
	return max(int(v.GUIDCap), 1)
}

func (p *port) gidTypes() []*fuse.Node {
	var list []*fuse.Node
	for i := range p.gidCount() {
		list = append(list, text(strconv.Itoa(i), "IB/RoCE v1"))
	}
	return list
}

// pkeys makes the table of P_Keys, which has as many entries as NodeInfo says.
func (p *port) pkeys(a *adapter) []*fuse.Node {
	data, _ := p.at.LocalAttribute(smp.AttrNodeInfo, 0)
	var node smp.NodeInfo
	node.Decode(&data)
	list := make([]*fuse.Node, 0, node.PartitionCap)
	for i := range int(node.PartitionCap) {
		list = append(list, computed(strconv.Itoa(i), func() (string, bool) {
			data, status := p.managed().LocalAttribute(smp.AttrPKeyTable, uint32(i/pkeysPerBlock))
			key := binary.BigEndian.Uint16(data[2*(i%pkeysPerBlock):])
			return fmt.Sprintf("0x%04x", key), status == mad.StatusOK
		}))
	}
	return list
}

func portState(s ib.PortState) string {
	switch s {
	case ib.PortNoChange:
		return "0: NOP"
	case ib.PortDown:
		return "1: DOWN"
	case ib.PortInitialize:
		return "2: INIT"
	case ib.PortArmed:
		return "3: ARMED"
	case ib.PortActive:
		return "4: ACTIVE"
	case 5:
		return "5: ACTIVE_DEFER"
	}
	return fmt.Sprintf("%d: UNKNOWN", uint8(s))
}

func physState(s ib.PhysState) string {
	switch s {
	case ib.PhysSleep:
		return "1: Sleep"
	case ib.PhysPolling:
		return "2: Polling"
	case ib.PhysDisabled:
		return "3: Disabled"
	case ib.PhysTraining:
		return "4: PortConfigurationTraining"
	case ib.PhysLinkUp:
		return "5: LinkUp"
	case ib.PhysLinkErrorRecovery:
		return "6: LinkErrorRecovery"
	case ib.PhysTest:
		return "7: Phy Test"
	}
	return fmt.Sprintf("%d: <unknown>", uint8(s))
}
