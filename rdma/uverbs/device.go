package uverbs

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/nldev"
)

// Device is an open device file. Its methods may be called from several
// goroutines; after Close they fail with os.ErrClosed. The kernel cannot remove
// some devices while they are open, so that it should not stay open for long.
type Device struct {
	info   *rdma.Device
	kernel kernel
	driver *driver

	// What GetContext gave. refused is its error.
	refused     error
	compVectors uint32
	answer      []byte // of the driver
}

// Open opens the device file of a device that package rdma listed and asks for a
// context. A driver that refuses it is no error of Open: see Device.Refused.
// errors.Is finds
//
//   - os.ErrNotExist: no device file, for the module ib_uverbs is not loaded or a
//     container hides it;
//   - os.ErrPermission;
//   - unix.EIO, unix.ENODEV: the device went away;
//   - errors.ErrUnsupported: a kernel before 4.20, or not Linux.
//
// Close the device when done.
func Open(d *rdma.Device) (*Device, error) {
	path := d.UverbsPath()
	fail := func(op string, err error) error {
		return &Error{Op: op, Device: d.Name, Path: path, Index: -1, Err: err}
	}
	if path == "" {
		return nil, fail("open", fmt.Errorf("no uverbs device file: %w", os.ErrNotExist))
	}
	k, err := openKernel(path)
	if err != nil {
		return nil, fail("open", err)
	}
	id, err := identify(k, d.RDMADriver)
	if err != nil {
		return nil, fail("identify", errors.Join(err, k.Close()))
	}
	return newDevice(d, k, id), nil
}

// newDevice asks for the context.
func newDevice(d *rdma.Device, k kernel, id nldev.DriverID) *Device {
	dev := &Device{info: d, kernel: k, driver: driverFor(id)}
	if err := dev.getContext(); err != nil {
		dev.refused = &Error{Op: "context", Device: d.Name, Path: d.UverbsPath(), Index: -1, Err: err}
	}
	return dev
}

// Close ends the context.
func (d *Device) Close() error {
	if err := d.kernel.Close(); err != nil {
		return &Error{Op: "close", Device: d.info.Name, Path: d.info.UverbsPath(), Index: -1, Err: err}
	}
	return nil
}

// Refused is why the kernel gave no context, which all queries need but that of
// the P_Key tables; nil when it gave one. It wraps a unix.Errno or ErrABI.
func (d *Device) Refused() error { return d.refused }

// Driver is the name of the kernel driver, "mlx5".
func (d *Device) Driver() string { return d.driver.id.String() }

// identify finds the driver behind a device file. Each ioctl carries the number
// of the driver it is for, and another driver answers EINVAL; a query without a
// buffer is answered ENOSPC by the right one. The name, if there is one, is tried
// first.
func identify(k kernel, name string) (nldev.DriverID, error) {
	ids := make([]nldev.DriverID, 0, maxDriver+1)
	for id := range maxDriver + 1 {
		ids = append(ids, id)
		if id.String() == name {
			ids[0], ids[id] = id, ids[0]
		}
	}
	for _, id := range ids {
		err := invoke(k, uint32(id), cmdQueryDevice, nil, nil)
		switch {
		case err == nil, errors.Is(err, unix.ENOSPC):
			return id, nil
		case errors.Is(err, unix.EINVAL):
		case errors.Is(err, unix.ENOTTY), isUnsupported(err):
			return 0, fmt.Errorf("%w: the kernel has no verbs ioctl: %w", errors.ErrUnsupported, err)
		default:
			return 0, err
		}
	}
	return 0, fmt.Errorf("no known driver: %w", unix.EINVAL)
}

// checkContext is the start of each query.
func (d *Device) checkContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return d.refused
}
