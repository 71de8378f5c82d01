package hostfs

import (
	"fmt"
	"strconv"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim/fuse"
)

// firmware is the version of all firmware: no attribute tells it.
const firmware = "0.0.0"

// dir is /sys/class/infiniband/NAME.
func (a *adapter) dir() *fuse.Node {
	ports := make([]*fuse.Node, 0, len(a.ports))
	for _, p := range a.ports {
		ports = append(ports, p.dir(a))
	}
	return fuse.Dir(a.name,
		a.line("node_type", func(v *smp.NodeInfo) string { return nodeType(v.NodeType) }),
		a.line("node_guid", func(v *smp.NodeInfo) string { return guid(v.NodeGUID) }),
		a.line("sys_image_guid", func(v *smp.NodeInfo) string { return guid(v.SystemImageGUID) }),
		a.line("hw_rev", func(v *smp.NodeInfo) string { return strconv.FormatUint(uint64(v.Revision), 16) }),
		a.line("hca_type", hcaType),
		a.line("board_id", func(v *smp.NodeInfo) string { return fmt.Sprintf("SIM%010d", v.DeviceID) }),
		text("fw_ver", firmware),
		computed("node_desc", a.description),
		fuse.Dir("ports", ports...),
	)
}

// line is a file with a value from NodeInfo.
func (a *adapter) line(name string, value func(*smp.NodeInfo) string) *fuse.Node {
	return computed(name, func() (string, bool) {
		data, status := a.ports[0].at.LocalAttribute(smp.AttrNodeInfo, 0)
		if status != mad.StatusOK {
			return "", false
		}
		var v smp.NodeInfo
		v.Decode(&data)
		return value(&v), true
	})
}

func (a *adapter) description() (string, bool) {
	data, status := a.ports[0].at.LocalAttribute(smp.AttrNodeDescription, 0)
	n := 0
	for n < len(data) && data[n] != 0 {
		n++
	}
	return string(data[:n]), status == mad.StatusOK
}

func nodeType(t ib.NodeType) string {
	switch t {
	case ib.NodeCA:
		return "1: CA"
	case ib.NodeSwitch:
		return "2: switch"
	case ib.NodeRouter:
		return "3: router"
	}
	return fmt.Sprintf("%d: <unknown>", uint8(t))
}

// vendorMellanox is the vendor whose drivers name adapters by their device ID.
const vendorMellanox = 0x0002c9

func hcaType(v *smp.NodeInfo) string {
	if v.VendorID == vendorMellanox {
		return "MT" + strconv.Itoa(int(v.DeviceID))
	}
	return fmt.Sprintf("0x%x", v.DeviceID)
}

// guid is the form of sysfs, four groups.
func guid(g ib.GUID) string {
	return fmt.Sprintf("%04x:%04x:%04x:%04x", uint16(g>>48), uint16(g>>32), uint16(g>>16), uint16(g))
}
