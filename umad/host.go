package umad

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// Host says where ports are looked for. The zero Host is the machine itself, as
// this process sees it.
type Host struct {
	Sys string // root of sysfs; "" for /sys
	Dev string // root of the device files; "" for /dev
}

func (h Host) devices(ctx context.Context) ([]*rdma.Device, error) {
	return rdma.Host{Sys: h.Sys, Dev: h.Dev}.Devices(ctx)
}

// CAs lists the devices that can have management ports: channel adapters (RoCE
// adapters are among them: see LinkLayer of a port), switches and routers, in the
// order of ibstat, which is that of the bytes of their names. There is no limit
// on their number or on that of their ports.
//
// The error is that of rdma.Host.Devices: what could not be read costs its own
// entry. A machine without any RDMA support gives unix.ENOSYS.
func (h Host) CAs(ctx context.Context) ([]*rdma.Device, error) {
	all, err := h.devices(ctx)
	cas := slices.DeleteFunc(all, func(d *rdma.Device) bool { return !d.NodeType.IsIB() })
	slices.SortFunc(cas, rdma.ByBytes)
	return cas, err
}

// CA is the device with that name. The error wraps unix.ENODEV when there is none
// or it has no management ports; beside a device it tells what of it could not be
// read.
func (h Host) CA(ctx context.Context, name string) (*rdma.Device, error) {
	all, err := h.devices(ctx)
	d, err2 := find(all, err, name)
	if err2 != nil {
		return nil, err2
	}
	var own []error
	for _, p := range rdma.Problems(err) {
		if p.Device == name {
			own = append(own, p)
		}
	}
	return d, errors.Join(own...)
}

// find takes a device by its name out of a list; readErr is what was wrong with
// reading the list.
func find(all []*rdma.Device, readErr error, name string) (*rdma.Device, error) {
	i := slices.IndexFunc(all, func(d *rdma.Device) bool { return d.Name == name })
	switch {
	case i < 0:
		return nil, &Error{Op: "find", Device: name, Err: withClass(unix.ENODEV, reason(readErr, "no such device")), Hint: known(all)}
	case all[i].NodeType == rdma.NodeUnknown:
		return nil, &Error{Op: "find", Device: name, Err: withClass(unix.ENODEV, reason(readErr, "its node type is not known"))}
	case !all[i].NodeType.IsIB():
		cause := fmt.Errorf("node type %v: the device has no management ports", all[i].NodeType)
		return nil, &Error{Op: "find", Device: name, Err: withClass(unix.ENODEV, cause)}
	}
	return all[i], nil
}

// reason is the first thing that could not be read, or else the given text.
func reason(readErr error, text string) error {
	if problems := rdma.Problems(readErr); len(problems) > 0 {
		return problems[0]
	}
	if readErr != nil {
		return readErr
	}
	return errors.New(text)
}

// known is a hint that tells the devices there are.
func known(all []*rdma.Device) string {
	const enough = 8
	var names []string
	for _, d := range all[:min(len(all), enough)] {
		names = append(names, d.Name)
	}
	switch {
	case len(names) == 0:
		return "there are no devices: is the driver of the adapter loaded, and /sys/class/infiniband visible in this container?"
	case len(all) > enough:
		names = append(names, "…")
	}
	return "there are " + strings.Join(names, ", ")
}

// ABIVersion is the version of the kernel's interface for MADs, 5 since 2006. An
// error, or an older version, is unix.EOPNOTSUPP with the cause beside it.
func (h Host) ABIVersion() (int, error) {
	name := path.Join(cmp.Or(h.Sys, "/sys"), "class", "infiniband_mad", "abi_version")
	version, err := readVersion(name)
	if err != nil {
		hint := "load the ib_umad module (modprobe ib_umad); in a container, make /sys/class/infiniband_mad visible"
		if !errors.Is(err, fs.ErrNotExist) {
			hint = ""
		}
		return 0, &Error{Op: "read ABI version from", Device: name, Err: withClass(unix.EOPNOTSUPP, err), Hint: hint}
	}
	if version < abiVersion {
		cause := fmt.Errorf("version %d of the interface for MADs", version)
		return version, &Error{Op: "use", Device: name, Err: withClass(unix.EOPNOTSUPP, cause), Hint: fmt.Sprintf("the kernel must have version %d or later", abiVersion)}
	}
	return version, nil
}

// readVersion reads the number in a small file.
func readVersion(name string) (int, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return 0, errors.Unwrap(err)
	}
	text := strings.TrimSpace(string(b))
	version, err := strconv.ParseUint(text, 0, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is not a version", text)
	}
	return int(version), nil
}
