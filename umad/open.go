package umad

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// Open opens a port of this machine: Host{}.Open.
func Open(ca string, num int) (*Port, error) { return Host{}.Open(context.Background(), ca, num) }

// Open opens the port that Host.Port chooses. Errors are *Error with the classes
// of umad_open_port(3), and the true cause beside them:
//
//   - unix.EOPNOTSUPP: no ib_umad module, or an interface that is too old;
//   - unix.ENODEV: no such device, or no port that can be used;
//   - unix.EINVAL: no such port, or one without a device file;
//   - unix.EIO: the device file did not open; errors.Is finds os.ErrPermission,
//     os.ErrNotExist, unix.ENXIO … too.
func (h Host) Open(ctx context.Context, ca string, num int) (*Port, error) {
	abi, err := h.ABIVersion()
	if err != nil {
		return nil, err
	}
	p, err := h.Port(ctx, ca, num)
	if err != nil {
		return nil, err
	}
	return openPort(p, abi)
}

// OpenSMI opens a port for subnet management: unless the port is named, only
// those count that have it. The errors are those of Open.
func (h Host) OpenSMI(ctx context.Context, ca string, num int) (*Port, error) {
	abi, err := h.ABIVersion()
	if err != nil {
		return nil, err
	}
	p, err := h.smiPort(ctx, ca, num)
	if err != nil {
		return nil, err
	}
	return openPort(p, abi)
}

// smiPort chooses among the ports that have subnet management.
func (h Host) smiPort(ctx context.Context, ca string, num int) (*rdma.Port, error) {
	s, err := h.survey(ctx, ca)
	if err != nil {
		return nil, err
	}
	return s.choose(ca, num, func(p *rdma.Port) bool {
		return p.LinkLayer.IsInfiniBand() && !p.CapMask.Has(rdma.CapSMDisabled)
	})
}

// openPort opens the device file of a port.
func openPort(p *rdma.Port, abi int) (*Port, error) {
	name := p.UmadPath()
	if name == "" {
		return nil, noFile(p, "umad")
	}
	port, err := OpenFile(name, abi)
	if err != nil {
		return nil, err
	}
	port.device, port.num = p.Device, p.Num
	return port, nil
}

// noFile is the error about a port that has no device file of that kind.
func noFile(p *rdma.Port, kind string) error {
	hint := "the kernel makes none for it"
	if !p.LinkLayer.IsInfiniBand() && kind == "issm" {
		hint = "only InfiniBand ports have one"
	}
	return &Error{Op: "open", Device: p.Device, Port: p.Num, Hint: hint, Err: withClass(unix.EINVAL, errors.New("the port has no "+kind+" device file"))}
}

// openHint says what to do about a device file that does not open.
func openHint(err error) string {
	switch {
	case errors.Is(err, os.ErrPermission):
		return "run as root, or give your user access to the device file by a udev rule"
	case errors.Is(err, os.ErrNotExist):
		return "is the ib_umad module loaded, and the device file visible in this container?"
	case errors.Is(err, unix.ENXIO):
		return "the device file belongs to no device: it is left over"
	}
	return ""
}
