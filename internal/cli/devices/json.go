package devices

import (
	"strconv"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma"
)

// Identity of the schema; docs/json.md describes it.
const (
	schema  = "ibscope.devices"
	version = 1
)

type jsonDocument struct {
	Schema   string        `json:"schema"`
	Version  int           `json:"version"`
	Read     string        `json:"read"`
	Complete bool          `json:"complete"`
	Devices  []jsonDevice  `json:"devices"`
	Problems []jsonProblem `json:"problems"`
}

type jsonDevice struct {
	Name             string        `json:"name"`
	Index            *int          `json:"index,omitempty"`
	NodeType         string        `json:"node_type,omitempty"`
	Transport        string        `json:"transport,omitempty"`
	Protocol         string        `json:"protocol,omitempty"`
	NodeGUID         ib.GUID       `json:"node_guid,omitzero"`
	SystemImageGUID  ib.GUID       `json:"system_image_guid,omitzero"`
	Description      string        `json:"description,omitempty"`
	Firmware         string        `json:"firmware,omitempty"`
	HardwareRevision string        `json:"hardware_revision,omitempty"`
	HCAType          string        `json:"hca_type,omitempty"`
	BoardID          string        `json:"board_id,omitempty"`
	CapabilityFlags  string        `json:"capability_flags,omitempty"`
	Driver           string        `json:"driver,omitempty"`
	RDMADriver       string        `json:"rdma_driver,omitempty"`
	Parent           string        `json:"parent,omitempty"`
	PCI              *jsonPCI      `json:"pci,omitempty"`
	NUMANode         *int          `json:"numa_node,omitempty"`
	Uverbs           string        `json:"uverbs,omitempty"`
	NetDevs          []string      `json:"netdevs,omitempty"`
	Sysfs            string        `json:"sysfs,omitempty"`
	Sources          []string      `json:"sources"`
	HWCounters       *jsonCounters `json:"hw_counters,omitempty"`
	Ports            []jsonPort    `json:"ports"`
}

type jsonPCI struct {
	Address           string `json:"address"`
	VendorID          string `json:"vendor_id"`
	DeviceID          string `json:"device_id"`
	SubsystemVendorID string `json:"subsystem_vendor_id"`
	SubsystemDeviceID string `json:"subsystem_device_id"`
	Virtual           bool   `json:"virtual"`
}

type jsonProblem struct {
	Message   string `json:"message"`
	Device    string `json:"device,omitempty"`
	Port      int    `json:"port,omitempty"`
	Attribute string `json:"attribute,omitempty"`
	File      string `json:"file,omitempty"`
	Error     string `json:"error"`
}

func (v *view) document(now time.Time, problems []*rdma.Error) *jsonDocument {
	doc := &jsonDocument{
		Schema: schema, Version: version, Read: now.UTC().Format(time.RFC3339), Complete: len(problems) == 0,
		Devices: make([]jsonDevice, 0, len(v.devices)), Problems: make([]jsonProblem, 0, len(problems)),
	}
	for _, d := range v.devices {
		doc.Devices = append(doc.Devices, v.device(d))
	}
	for _, p := range problems {
		doc.Problems = append(doc.Problems, jsonProblem{p.Error(), p.Device, p.Port, p.Attribute, p.Path, p.Err.Error()})
	}
	return doc
}

func (v *view) device(d *rdma.Device) jsonDevice {
	j := jsonDevice{
		Name: d.Name, Index: unlessNegative(d.Index), Protocol: d.Protocol,
		NodeGUID: d.NodeGUID, SystemImageGUID: d.SystemImageGUID, Description: d.NodeDescription,
		Firmware: d.Firmware, HardwareRevision: d.HardwareRevision, HCAType: d.HCAType, BoardID: d.BoardID,
		Driver: d.Driver, RDMADriver: d.RDMADriver, Parent: d.Parent, NUMANode: unlessNegative(d.NUMANode),
		Uverbs: d.UverbsPath(), NetDevs: d.NetDevs, Sysfs: d.SysfsPath(), Sources: sources(d.Sources),
		Ports: make([]jsonPort, 0, len(d.Ports)),
	}
	if d.NodeType != rdma.NodeUnknown {
		j.NodeType, j.Transport = d.NodeType.String(), d.Transport().String()
	}
	if d.CapFlags != 0 {
		j.CapabilityFlags = hex(d.CapFlags, 16)
	}
	if d.PCI.Address != "" {
		j.PCI = &jsonPCI{
			d.PCI.Address, hex(uint64(d.PCI.Vendor), 4), hex(uint64(d.PCI.Device), 4),
			hex(uint64(d.PCI.SubsystemVendor), 4), hex(uint64(d.PCI.SubsystemDevice), 4), d.PCI.Virtual,
		}
	}
	if c, ok := v.own[d]; ok {
		j.HWCounters = jsonCountersOf(c.driver)
	}
	for _, p := range d.Ports {
		j.Ports = append(j.Ports, v.port(p))
	}
	return j
}

func sources(s rdma.Sources) []string {
	list := []string{}
	if s&rdma.FromSysfs != 0 {
		list = append(list, "sysfs")
	}
	if s&rdma.FromNetlink != 0 {
		list = append(list, "netlink")
	}
	return list
}

func unlessNegative(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// hex is a number as 0x and at least that many digits.
func hex(v uint64, digits int) string {
	s := strconv.FormatUint(v, 16)
	for len(s) < digits {
		s = "0" + s
	}
	return "0x" + s
}
