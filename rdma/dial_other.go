//go:build !linux

package rdma

import (
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma/nldev"
)

// dialNetlink fails: RDMA netlink is Linux's.
func dialNetlink(Host) (*nldev.Client, error) { return nil, unix.EPROTONOSUPPORT }
