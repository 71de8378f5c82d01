package hostcheck

import (
	"path/filepath"
	"strings"
)

// checkAdapters says which adapters there are.
func (c *checker) checkAdapters() {
	f := Finding{Check: Adapter}
	for i := range c.adapters {
		f.Evidence = append(f.Evidence, c.adapters[i].String())
	}
	f.Evidence = bounded(f.Evidence)
	switch {
	case len(c.adapters) > 0:
		f.Text = "The host has " + count(len(c.adapters), "RDMA adapter") + "."
	case len(c.devices) > 0:
		f.Severity, f.Text = Note, "No RDMA adapter is on the PCI bus: the devices are made by software, or the bus is not shown here."
		f.Evidence = []string{c.noAdapter()}
	default:
		f.Severity, f.Text = Warning, "No RDMA adapter is on the PCI bus."
		f.Evidence = []string{c.noAdapter()}
		f.Remedy = []string{
			"lspci -nn | grep -i -e infiniband -e mellanox  # is it seen at all?",
			"# if not: is it seated, is its slot on in the firmware setup; in a virtual machine, is it passed through?",
		}
	}
	c.add(f)
}

func (c *checker) noAdapter() string {
	dir := c.host.sys("bus/pci/devices")
	if there, why := exists(dir); !there {
		return why
	}
	return dir + ": no InfiniBand controller (class 0x0207) and no known RDMA adapter"
}

// checkDrivers says of each adapter whether it has become an RDMA device. One
// finding stands for all that are as they should be.
func (c *checker) checkDrivers() {
	var good []string
	for i := range c.adapters {
		a := &c.adapters[i]
		switch {
		case a.hasRDMA || c.hasDeviceAt(a.address):
			good = append(good, a.String())
		case a.isGivenAway():
			c.add(Finding{
				Check: Driver, Severity: Note,
				Text:     "The adapter at " + a.address + " is given to a virtual machine or a program.",
				Evidence: []string{a.String()},
			})
		case a.bound == "":
			c.add(c.noDriver(a))
		default:
			c.add(c.noRDMADevice(a))
		}
	}
	if len(good) > 0 {
		c.add(Finding{Check: Driver, Text: count(len(good), "adapter") + " with a driver and an RDMA device.", Evidence: bounded(good)})
	}
}

// hasDeviceAt reports whether an RDMA device belongs to that PCI function.
func (c *checker) hasDeviceAt(address string) bool {
	for _, d := range c.devices {
		if d.PCI.Address == address {
			return true
		}
	}
	return false
}

// without is how bad it is to be without one adapter's devices.
func (c *checker) without() Severity {
	if len(c.devices) > 0 {
		return Warning
	}
	return Failure
}

// noDriver is about an adapter that no driver has taken.
func (c *checker) noDriver(a *adapter) Finding {
	f := Finding{
		Check: Driver, Severity: c.without(),
		Text:     "The adapter at " + a.address + " has no driver.",
		Evidence: []string{a.String()},
	}
	if a.driver.name == "" {
		f.Remedy = []string{
			"modprobe -R $(cat " + c.host.sys("bus/pci/devices/"+a.address+"/modalias") + ")  # names the driver, if this kernel has one",
		}
		return f
	}
	f.Text = "The adapter at " + a.address + " has no driver: it needs " + a.driver.name + "."
	loaded, why := exists(c.host.sys("module/" + a.driver.name))
	f.Evidence = append(f.Evidence, why)
	if loaded {
		f.Remedy = []string{
			"dmesg | grep -i -e " + a.driver.name + " -e " + a.address + "  # why did it not take the adapter?",
			"echo " + a.address + " >/sys/bus/pci/drivers/" + a.driver.name + "/bind",
		}
		return f
	}
	f.Remedy = load(a.driver.modules)
	return f
}

// noRDMADevice is about an adapter whose driver has made no RDMA device.
func (c *checker) noRDMADevice(a *adapter) Finding {
	f := Finding{
		Check: Driver, Severity: c.without(),
		Text:     "The adapter at " + a.address + " has a driver, " + a.bound + ", but no RDMA device.",
		Evidence: []string{a.String(), c.host.sys("bus/pci/devices/"+a.address) + "/infiniband: no such directory"},
	}
	if a.driver.name == "" {
		f.Remedy = []string{"dmesg | grep -i -e " + a.bound + " -e " + a.address}
		return f
	}
	module := a.driver.rdmaModule()
	loaded, why := exists(c.host.sys(filepath.Join("module", module)))
	f.Evidence = append(f.Evidence, why)
	if !loaded {
		f.Text = strings.TrimSuffix(f.Text, ".") + ": the module " + module + " is not loaded."
		f.Remedy = load(module)
		return f
	}
	f.Remedy = []string{
		"dmesg | grep -i -e " + a.driver.name + " -e " + module + "  # firmware that does not start, or is too old?",
		"devlink dev param show pci/" + a.address + " name enable_rdma  # is RDMA turned off?",
	}
	return f
}

// load are commands that load modules, now and at each boot.
func load(modules string) []string {
	first, _, _ := strings.Cut(modules, " ")
	return []string{
		"modprobe -a " + modules + "  # on the host; if it is not found, install the full kernel package or the vendor's driver",
		"printf '%s\\n' " + modules + " >/etc/modules-load.d/" + first + ".conf  # at each boot",
	}
}
