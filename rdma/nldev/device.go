package nldev

import (
	"context"
	"errors"
	"fmt"

	"github.com/ibscope/ibscope/ib"
)

// Device is what the kernel tells of a device.
type Device struct {
	Index           uint32 // stays the same when the device is renamed
	Name            string
	Ports           uint32 // the highest port number
	NodeType        uint8  // enum rdma_node_type; see rdma.NodeType
	CapFlags        uint64 // as in ib_device_attr
	Firmware        string // "" for software devices
	NodeGUID        ib.GUID
	SystemImageGUID ib.GUID
	Protocol        string // "ib", "roce", "iw", "opa", "usnic"; "" before Linux 5.1

	AdaptiveModeration bool   // of completion queues
	SMI                bool   // made for subnet management of a multi-plane device
	Parent             string // of a device that "rdma dev add" made
}

// errNoAnswer means that the kernel sent nothing of the wanted kind.
var errNoAnswer = errors.New("the kernel sent no answer")

// Devices lists the devices in the order of their indexes. No device is an empty
// list.
func (c *Client) Devices(ctx context.Context) ([]Device, error) {
	const op = "list devices"
	bodies, err := c.ask(ctx, cmdGet, flagDump, func(*encoder) {})
	if err != nil {
		return nil, failed(op, err)
	}
	devices := make([]Device, len(bodies))
	for i, b := range bodies {
		if err := devices[i].parse(b); err != nil {
			return nil, failed(op, err)
		}
	}
	return devices, nil
}

// Device asks for the device with that index. The error wraps unix.EINVAL or
// unix.ENODEV when there is none.
func (c *Client) Device(ctx context.Context, index uint32) (Device, error) {
	var d Device
	op := fmt.Sprintf("get device %d", index)
	bodies, err := c.ask(ctx, cmdGet, 0, func(e *encoder) { e.uint32(attrDevIndex, index) })
	if err == nil && len(bodies) == 0 {
		err = errNoAnswer
	}
	if err == nil {
		err = d.parse(bodies[0])
	}
	return d, failed(op, err)
}

func (d *Device) parse(b []byte) error {
	return decode(b, func(a attribute) {
		switch a.typ {
		case attrDevIndex:
			d.Index = uint32(a.number(32))
		case attrDevName:
			d.Name = a.text()
		case attrPortIndex:
			d.Ports = uint32(a.number(32))
		case attrCapFlags:
			d.CapFlags = a.number(64)
		case attrFirmware:
			d.Firmware = a.text()
		case attrNodeGUID:
			d.NodeGUID = ib.GUID(a.number(64))
		case attrSysImageGUID:
			d.SystemImageGUID = ib.GUID(a.number(64))
		case attrNodeType:
			d.NodeType = uint8(a.number(8))
		case attrProtocol:
			d.Protocol = a.text()
		case attrAdaptiveMod:
			d.AdaptiveModeration = a.number(8) != 0
		case attrDeviceType:
			d.SMI = a.number(8) == deviceTypeSMI
		case attrParentName:
			d.Parent = a.text()
		}
	})
}

// deviceTypeSMI is RDMA_DEVICE_TYPE_SMI.
const deviceTypeSMI = 1
