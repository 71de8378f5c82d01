package hostcheck

// Check names one thing that is looked at. The names do not change.
type Check string

// Checks of the host, in the order of the report.
const (
	Adapter     Check = "adapter"      // there is an adapter on the PCI bus
	Driver      Check = "driver"       // each adapter has a driver, and that has made an RDMA device
	KernelRDMA  Check = "kernel-rdma"  // the kernel has RDMA
	NetNSMode   Check = "netns-mode"   // network namespaces share the devices
	Device      Check = "device"       // there is an RDMA device, or the one that was asked for
	DeviceRead  Check = "device-read"  // all about the devices can be read
	UmadModule  Check = "umad-module"  // ib_umad is loaded: user programs can send MADs
	UmadABI     Check = "umad-abi"     // its interface is recent enough
	VerbsModule Check = "verbs-module" // ib_uverbs is loaded: user programs can use verbs
	IPoIBModule Check = "ipoib-module" // ib_ipoib is loaded: IP over InfiniBand
	MemoryLock  Check = "memory-lock"  // programs may lock memory for verbs
	LinkLayer   Check = "link-layer"   // there are InfiniBand ports, and no others beside them
	Firmware    Check = "firmware"     // boards of one kind have one firmware
)

// Checks of a device.
const (
	NodeType  Check = "node-type"  // the device has management ports
	VerbsFile Check = "verbs-file" // its verbs device file opens
)

// Checks of a port.
const (
	PortLink  Check = "port-link"  // the physical link is up
	PortState Check = "port-state" // a subnet manager has brought the port up
	LID       Check = "lid"        // the port has a LID
	PKey      Check = "p-key"      // the port is in a partition, the default one above all
	UmadFile  Check = "umad-file"  // its device file for MADs opens
	SMI       Check = "smi"        // it has a subnet management interface, which answers
	Neighbour Check = "neighbour"  // the other end of the cable answers
	MKey      Check = "m-key"      // no M_Key hides attributes
	LinkRate  Check = "link-rate"  // the link is as wide and fast as both ends support
	SM        Check = "sm"         // the subnet manager answers
)

// Checks lists all checks in the order of the report.
func Checks() []Check {
	return []Check{
		Adapter, Driver, KernelRDMA, NetNSMode, Device, DeviceRead, UmadModule, UmadABI, VerbsModule,
		IPoIBModule, MemoryLock, LinkLayer, Firmware,
		NodeType, VerbsFile,
		PortLink, PortState, LID, PKey, UmadFile, SMI, Neighbour, MKey, LinkRate, SM,
	}
}
