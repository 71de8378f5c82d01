package hostcheck

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// adapter is a PCI function that exists for RDMA.
type adapter struct {
	address        string // "0000:82:00.0"
	vendor, device uint16
	class          uint32
	driver         driver // that it should have; zero when not known
	bound          string // the driver that it has; "" for none
	hasRDMA        bool   // it has made an RDMA device
}

// Bounds of what is read.
const (
	maxFunctions = 65536
	maxFile      = 65536
)

// classInfiniBand is the PCI class 02.07, an InfiniBand controller.
const classInfiniBand = 0x0207

// adapters finds the adapters on the PCI bus. What cannot be read is passed over:
// a container may have no PCI bus at all.
func (h Host) adapters() []adapter {
	dir := h.sys("bus/pci/devices")
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxFunctions)
	sortNatural(names)
	var found []adapter
	for _, name := range names {
		if a, ok := readAdapter(filepath.Join(dir, name)); ok {
			found = append(found, a)
		}
	}
	return found
}

// readAdapter reads a PCI function; false when it is something else.
func readAdapter(dir string) (adapter, bool) {
	a := adapter{address: filepath.Base(dir)}
	a.vendor, a.device = uint16(hexFile(dir, "vendor")), uint16(hexFile(dir, "device"))
	a.class = uint32(hexFile(dir, "class"))
	var known bool
	a.driver, known = findDriver(a.vendor, a.device)
	if !known && a.class>>8 != classInfiniBand {
		return a, false
	}
	if link, err := os.Readlink(filepath.Join(dir, "driver")); err == nil {
		a.bound = filepath.Base(link)
	}
	if e, err := os.ReadDir(filepath.Join(dir, "infiniband")); err == nil {
		a.hasRDMA = len(e) > 0
	}
	return a, true
}

// hexFile reads a number such as 0x15b3; 0 when it cannot.
func hexFile(dir, name string) uint64 {
	text, err := readText(filepath.Join(dir, name))
	if err != nil {
		return 0
	}
	v, _ := strconv.ParseUint(strings.TrimSpace(text), 0, 32)
	return v
}

func (a *adapter) String() string {
	text := fmt.Sprintf("PCI %s: vendor 0x%04x device 0x%04x", a.address, a.vendor, a.device)
	if a.bound == "" {
		return text + ", no driver"
	}
	return text + ", driver " + a.bound
}

// isGivenAway reports whether the function belongs to a virtual machine or a
// user-space driver.
func (a *adapter) isGivenAway() bool {
	return a.bound == "vfio-pci" || a.bound == "pci-stub" || a.bound == "xen-pciback" || a.bound == "uio_pci_generic"
}
