package hostcheck

// driver is a driver of adapters and the kernel modules that make it up.
type driver struct {
	vendor  uint16
	devices []idRange
	name    string // of the PCI driver
	modules string // to load, the PCI driver first
	rdma    string // the module that makes RDMA devices; "" when the first does
}

// idRange is a range of PCI device IDs.
type idRange struct{ first, last uint16 }

const (
	vendorMellanox = 0x15b3
	vendorQLogic   = 0x1077
	vendorIntel    = 0x8086
	vendorAmazon   = 0x1d0f
)

// drivers are those of adapters that exist for RDMA. Ethernet adapters that also
// can do RoCE or iWARP are not here: a host without their RDMA part is in order.
// The ranges are those of the PCI tables of the drivers, and generous where a
// vendor counts up.
var drivers = []driver{
	{vendorMellanox, []idRange{{0x1002, 0x1010}, {0x6340, 0x6764}}, "mlx4_core", "mlx4_core mlx4_ib", "mlx4_ib"},
	{vendorMellanox, []idRange{{0x1011, 0x10ff}, {0xa2d2, 0xa2ff}}, "mlx5_core", "mlx5_core mlx5_ib", "mlx5_ib"},
	{vendorQLogic, []idRange{{0x7220, 0x7322}}, "ib_qib", "ib_qib", ""},
	{vendorIntel, []idRange{{0x24f0, 0x24f1}}, "hfi1", "hfi1", ""},
	{vendorAmazon, []idRange{{0xefa0, 0xefaf}}, "efa", "efa", ""},
}

// findDriver finds the driver for a PCI function.
func findDriver(vendor, device uint16) (driver, bool) {
	for _, d := range drivers {
		if d.vendor != vendor {
			continue
		}
		for _, r := range d.devices {
			if device >= r.first && device <= r.last {
				return d, true
			}
		}
	}
	return driver{}, false
}

// module is the name of a driver's only or first module.
func (d *driver) rdmaModule() string {
	if d.rdma != "" {
		return d.rdma
	}
	return d.name
}
