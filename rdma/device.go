package rdma

import (
	"path"

	"github.com/ibscope/ibscope/ib"
)

// Device is an RDMA device. A text that the kernel does not have is "", and so is
// one that could not be read: the error of Devices tells which.
type Device struct {
	Name            string // "mlx5_0"
	Index           int    // the kernel's number of the device, -1 without netlink
	NodeType        NodeType
	Protocol        string // netlink's word: "ib", "roce", "iw", "opa", "usnic", "efa"
	NodeGUID        ib.GUID
	SystemImageGUID ib.GUID
	NodeDescription string

	Firmware         string // "20.31.1014"; "" for software devices
	HardwareRevision string // "0", "1a0"
	HCAType          string // "MT4123"
	BoardID          string // the PSID of Mellanox adapters, "MT_0000000223"
	CapFlags         uint64 // device capabilities, as in ib_device_attr; 0 without netlink

	Driver     string // of the bus device, "mlx5_core"; "" for software devices
	RDMADriver string // as netlink names it, "mlx5", "rxe"; "" when unknown
	Parent     string // netlink's parent of a device made by "rdma dev add"; "" for most
	PCI        PCI    // zero for software devices
	NUMANode   int    // -1 when there is none

	UverbsName string   // "uverbs0"; "" without the ib_uverbs module
	NetDevs    []string // network devices of the same hardware, natural order

	Ports   []*Port // by number
	Sources Sources

	host Host
	dir  string // below the root of sysfs, "" when only netlink knows the device
}

// PCI is the PCI function of a device.
type PCI struct {
	Address         string // "0000:82:00.0"
	Vendor, Device  uint16
	SubsystemVendor uint16
	SubsystemDevice uint16
	Virtual         bool // a virtual function whose physical function this host has
}

// Sources is where the facts about a device come from.
type Sources uint8

// The sources.
const (
	FromSysfs Sources = 1 << iota
	FromNetlink
)

// Transport is the transport that the device speaks.
func (d *Device) Transport() Transport { return d.NodeType.Transport() }

// Port is the port with that number.
func (d *Device) Port(num int) (*Port, bool) {
	for _, p := range d.Ports {
		if p.Num == num {
			return p, true
		}
	}
	return nil, false
}

// UverbsPath is the device file for verbs, "/dev/infiniband/uverbs0"; "" when
// there is none. It may be missing in a container all the same.
func (d *Device) UverbsPath() string { return d.host.deviceFile(d.UverbsName) }

// SysfsPath is the directory of the device, "/sys/class/infiniband/mlx5_0"; ""
// when only netlink knows the device.
func (d *Device) SysfsPath() string {
	if d.dir == "" {
		return ""
	}
	return path.Join(d.host.sys(), classInfiniBand, d.Name)
}
