package uverbs

import (
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// Attributes is all that is known of a device.
type Attributes struct {
	Name      string
	Transport rdma.Transport
	Driver    string // "mlx5", "rxe"; "" when unknown

	// Device is nil when the kernel gave no context; rdma.Device then has what is
	// known without one.
	Device *DeviceAttributes
	Ports  []Port // by number
}

// Port is a port with its tables.
type Port struct {
	Num        int
	Attributes *PortAttributes  // nil when the kernel gave no context
	GIDs       []GID            // the entries in use, by index
	PKeys      []rdma.PKeyEntry // the entries in use, by index
}

// DeviceAttributes is struct ibv_device_attr_ex. Limits are numbers of objects,
// unless they say otherwise.
type DeviceAttributes struct {
	Firmware        string // in the words of libibverbs, "20.31.1014"; "" when the driver tells none
	NodeGUID        ib.GUID
	SystemImageGUID ib.GUID
	VendorID        uint32
	VendorPartID    uint32
	HardwareVersion uint32
	PhysicalPorts   int // 0–255

	MaxMRSize uint64     // bytes
	PageSizes uint64     // a bit for each size
	Caps      DeviceCaps // the low 32 bits
	CapsEx    DeviceCaps // all of them; 0 when the kernel does not know the upper half

	MaxQP, MaxQPWR              uint32
	MaxSGE, MaxSGERead          uint32
	MaxCQ, MaxCQE               uint32
	MaxMR, MaxPD                uint32
	MaxQPReadAtomic             uint32 // requests outstanding at a QP as target
	MaxEEReadAtomic             uint32
	MaxResReadAtomic            uint32 // at the device
	MaxQPInitReadAtomic         uint32 // at a QP as initiator
	MaxEEInitReadAtomic         uint32
	AtomicCap                   AtomicCap
	MaxEE, MaxRDD, MaxMW        uint32
	MaxRawIPv6QP                uint32
	MaxRawEthernetQP            uint32
	MaxMulticastGroups          uint32
	MaxMulticastAttach          uint32 // QPs of one group
	MaxMulticastQPAttach        uint32 // QPs of all groups
	MaxAH, MaxFMR, MaxMapPerFMR uint32
	MaxSRQ, MaxSRQWR, MaxSRQSGE uint32
	MaxPKeys                    uint16
	LocalAckDelay               uint8 // 4.096 µs × 2^n

	ODP           ODPCaps
	TimestampMask uint64 // of completions; 0 for none
	CoreClock     uint64 // kHz, 0 for none
	RawPacket     RawPacketCaps
	TSO           TSOCaps
	RSS           RSSCaps
	MaxWQTypeRQ   uint32
	PacketPacing  PacketPacingCaps
	TagMatching   TagMatchingCaps
	CQModeration  CQModerationCaps

	MaxDeviceMemory uint64 // bytes
	CompVectors     uint32
}

// ODPCaps is what on-demand paging works with.
type ODPCaps struct {
	General         uint64 // 1: at all, 2: implicit
	RC, UC, UD, XRC ODPTransportCaps
}

// TSOCaps is TCP segmentation offload.
type TSOCaps struct {
	MaxSize uint32 // bytes, 0 for none
	QPTypes QPTypes
}

// RSSCaps is receive side scaling.
type RSSCaps struct {
	MaxTables, MaxTableSize uint32
	HashFunctions           uint8
	HashFields              uint64
	QPTypes                 QPTypes
}

// PacketPacingCaps is the range of rate limits in kbit/s.
type PacketPacingCaps struct {
	Min, Max uint32
	QPTypes  QPTypes
}

// TagMatchingCaps is tag matching; there is none when MaxTags is 0.
type TagMatchingCaps struct {
	MaxRndvHeader uint32 // bytes
	MaxTags       uint32
	MaxOps        uint32
	MaxSGE        uint32
	Flags         uint32 // 1: RC
}

// CQModerationCaps is the moderation of completions.
type CQModerationCaps struct {
	MaxCount  uint16
	MaxPeriod uint16 // µs
}

// PortAttributes is struct ibv_port_attr.
type PortAttributes struct {
	State         ib.PortState
	MaxMTU        ib.MTU
	ActiveMTU     ib.MTU
	LID, SMLID    ib.LID
	LMC           uint8
	LinkLayer     LinkLayer
	MaxMessage    uint32 // bytes
	CapMask       rdma.CapMask
	CapMask2      rdma.CapMask2
	MaxVL         ib.VLCap
	BadPKeys      uint32 // packets
	BadQKeys      uint32
	SMSL          uint8
	PKeyTableLen  uint16
	GIDTableLen   uint32
	SubnetTimeout uint8
	InitTypeReply uint8
	ActiveWidth   ib.LinkWidth
	ActiveSpeed   Speed
	PhysState     ib.PhysState
	GRHRequired   bool
}

// GID is an entry of a port's GID table.
type GID struct {
	Index       int
	GID         ib.GID
	Type        GIDType
	NetDevIndex int // of the network device, 0 for none
}
