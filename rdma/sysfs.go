package rdma

import (
	"context"
	"errors"
	"io/fs"
)

// The classes of sysfs that are read.
const (
	classInfiniBand = "class/infiniband"
	classMAD        = "class/infiniband_mad"
	classVerbs      = "class/infiniband_verbs"
)

// sysfsDevices lists the devices of /sys/class/infiniband. The error is that of
// the directory; what is wrong with a device is a fault.
func (h Host) sysfsDevices(ctx context.Context, f *faults) ([]*Device, error) {
	top, err := openTop(h.sys())
	if err != nil {
		return nil, err
	}
	defer top.close()
	entries, err := top.list(classInfiniBand, maxDevices)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	if err != nil {
		f.add(&Error{Op: "list", Path: top.name(classInfiniBand), Err: err})
	}
	files := newDeviceFiles()
	files.read(top, classVerbs, f)
	files.read(top, classMAD, f)
	var devices []*Device
	for _, e := range entries {
		if e.Type().IsRegular() {
			continue // an attribute of the class
		}
		if err := ctx.Err(); err != nil {
			f.add(&Error{Op: "list", Path: top.name(classInfiniBand), Err: err})
			break
		}
		if d := readDevice(ctx, top, e.Name(), f); d != nil {
			files.assign(d)
			devices = append(devices, d)
		}
	}
	return devices, nil
}

// readDevice reads one device; nil when its directory is not there, which is a
// dangling link or a device that was removed in this moment.
func readDevice(ctx context.Context, top *dir, name string, f *faults) *Device {
	at := classInfiniBand + "/" + name
	gone := func(err error) *Device {
		f.add(&Error{Op: "list", Device: name, Path: top.name(at), Err: err})
		return nil
	}
	where, err := top.resolve(at)
	if err != nil {
		return gone(err)
	}
	dd, err := top.sub(where)
	if err != nil {
		return gone(err)
	}
	defer dd.close()

	d := &Device{Name: name, Index: -1, NUMANode: -1, Sources: FromSysfs, dir: where}
	d.readAttributes(&attributes{dir: dd, device: name, faults: f})
	d.readPorts(ctx, dd, f)
	d.readHardware(top, dd, f)
	return d
}

func (d *Device) readAttributes(a *attributes) {
	d.NodeType = NodeType(a.number("node_type", 8))
	d.NodeGUID = value(a, "node_guid", parseGUID)
	d.SystemImageGUID = value(a, "sys_image_guid", parseGUID)
	d.NodeDescription = a.optional("node_desc")
	d.Firmware = a.optional("fw_ver")
	d.HardwareRevision = a.optional("hw_rev")
	d.HCAType = a.optional("hca_type")
	d.BoardID = a.optional("board_id")
	if parent := a.optional("parent"); parent != "" { // software devices on a network device
		d.NetDevs = append(d.NetDevs, parent)
	}
}

// readPorts reads the directories of ports that have a number for a name.
func (d *Device) readPorts(ctx context.Context, dd *dir, f *faults) {
	a := &attributes{dir: dd, device: d.Name, faults: f}
	entries, err := dd.list("ports", maxPorts)
	if err != nil {
		a.fault("list", "ports", err)
	}
	for _, e := range entries {
		num, ok := entryNumber(e)
		if !ok {
			continue
		}
		if a.ended(ctx, "ports") {
			return
		}
		pd, err := dd.sub("ports/" + e.Name())
		if err != nil {
			f.add(&Error{Op: "list", Device: d.Name, Port: num, Path: dd.name("ports/" + e.Name()), Err: err})
			continue
		}
		p := &Port{Num: num}
		p.readAttributes(&attributes{dir: pd, device: d.Name, port: num, faults: f})
		pd.close()
		d.Ports = append(d.Ports, p)
		if p.NetDev != "" {
			d.NetDevs = append(d.NetDevs, p.NetDev)
		}
	}
}

// isAbsent tells the errors that mean "the kernel does not have it" from those
// that mean "it could not be read".
func isAbsent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
