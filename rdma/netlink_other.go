//go:build !linux

package rdma

import (
	"context"

	"golang.org/x/sys/unix"
)

// netlinkDevices fails: RDMA netlink is Linux's.
func (h Host) netlinkDevices(context.Context, *faults) ([]*Device, error) {
	return nil, unix.EPROTONOSUPPORT
}
