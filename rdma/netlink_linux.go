package rdma

import (
	"context"

	"golang.org/x/sys/unix"
)

func (h Host) netlinkDevices(context.Context, *faults) ([]*Device, error) {
	return nil, unix.EPROTONOSUPPORT
}
