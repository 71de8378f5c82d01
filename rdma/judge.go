package rdma

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"
)

// noNetlink are the answers of kernels and sandboxes without RDMA netlink.
var noNetlink = []error{unix.EPROTONOSUPPORT, unix.EAFNOSUPPORT, unix.EOPNOTSUPP, unix.ENOSYS}

// judge makes faults of the errors that the two sources gave as a whole. One
// source that is not there is no fault as long as the other is.
func (h Host) judge(netlinkErr, sysfsErr error, f *faults) {
	noNL := !h.usesNetlink() || isAny(netlinkErr, noNetlink)
	noSys := errors.Is(sysfsErr, fs.ErrNotExist)
	path := (&dir{top: h.sys()}).name(classInfiniBand)
	if noNL && noSys {
		err := fmt.Errorf("no RDMA support in this kernel: are the drivers loaded? %w", unix.ENOSYS)
		f.add(&Error{Op: "list", Attribute: "devices", Path: path, Err: err})
		return
	}
	if netlinkErr != nil && (!noNL || h.NetNS != "") {
		f.add(&Error{Op: "netlink", Attribute: "devices", Err: netlinkErr})
	}
	if sysfsErr != nil && !noSys {
		f.add(&Error{Op: "list", Attribute: "devices", Path: path, Err: sysfsErr})
	}
}
