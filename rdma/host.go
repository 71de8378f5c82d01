package rdma

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// Host says where devices are looked for. The zero Host is the machine itself,
// seen from this process.
type Host struct {
	// Sys is the root of sysfs, "/sys" by default. With any other root netlink is
	// not asked, for it would speak of another host. Symbolic links are followed
	// as long as they stay below Sys.
	Sys string

	// Dev is the root of device files, "/dev" by default. Nothing is read there:
	// it only goes into UverbsPath, UmadPath and IssmPath.
	Dev string

	// NetNS is the file of a network namespace, "/run/netns/blue" or
	// "/proc/42/ns/net"; "" is that of this process. Entering another needs
	// CAP_SYS_ADMIN. The list is then netlink's, and Sys, which shows the
	// namespace that mounted it, adds only to devices that netlink knows.
	NetNS string
}

const defaultSys = "/sys"

// Devices lists the devices of this machine: Host{}.Devices.
func Devices() ([]*Device, error) { return Host{}.Devices(context.Background()) }

// Devices lists the RDMA devices in natural order of names, from netlink and
// sysfs together. The error joins one *Error for each thing that could not be
// read; the devices hold everything else. errors.Is finds
//
//   - unix.ENOSYS when the kernel has no RDMA: neither netlink nor
//     /sys/class/infiniband is there;
//   - os.ErrPermission, with unix.EPERM or unix.EACCES as it may be;
//   - unix.ENOMEM;
//   - the error of ctx when it ended early.
//
// A kernel with RDMA and no device gives an empty list and no error.
func (h Host) Devices(ctx context.Context) ([]*Device, error) {
	return h.list(ctx, dialNetlink)
}

// list is Devices with the connection to netlink as a parameter.
func (h Host) list(ctx context.Context, dial func(Host) (*nldev.Client, error)) ([]*Device, error) {
	var f faults
	sysfs, sysfsErr := h.sysfsDevices(ctx, &f)
	netlink, netlinkErr := h.netlinkDevices(ctx, dial, sysfs, &f)
	devices := h.union(netlink, sysfs, &f)
	for _, d := range devices {
		d.adopt(h)
	}
	h.judge(netlinkErr, sysfsErr, &f)
	slices.SortFunc(devices, ByName)
	return devices, f.err()
}

// netlinkDevices lists what netlink tells of, when it speaks of this host.
func (h Host) netlinkDevices(ctx context.Context, dial func(Host) (*nldev.Client, error), sysfs []*Device, f *faults) ([]*Device, error) {
	if !h.usesNetlink() {
		return nil, nil
	}
	c, err := dial(h)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	r := &netlinkReader{client: c, sysfs: make(map[string]*Device, len(sysfs)), faults: f}
	for _, d := range sysfs {
		r.sysfs[d.Name] = d
	}
	return r.devices(ctx)
}

// union merges the lists by name.
func (h Host) union(netlink, sysfs []*Device, f *faults) []*Device {
	known := make(map[string]*Device, len(netlink))
	for _, d := range netlink {
		known[d.Name] = d
	}
	all := make([]*Device, 0, len(netlink)+len(sysfs))
	for _, d := range sysfs {
		n, ok := known[d.Name]
		switch {
		case ok:
			d.merge(n, f)
			delete(known, d.Name)
		case h.NetNS != "":
			f.dropDevice(d.Name)
			continue // of the namespace that mounted sysfs
		}
		all = append(all, d)
	}
	for _, d := range netlink {
		if _, alone := known[d.Name]; alone {
			all = append(all, d)
		}
	}
	return all
}

// adopt sorts what belongs to a device and ties it to the host.
func (d *Device) adopt(h Host) {
	d.host = h
	slices.SortFunc(d.NetDevs, compareNatural)
	d.NetDevs = slices.Compact(d.NetDevs)
	slices.SortFunc(d.Ports, func(a, b *Port) int { return cmp.Compare(a.Num, b.Num) })
	for _, p := range d.Ports {
		p.dev, p.Device = d, d.Name
	}
}

// sys is the root of sysfs.
func (h Host) sys() string {
	if h.Sys == "" {
		return defaultSys
	}
	return path.Clean(h.Sys)
}

// deviceFile is the path of a device file, "" for no name.
func (h Host) deviceFile(name string) string {
	if name == "" {
		return ""
	}
	return path.Join(cmp.Or(h.Dev, "/dev"), "infiniband", name)
}

// usesNetlink reports whether netlink speaks of the host that Sys shows.
func (h Host) usesNetlink() bool { return h.sys() == defaultSys || h.NetNS != "" }
