package uverbs

import (
	"structs"
	"unsafe"
)

// Numbers of <rdma/rdma_user_ioctl_cmds.h>, <rdma/ib_user_ioctl_cmds.h> and
// <rdma/ib_user_verbs.h>.
const (
	verbsIoctl = 0xc0181b01 // RDMA_VERBS_IOCTL

	flagMandatory = 1 // UVERBS_ATTR_F_MANDATORY

	objectDevice = 0

	methodInvokeWrite   = 0
	methodQueryPort     = 2
	methodGetContext    = 3
	methodQueryGIDTable = 5
	methodQueryGIDEntry = 6

	// Attributes that driver data goes by, in any method.
	attrDriverIn  = 0x1000
	attrDriverOut = 0x1001

	// Attributes of methodInvokeWrite.
	attrCoreIn   = 0
	attrCoreOut  = 1
	attrWriteCmd = 2

	attrPortNum      = 0 // of methodQueryPort
	attrPortResponse = 1

	attrCompVectors = 0 // of methodGetContext
	attrCoreSupport = 1

	attrTableEntrySize = 0 // of methodQueryGIDTable
	attrTableFlags     = 1
	attrTableEntries   = 2
	attrTableCount     = 3

	attrEntryPort  = 0 // of methodQueryGIDEntry
	attrEntryIndex = 1
	attrEntryFlags = 2
	attrEntry      = 3

	cmdGetContext    = 0
	cmdQueryDevice   = 1
	cmdQueryPort     = 2
	cmdExQueryDevice = 0x80000000 | cmdQueryDevice
)

// The structures below have no hidden padding: all members lie at multiples of
// their size on every architecture, as the kernel demands of its interface.

// ioctlHeader is struct ib_uverbs_ioctl_hdr without its attributes.
type ioctlHeader struct {
	_         structs.HostLayout
	Length    uint16 // with the attributes
	Object    uint16
	Method    uint16
	NumAttrs  uint16
	Reserved1 uint64
	Driver    uint32
	Reserved2 uint32
}

// ioctlAttr is struct ib_uverbs_attr.
type ioctlAttr struct {
	_        structs.HostLayout
	ID       uint16
	Len      uint16
	Flags    uint16
	Reserved uint16
	Data     uint64 // the value, or a pointer to it
}

// queryDeviceResponse is struct ib_uverbs_query_device_resp.
type queryDeviceResponse struct {
	_                    structs.HostLayout
	Firmware             uint64
	NodeGUID             [8]byte // big endian
	SystemImageGUID      [8]byte
	MaxMRSize            uint64
	PageSizes            uint64
	VendorID             uint32
	VendorPartID         uint32
	HardwareVersion      uint32
	MaxQP                uint32
	MaxQPWR              uint32
	Caps                 uint32
	MaxSGE               uint32
	MaxSGERead           uint32
	MaxCQ                uint32
	MaxCQE               uint32
	MaxMR                uint32
	MaxPD                uint32
	MaxQPReadAtomic      uint32
	MaxEEReadAtomic      uint32
	MaxResReadAtomic     uint32
	MaxQPInitReadAtomic  uint32
	MaxEEInitReadAtomic  uint32
	AtomicCap            uint32
	MaxEE                uint32
	MaxRDD               uint32
	MaxMW                uint32
	MaxRawIPv6QP         uint32
	MaxRawEthernetQP     uint32
	MaxMulticastGroups   uint32
	MaxMulticastAttach   uint32
	MaxMulticastQPAttach uint32
	MaxAH                uint32
	MaxFMR               uint32
	MaxMapPerFMR         uint32
	MaxSRQ               uint32
	MaxSRQWR             uint32
	MaxSRQSGE            uint32
	MaxPKeys             uint16
	LocalAckDelay        uint8
	PhysicalPorts        uint8
	Reserved             [4]uint8
}

// exQueryDeviceResponse is struct ib_uverbs_ex_query_device_resp. A kernel fills
// in the first ResponseLength bytes.
type exQueryDeviceResponse struct {
	_              structs.HostLayout
	Base           queryDeviceResponse
	CompMask       uint32
	ResponseLength uint32

	ODPGeneral  uint64
	ODPRC       uint32
	ODPUC       uint32
	ODPUD       uint32
	ODPReserved uint32

	TimestampMask uint64
	CoreClock     uint64
	CapsEx        uint64

	RSSQPTypes       uint32
	RSSMaxTables     uint32
	RSSMaxTableSize  uint32
	RSSReserved      uint32
	MaxWQTypeRQ      uint32
	RawPacketCaps    uint32
	TMMaxRndvHeader  uint32
	TMMaxTags        uint32
	TMFlags          uint32
	TMMaxOps         uint32
	TMMaxSGE         uint32
	TMReserved       uint32
	CQMaxCount       uint16
	CQMaxPeriod      uint16
	CQReserved       uint32
	MaxDeviceMemory  uint64
	ODPXRC           uint32
	TrailingReserved uint32
}

// queryPortResponse is struct ib_uverbs_query_port_resp_ex. The first 40 bytes
// are struct ib_uverbs_query_port_resp.
type queryPortResponse struct {
	_              structs.HostLayout
	CapMask        uint32
	MaxMessageSize uint32
	BadPKeys       uint32
	BadQKeys       uint32
	GIDTableLen    uint32
	PKeyTableLen   uint16
	LID            uint16
	SMLID          uint16
	State          uint8
	MaxMTU         uint8
	ActiveMTU      uint8
	LMC            uint8
	MaxVL          uint8
	SMSL           uint8
	SubnetTimeout  uint8
	InitTypeReply  uint8
	ActiveWidth    uint8
	ActiveSpeed    uint8
	PhysState      uint8
	LinkLayer      uint8
	Flags          uint8
	Reserved       uint8
	CapMask2       uint16
	Reserved2      [2]uint8
	ActiveSpeedEx  uint32 // 0 before Linux 6.17
}

// legacyPortLen is the size of struct ib_uverbs_query_port_resp.
const legacyPortLen = 40

// gidEntry is struct ib_uverbs_gid_entry.
type gidEntry struct {
	_           structs.HostLayout
	GID         [16]byte
	Index       uint32
	Port        uint32
	Type        uint32
	NetDevIndex uint32
}

// bytesOf is the memory of a structure, for the kernel to read or to fill.
func bytesOf[T any](p *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(p)), unsafe.Sizeof(*p))
}
