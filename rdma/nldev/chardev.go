package nldev

import (
	"context"
	"fmt"
)

// The kinds of device files.
const (
	CharDevVerbs = "uverbs" // one for a device
	CharDevMAD   = "umad"   // one for a port
	CharDevIssm  = "issm"   // one for a port
)

// CharDev is a device file of a device or port.
type CharDev struct {
	Name   string // below /dev/infiniband, "uverbs0"
	ABI    uint64 // revision of the interface
	Major  uint32
	Minor  uint32
	Driver DriverID // of verbs files; 0 for others
}

// CharDev asks for a device file of that kind. Num is the port number for kinds
// that belong to a port, 0 for others. When there is none, as when its module is
// not loaded, the error wraps unix.ENODEV, unix.ENOENT or unix.EOPNOTSUPP, and
// unix.EINVAL before Linux 5.1.
func (c *Client) CharDev(ctx context.Context, device uint32, kind string, num int) (CharDev, error) {
	var f CharDev
	op := fmt.Sprintf("get the %s file of device %d", kind, device)
	if num > 0 {
		op = fmt.Sprintf("get the %s file of port %d of device %d", kind, num, device)
	}
	bodies, err := c.ask(ctx, cmdGetCharDev, 0, func(e *encoder) {
		e.uint32(attrDevIndex, device)
		e.string(attrCharDevType, kind)
		if num > 0 {
			e.uint32(attrPortIndex, uint32(num))
		}
	})
	if err == nil && len(bodies) == 0 {
		err = errNoAnswer
	}
	if err == nil {
		err = f.parse(bodies[0])
	}
	return f, failed(op, err)
}

func (f *CharDev) parse(b []byte) error {
	return decode(b, func(a attribute) {
		switch a.typ {
		case attrCharDevName:
			f.Name = a.text()
		case attrCharDevABI:
			f.ABI = a.number(64)
		case attrCharDev:
			f.Major, f.Minor = splitDevice(a.number(64))
		case attrDriverID:
			f.Driver = DriverID(a.number(32))
		}
	})
}

// splitDevice takes the kernel's device number apart (huge_encode_dev): the minor
// number stands on both sides of the 12 bits of the major number.
func splitDevice(dev uint64) (major, minor uint32) {
	return uint32(dev >> 8 & 0xfff), uint32(dev&0xff | dev>>12&0xfff00)
}
