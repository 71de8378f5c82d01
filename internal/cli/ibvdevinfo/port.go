package ibvdevinfo

import (
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

var (
	stateWords = []word{{1, "PORT_DOWN"}, {2, "PORT_INIT"}, {3, "PORT_ARMED"}, {4, "PORT_ACTIVE"}}
	physWords  = []word{
		{1, "SLEEP"},
		{2, "POLLING"},
		{3, "DISABLED"},
		{4, "PORT_CONFIGURATION TRAINNING"},
		{5, "LINK_UP"},
		{6, "LINK_ERROR_RECOVERY"},
		{7, "PHY TEST"},
	}
	mtuWords   = []word{{1, "256"}, {2, "512"}, {3, "1024"}, {4, "2048"}, {5, "4096"}}
	vlWords    = []word{{1, "1"}, {2, "2"}, {3, "4"}, {4, "8"}, {5, "15"}}
	widthWords = []word{{1, "1X"}, {2, "4X"}, {4, "8X"}, {8, "12X"}, {16, "2X"}}
	speedWords = []word{
		{1, "2.5 Gbps"},
		{2, "5.0 Gbps"},
		{4, "10.0 Gbps"},
		{8, "10.0 Gbps"},
		{16, "14.0 Gbps"},
		{32, "25.0 Gbps"},
		{64, "50.0 Gbps"},
		{128, "100.0 Gbps"},
		{256, "200.0 Gbps"},
	}
)

func linkWord(l uverbs.LinkLayer) (string, bool) {
	switch l {
	case uverbs.LinkUnspecified:
		return "Unspecified", true
	case uverbs.LinkInfiniBand:
		return "InfiniBand", true
	case uverbs.LinkEthernet:
		return "Ethernet", true
	}
	return "", false
}

// portSummary prints what is printed of every port.
func (r *report) portSummary(num int, a *uverbs.PortAttributes) {
	r.printf("\t\tport:\t%d\n", num)
	r.hcaPort("state", "%s", coded(stateWords, "invalid state", int(a.State)))
	r.hcaPort("max_mtu", "%s", coded(mtuWords, "invalid MTU", int(a.MaxMTU)))
	r.hcaPort("active_mtu", "%s", coded(mtuWords, "invalid MTU", int(a.ActiveMTU)))
	r.hcaPort("sm_lid", "%d", a.SMLID)
	r.hcaPort("port_lid", "%d", a.LID)
	r.hcaPort("port_lmc", "0x%02x", a.LMC)
	link, ok := linkWord(a.LinkLayer)
	if !ok {
		link = "Unknown"
	}
	r.hcaPort("link_layer", "%s", link)
}

// portDetails prints what -v adds, but for the GIDs.
func (r *report) portDetails(a *uverbs.PortAttributes, t rdma.Transport) {
	r.hcaPort("max_msg_sz", "0x%x", a.MaxMessage)
	r.hcaPort("port_cap_flags", "0x%08x", uint32(a.CapMask))
	r.hcaPort("port_cap_flags2", "0x%04x", uint16(a.CapMask2))
	r.hcaPort("max_vl_num", "%s", coded(vlWords, "invalid value", int(a.MaxVL)))
	r.hcaPort("bad_pkey_cntr", "0x%x", a.BadPKeys)
	r.hcaPort("qkey_viol_cntr", "0x%x", a.BadQKeys)
	r.hcaPort("sm_sl", "%d", a.SMSL)
	r.hcaPort("pkey_tbl_len", "%d", a.PKeyTableLen)
	r.hcaPort("gid_tbl_len", "%d", int32(a.GIDTableLen))
	r.hcaPort("subnet_timeout", "%d", a.SubnetTimeout)
	r.hcaPort("init_type_reply", "%d", a.InitTypeReply)
	r.hcaPort("active_width", "%s", coded(widthWords, "invalid widthX", int(a.ActiveWidth)))
	r.hcaPort("active_speed", "%s", coded(speedWords, "invalid speed", int(a.ActiveSpeed)))
	if t == rdma.TransportIB {
		r.hcaPort("phys_state", "%s", coded(physWords, "invalid physical state", int(a.PhysState)))
	}
}

// gid prints an entry of the GID table. Those without an interface identifier
// are left out. A type that is not known goes for RoCE v2, as in libibverbs.
func (r *report) gid(g uverbs.GID, link uverbs.LinkLayer) {
	if g.GID.GUID().IsZero() {
		return
	}
	text, version := g.GID.String(), "RoCE v2"
	if g.Type == uverbs.GIDTypeIB || g.Type == uverbs.GIDTypeRoCEv1 {
		text, version = groups(g.GID), "RoCE v1"
	}
	if link == uverbs.LinkEthernet {
		text += ", " + version
	}
	r.hcaPort(fmt.Sprintf("GID[%3d]", g.Index), "%s", text)
}

// groups is a GID in eight groups of four digits.
func groups(g ib.GID) string {
	parts := make([]string, 0, 8)
	for i := 0; i < len(g); i += 2 {
		parts = append(parts, fmt.Sprintf("%02x%02x", g[i], g[i+1]))
	}
	return strings.Join(parts, ":")
}
