package hostcheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ibscope/ibscope/rdma"
)

// checkDevices says whether there are devices, and what of them did not read.
func (c *checker) checkDevices() {
	f := Finding{Check: Device, Text: "There " + isAre(len(c.devices), "RDMA device") + "."}
	if len(c.devices) > 0 {
		f.Evidence = []string{deviceNames(c.devices)}
	}
	switch {
	case len(c.devices) == 0:
		f.Severity, f.Text = Failure, "There is no RDMA device."
		f.Evidence = []string{c.host.sys("class/infiniband") + ": no entries"}
		f.Remedy = []string{
			"dmesg | grep -i -e mlx -e infiniband -e rdma  # has a driver given up?",
			"# in a container: it must see the host's /sys/class/infiniband, or share its network namespace",
		}
	case c.Device != "" && len(c.wanted()) == 0:
		f.Severity, f.Text, f.Device = Failure, "There is no RDMA device with this name.", c.Device
		f.Remedy = []string{"ibscope devices  # what is there?"}
	case c.Port != 0 && !c.hasPort():
		f.Severity, f.Text, f.Device = Failure, fmt.Sprintf("There is no port %d.", c.Port), c.Device
		f.Remedy = []string{"ibscope devices  # what is there?"}
	}
	c.add(f)
	c.checkReading()
}

// hasPort reports whether a device that was asked for has the port.
func (c *checker) hasPort() bool {
	return slices.ContainsFunc(c.wanted(), func(d *rdma.Device) bool {
		_, ok := d.Port(c.Port)
		return ok
	})
}

// isAre is "is 1 device", "are 2 devices".
func isAre(n int, noun string) string {
	if n == 1 {
		return "is 1 " + noun
	}
	return "are " + count(n, noun)
}

func (c *checker) checkReading() {
	f := Finding{Check: DeviceRead, Text: "All about the devices can be read."}
	for _, p := range rdma.Problems(c.readErr) {
		f.Evidence = append(f.Evidence, p.Error())
	}
	if len(f.Evidence) > 0 {
		f.Severity, f.Text = Warning, "Something about the devices cannot be read: what follows may be wrong where it is missing."
		f.Evidence = bounded(f.Evidence)
		f.Remedy = []string{"# in a container: is all of the host's /sys there? On the host: see dmesg, a device may be going away"}
	} else if len(c.devices) == 0 {
		return
	}
	c.add(f)
}

// linkLayers are the names of the ports that are on an InfiniBand fabric, and of
// the others.
func (c *checker) linkLayers() (infiniBand, others []string) {
	for _, d := range c.devices {
		for _, p := range d.Ports {
			if d.NodeType.IsIB() && p.LinkLayer.IsInfiniBand() {
				infiniBand = append(infiniBand, portName(p))
			} else {
				others = append(others, portName(p))
			}
		}
	}
	return infiniBand, others
}

// checkLinkLayers says whether there are InfiniBand ports at all, and other ones
// that tools may take for them.
func (c *checker) checkLinkLayers() {
	infiniBand, others := c.linkLayers()
	f := Finding{Check: LinkLayer, Text: count(len(infiniBand), "port") + " for an InfiniBand fabric."}
	switch {
	case len(infiniBand)+len(others) == 0:
		return
	case len(infiniBand) == 0:
		f.Severity = Warning
		f.Text = "No port is on an InfiniBand fabric. RoCE and iWARP have no subnet to manage or discover; only general services, as perfquery uses, work on RoCE."
		f.Evidence = []string{"link layer Ethernet: " + strings.Join(bounded(others), ", ")}
		f.Remedy = c.otherLinkLayer()
	case len(others) > 0:
		f.Severity = Note
		f.Text = "InfiniBand ports stand beside others: tools of infiniband-diags may choose a wrong one unless they are told (-C, -P)."
		f.Evidence = []string{"InfiniBand: " + strings.Join(bounded(infiniBand), ", "), "others: " + strings.Join(bounded(others), ", ")}
	default:
		f.Evidence = []string{"link layer InfiniBand: " + strings.Join(bounded(infiniBand), ", ")}
	}
	c.add(f)
}

// otherLinkLayer are commands that turn an adapter to InfiniBand.
func (c *checker) otherLinkLayer() []string {
	var lines []string
	for i := range c.adapters {
		if a := &c.adapters[i]; a.vendor == vendorMellanox {
			lines = append(lines, "mlxconfig -d "+a.address+" query LINK_TYPE_P1  # if it has this: set LINK_TYPE_P1=1, and restart the host")
		}
	}
	if len(lines) == 0 {
		return []string{"# an InfiniBand adapter is needed"}
	}
	return bounded(lines)
}

// checkFirmware compares boards of one kind: those with the same board
// identifier, or else the same type.
func (c *checker) checkFirmware() {
	kinds := map[string]map[string][]string{} // versions of a kind, and who has them
	for _, d := range c.devices {
		kind := cmp.Or(d.BoardID, d.HCAType)
		if kind == "" || d.Firmware == "" {
			continue
		}
		if kinds[kind] == nil {
			kinds[kind] = map[string][]string{}
		}
		kinds[kind][d.Firmware] = append(kinds[kind][d.Firmware], d.Name)
	}
	if len(kinds) == 0 {
		return
	}
	f := Finding{Check: Firmware, Text: "Boards of one kind have the same firmware."}
	for _, kind := range keys(kinds) {
		for _, version := range keys(kinds[kind]) {
			line := fmt.Sprintf("%s: %s on %s", kind, version, strings.Join(kinds[kind][version], ", "))
			f.Evidence = append(f.Evidence, line)
		}
		if len(kinds[kind]) > 1 {
			f.Severity, f.Text = Note, "Boards of one kind have different firmware."
			f.Remedy = []string{"mlxfwmanager --online -u  # boards of NVIDIA: brings all to the newest"}
		}
	}
	f.Evidence = bounded(f.Evidence)
	c.add(f)
}

// keys are the keys of a map in natural order.
func keys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sortNatural(list)
	return list
}
