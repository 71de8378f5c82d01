package diags

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/uverbs"
)

// VerbsDevices lists the devices for the tools of ibverbs-utils. When nothing of
// the list can be had it prints their message and reports false. What is wrong
// with a single device shows when it is asked.
func VerbsDevices(ctx context.Context, e *env.Env) ([]*rdma.Device, bool) {
	devices, err := uverbs.Devices(ctx, rdma.Host{Sys: e.Sys, Dev: e.Dev})
	if err = ListError(err); err != nil && len(devices) == 0 {
		fmt.Fprintf(e.Stderr, "Failed to get IB devices list: %s\n", reason(err))
		return nil, false
	}
	return devices, true
}

// ListError is the part of an error of rdma.Host.Devices that concerns the list
// as a whole: what is wrong with one device does not make an empty list wrong.
func ListError(err error) error {
	for _, p := range rdma.Problems(err) {
		if p.Device == "" && p.Attribute == "devices" {
			return p
		}
	}
	return nil
}

// reason is the C library's text for an error.
func reason(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return Strerror(errno)
	}
	return escape.Text(err.Error())
}
