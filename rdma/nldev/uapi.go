package nldev

// family is NETLINK_RDMA.
const family = 20

// What frames messages, from linux/netlink.h.
const (
	typeNoop  = 1
	typeError = 2 // or an acknowledgement
	typeDone  = 3

	flagRequest     = 1
	flagMulti       = 2 // more messages follow, and one of typeDone
	flagInterrupted = 0x10
	flagDump        = 0x300
)

// client is RDMA_NL_NLDEV, which stands in the upper bits of message types.
const (
	client      = 5
	clientShift = 10
)

// command is enum rdma_nldev_command.
type command uint16

const (
	cmdGet        command = 1
	cmdPortGet    command = 5
	cmdSysGet     command = 6
	cmdGetCharDev command = 15
	cmdStatGet    command = 17
)

// messageType is RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, c).
func (c command) messageType() uint16 { return client<<clientShift | uint16(c) }

// Attributes, enum rdma_nldev_attr.
const (
	attrDevIndex       = 1
	attrDevName        = 2
	attrPortIndex      = 3
	attrCapFlags       = 4
	attrFirmware       = 5
	attrNodeGUID       = 6
	attrSysImageGUID   = 7
	attrSubnetPrefix   = 8
	attrLID            = 9
	attrSMLID          = 10
	attrLMC            = 11
	attrPortState      = 12
	attrPortPhysState  = 13
	attrNodeType       = 14
	attrNetDevIndex    = 50
	attrNetDevName     = 51
	attrNetNSMode      = 66
	attrProtocol       = 67
	attrCharDevType    = 69
	attrCharDevName    = 70
	attrCharDevABI     = 71
	attrCharDev        = 72
	attrDriverID       = 73
	attrHWCounters     = 80
	attrHWCounter      = 81
	attrHWCounterName  = 82
	attrHWCounterValue = 83
	attrAdaptiveMod    = 84
	attrCopyOnFork     = 93
	attrPrivilegedQKey = 96
	attrDeviceType     = 99
	attrParentName     = 100
	attrMonitorMode    = 103
)
