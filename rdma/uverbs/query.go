package uverbs

import (
	"context"
	"errors"

	"github.com/ibscope/ibscope/rdma"
)

// Query opens a device, asks for everything, and closes it. The result is never
// nil: what could not be had is missing in it, and the error joins one *Error for
// each reason.
func Query(ctx context.Context, d *rdma.Device) (*Attributes, error) {
	dev, err := Open(d)
	if err != nil {
		closed := &Device{info: d, driver: driverFor(0), refused: err}
		a, err := closed.Query(ctx)
		a.Driver = d.RDMADriver
		return a, err
	}
	a, err := dev.Query(ctx)
	return a, errors.Join(err, dev.Close())
}

// Query asks for everything. The result is never nil. A driver that gave no
// context costs what needs one, and its reason is in the error once; the GIDs and
// P_Keys are read all the same. The error joins one *Error, or *rdma.Error from
// sysfs, for each thing that is missing.
func (d *Device) Query(ctx context.Context) (*Attributes, error) {
	a := &Attributes{Name: d.info.Name, Transport: d.info.Transport(), Driver: d.Driver()}
	problems := []error{d.refused}
	if d.refused == nil {
		var err error
		a.Device, err = d.QueryDevice(ctx)
		problems = append(problems, err)
	}
	for _, num := range d.portNumbers(a.Device) {
		p, err := d.queryPort(ctx, num)
		a.Ports = append(a.Ports, p)
		problems = append(problems, err)
		if ctx.Err() != nil {
			break
		}
	}
	return a, errors.Join(problems...)
}

// portNumbers are the ports that the device or, without its word, the list says
// there are.
func (d *Device) portNumbers(a *DeviceAttributes) []int {
	var numbers []int
	if a != nil {
		for num := range a.PhysicalPorts {
			numbers = append(numbers, num+1)
		}
		return numbers
	}
	for _, p := range d.info.Ports {
		numbers = append(numbers, p.Num)
	}
	return numbers
}

// queryPort asks for a port and its tables.
func (d *Device) queryPort(ctx context.Context, num int) (Port, error) {
	p := Port{Num: num}
	var err, gidErr, keyErr error
	var gids uint32
	if d.refused == nil {
		p.Attributes, err = d.QueryPort(ctx, num)
	}
	if p.Attributes != nil {
		gids = p.Attributes.GIDTableLen
	}
	p.GIDs, gidErr = d.GIDs(ctx, num, gids)
	if port, ok := d.info.Port(num); ok {
		p.PKeys, keyErr = port.PKeys(ctx)
	}
	return p, errors.Join(err, gidErr, keyErr)
}
