package mlnx

// DeviceIS3 is the switch of the third generation (InfiniScale III), which has
// its PortXmitWait counters in the configuration space.
const DeviceIS3 = 47396

// XmitWaitPorts is how many ports that switch has.
const XmitWaitPorts = 24

// Where the counters are: one port behind the other, port 4 first, and 1 to 3 at
// the end.
const (
	xmitWaitBase   = 0x10113c
	xmitWaitStep   = 0x1000
	xmitWaitOffset = 3
)

// XmitWaitPort is the port of the nth counter in the configuration space, 0 to
// XmitWaitPorts-1.
func XmitWaitPort(n int) int { return (n+xmitWaitOffset)%XmitWaitPorts + 1 }

// XmitWaitAddress is the address of the nth counter.
func XmitWaitAddress(n int) uint32 { return xmitWaitBase + uint32(n)*xmitWaitStep }
