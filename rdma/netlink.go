package rdma

import (
	"context"
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// netlinkReader turns what netlink tells into devices.
type netlinkReader struct {
	client *nldev.Client
	sysfs  map[string]*Device // what sysfs told of, by name
	faults *faults
}

// devices lists the devices. The error is that of the list; what is wrong with a
// device is a fault.
func (r *netlinkReader) devices(ctx context.Context) ([]*Device, error) {
	list, err := r.client.Devices(ctx)
	if err != nil {
		return nil, err
	}
	devices := make([]*Device, 0, min(len(list), maxDevices))
	for _, n := range list[:cap(devices)] {
		d := deviceOf(&n)
		r.readPorts(ctx, d)
		r.readFiles(ctx, d)
		devices = append(devices, d)
	}
	return devices, nil
}

func deviceOf(n *nldev.Device) *Device {
	return &Device{
		Name: n.Name, Index: int(n.Index), NodeType: NodeType(n.NodeType), Protocol: n.Protocol,
		NodeGUID: n.NodeGUID, SystemImageGUID: n.SystemImageGUID, Firmware: n.Firmware,
		CapFlags: n.CapFlags, Parent: n.Parent, NUMANode: -1, Sources: FromNetlink,
	}
}

func (r *netlinkReader) readPorts(ctx context.Context, d *Device) {
	ports, err := r.client.Ports(ctx, uint32(d.Index))
	if err != nil {
		r.faults.add(&Error{Op: "netlink", Device: d.Name, Attribute: "ports", Err: err})
		return
	}
	for _, n := range ports[:min(len(ports), maxPorts)] {
		d.Ports = append(d.Ports, &Port{
			Num: n.Num, State: n.State, PhysState: n.PhysState, LinkLayer: linkLayerOf(d.Protocol),
			LID: n.LID, LMC: n.LMC, SMLID: n.SMLID, SubnetPrefix: n.SubnetPrefix,
			CapMask: CapMask(n.CapMask), CapMask2: CapMask2(n.CapMask2), NetDev: n.NetDev,
		})
		if n.NetDev != "" {
			d.NetDevs = append(d.NetDevs, n.NetDev)
		}
	}
}

// readFiles asks for the device files. Asking for a kind whose module is not
// loaded makes the kernel load it. A list should change nothing, so that files
// are asked for only where sysfs shows that they are there, or where there is no
// sysfs to look at.
func (r *netlinkReader) readFiles(ctx context.Context, d *Device) {
	known, inSysfs := r.sysfs[d.Name]
	if inSysfs && known.UverbsName == "" {
		return
	}
	verbs := r.file(ctx, d, nldev.CharDevVerbs, 0)
	d.UverbsName = verbs.Name
	if verbs.Driver != 0 {
		d.RDMADriver = verbs.Driver.String()
	}
	if inSysfs {
		return
	}
	for _, p := range d.Ports {
		p.UmadName = r.file(ctx, d, nldev.CharDevMAD, p.Num).Name
		p.IssmName = r.file(ctx, d, nldev.CharDevIssm, p.Num).Name
	}
}

// noSuchFile are the kernel's answers for a device file that does not exist.
var noSuchFile = []error{unix.ENODEV, fs.ErrNotExist, unix.EOPNOTSUPP, unix.EINVAL}

func (r *netlinkReader) file(ctx context.Context, d *Device, kind string, port int) nldev.CharDev {
	file, err := r.client.CharDev(ctx, uint32(d.Index), kind, port)
	if err != nil && !isAny(err, noSuchFile) {
		r.faults.add(&Error{Op: "netlink", Device: d.Name, Port: port, Attribute: kind, Err: err})
	}
	return file
}

func isAny(err error, targets []error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}
