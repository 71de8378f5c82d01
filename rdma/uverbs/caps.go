package uverbs

import (
	"math/bits"
	"strconv"

	"github.com/ibscope/ibscope/ib"
)

// DeviceCaps are the capabilities of a device: device_cap_flags or
// device_cap_flags_ex of libibverbs.
type DeviceCaps uint64

// deviceCapNames are libibverbs' names without their prefix, by bit.
var deviceCapNames = [64]string{
	0: "RESIZE_MAX_WR", 1: "BAD_PKEY_CNTR", 2: "BAD_QKEY_CNTR", 3: "RAW_MULTI", 4: "AUTO_PATH_MIG",
	5: "CHANGE_PHY_PORT", 6: "UD_AV_PORT_ENFORCE", 7: "CURR_QP_STATE_MOD", 8: "SHUTDOWN_PORT",
	9: "INIT_TYPE", 10: "PORT_ACTIVE_EVENT", 11: "SYS_IMAGE_GUID", 12: "RC_RNR_NAK_GEN",
	13: "SRQ_RESIZE", 14: "N_NOTIFY_CQ", 17: "MEM_WINDOW", 18: "UD_IP_CSUM", 20: "XRC",
	21: "MEM_MGT_EXTENSIONS", 23: "MEM_WINDOW_TYPE_2A", 24: "MEM_WINDOW_TYPE_2B", 25: "RC_IP_CSUM",
	26: "RAW_IP_CSUM", 29: "MANAGED_FLOW_STEERING", 34: "RAW_SCATTER_FCS", 36: "PCI_WRITE_END_PADDING",
}

// Names lists the capabilities that have a name, lowest bit first, and gives the
// bits that have none.
func (c DeviceCaps) Names() (names []string, unknown DeviceCaps) {
	names, rest := bitNames(uint64(c), deviceCapNames[:])
	return names, DeviceCaps(rest)
}

// ODPTransportCaps are the operations of a transport that on-demand paging
// works with.
type ODPTransportCaps uint32

var odpNames = []string{"SEND", "RECV", "WRITE", "READ", "ATOMIC", "SRQ"}

// Names lists the operations as DeviceCaps.Names does.
func (c ODPTransportCaps) Names() (names []string, unknown ODPTransportCaps) {
	names, rest := bitNames(uint64(c), odpNames)
	return names, ODPTransportCaps(rest)
}

// RawPacketCaps are the capabilities of raw packet QPs.
type RawPacketCaps uint32

// The capabilities of raw packet QPs.
const (
	RawCVLANStripping RawPacketCaps = 1 << iota
	RawScatterFCS
	RawIPChecksum
	RawDelayDrop
)

// QPTypes is a set of QP types, a bit for each: 1 << ibv_qp_type.
type QPTypes uint32

// The QP types that capabilities are told for.
const (
	QPRC        QPTypes = 1 << 2
	QPUC        QPTypes = 1 << 3
	QPUD        QPTypes = 1 << 4
	QPRawPacket QPTypes = 1 << 8
)

// bitNames splits a mask into the names of its bits and what has no name.
func bitNames(mask uint64, table []string) (names []string, unknown uint64) {
	for bit := range 64 {
		switch {
		case mask>>bit&1 == 0:
		case bit < len(table) && table[bit] != "":
			names = append(names, table[bit])
		default:
			unknown |= 1 << bit
		}
	}
	return names, unknown
}

// AtomicCap is the scope of atomic operations.
type AtomicCap uint32

var atomicNames = []string{"none", "HCA", "global"}

// String is "none", "HCA", "global" or "unknown (N)".
func (c AtomicCap) String() string { return name(atomicNames, uint32(c)) }

// LinkLayer is the link layer of a port.
type LinkLayer uint8

// The link layers. A driver that leaves it unspecified has InfiniBand ports.
const (
	LinkUnspecified LinkLayer = 0
	LinkInfiniBand  LinkLayer = 1
	LinkEthernet    LinkLayer = 2
)

var linkLayerNames = []string{"unspecified", "InfiniBand", "Ethernet"}

// String is "unspecified", "InfiniBand", "Ethernet" or "unknown (N)".
func (l LinkLayer) String() string { return name(linkLayerNames, uint32(l)) }

// GIDType is what packets with a GID look like.
type GIDType uint32

// The GID types.
const (
	GIDTypeIB     GIDType = 0
	GIDTypeRoCEv1 GIDType = 1
	GIDTypeRoCEv2 GIDType = 2
)

var gidTypeNames = []string{"IB", "RoCE v1", "RoCE v2"}

// String is "IB", "RoCE v1", "RoCE v2" or "unknown (N)".
func (t GIDType) String() string { return name(gidTypeNames, uint32(t)) }

func name(names []string, code uint32) string {
	if uint64(code) < uint64(len(names)) {
		return names[code]
	}
	return "unknown (" + strconv.FormatUint(uint64(code), 10) + ")"
}

// Speed is the kernel's code of a lane speed, which is not that of PortInfo.
type Speed uint32

// linkSpeeds are the speeds by the number of the bit that is their code.
var linkSpeeds = [...]ib.LinkSpeed{
	ib.SpeedSDR, ib.SpeedDDR, ib.SpeedQDR, ib.SpeedFDR10, ib.SpeedFDR,
	ib.SpeedEDR, ib.SpeedHDR, ib.SpeedNDR, ib.SpeedXDR,
}

// LinkSpeed is the speed, 0 for a code that is not known.
func (s Speed) LinkSpeed() ib.LinkSpeed {
	bit := bits.TrailingZeros32(uint32(s))
	if bit >= len(linkSpeeds) || s != 1<<bit {
		return 0
	}
	return linkSpeeds[bit]
}

// String is that of ib.LinkSpeed, or "unknown (N)".
func (s Speed) String() string {
	if l := s.LinkSpeed(); l != 0 {
		return l.String()
	}
	return "unknown (" + strconv.FormatUint(uint64(s), 10) + ")"
}
