package rdma

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

// isPCIAddress tells the name of a PCI function, 0000:82:00.1: domain, bus,
// device and function.
func isPCIAddress(name string) bool {
	domain, rest, _ := strings.Cut(name, ":")
	if len(domain) < 4 || len(domain) > 8 || len(rest) != len("82:00.1") || rest[2] != ':' || rest[5] != '.' {
		return false
	}
	return isHex(domain) && isHex(rest[:2]) && isHex(rest[3:5]) && rest[6] >= '0' && rest[6] <= '7'
}

// isHex tells lower-case hexadecimal digits.
func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

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
	if driver, err := top.in.readlink(at + "/driver"); err == nil {
		d.Driver = path.Base(driver)
	}
	// An auxiliary device sits one level below its PCI function.
	for ; at != "." && at != "/"; at = path.Dir(at) {
		if isPCIAddress(path.Base(at)) {
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
	d.PCI.Virtual = top.in.exists(at + "/physfn")
	if s, err := top.text(at + "/numa_node"); err == nil {
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			d.NUMANode = n
		}
	}
}
