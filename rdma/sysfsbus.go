package rdma

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
)

// pciAddress is the name of a PCI function: domain, bus, device and function.
var pciAddress = regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)

// readHardware reads about the bus device below. Software devices have none, and
// nothing of it is needed to use a device: what is missing is not a fault.
func (d *Device) readHardware(top, dd *dir, f *faults) {
	at, err := dd.resolve("device")
	if err != nil {
		at = dd.path // the path says as much, when it is a real one
	}
	d.readNetDevs(top, at+"/net")
	// The classes may be missing where the bus is not, in a copied tree.
	files := newDeviceFiles()
	files.read(top, at+"/infiniband_verbs", f)
	files.read(top, at+"/infiniband_mad", f)
	files.assign(d)
	if driver, err := top.root.Readlink(at + "/driver"); err == nil {
		d.Driver = path.Base(driver)
	}
	// An auxiliary device sits one level below its PCI function.
	for ; at != "." && at != "/"; at = path.Dir(at) {
		if pciAddress.MatchString(path.Base(at)) {
			d.readPCI(top, at)
			return
		}
	}
}

// arpInfiniBand is the type of IPoIB network devices (ARPHRD_INFINIBAND).
const arpInfiniBand = 32

// readNetDevs lists the network devices of the bus device, and ties those of
// IPoIB to their ports. In natural order ib0 comes before its children ib0.8001.
func (d *Device) readNetDevs(top *dir, at string) {
	entries, err := top.list(at, maxDevices)
	if err != nil {
		return
	}
	var found []string
	for _, e := range entries {
		found = append(found, e.Name())
	}
	slices.SortFunc(found, compareNatural)
	d.NetDevs = append(d.NetDevs, found...)
	number := func(name string) (int, bool) {
		s, err := top.text(at + "/" + name)
		if err != nil {
			return 0, false
		}
		v, err := leadingNumber(s, 16)
		return int(v), err == nil
	}
	for _, name := range found {
		if kind, _ := number(name + "/type"); kind != arpInfiniBand {
			continue
		}
		if port, ok := number(name + "/dev_port"); ok { // from 0
			if p, ok := d.Port(port + 1); ok {
				p.NetDev = cmp.Or(p.NetDev, name)
			}
		}
	}
}

func (d *Device) readPCI(top *dir, at string) {
	number := func(name string, bits int) uint64 {
		s, err := top.text(at + "/" + name)
		if err != nil {
			return 0
		}
		v, _ := leadingNumber(s, bits)
		return v
	}
	d.PCI = PCI{
		Address:         path.Base(at),
		Vendor:          uint16(number("vendor", 16)),
		Device:          uint16(number("device", 16)),
		SubsystemVendor: uint16(number("subsystem_vendor", 16)),
		SubsystemDevice: uint16(number("subsystem_device", 16)),
	}
	_, err := top.root.Lstat(at + "/physfn")
	d.PCI.Virtual = err == nil
	if s, err := top.text(at + "/numa_node"); err == nil {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			d.NUMANode = n
		}
	}
}
