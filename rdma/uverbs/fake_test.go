package uverbs

import (
	"encoding/hex"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/rdma/nldev"
)

// fakeKernel answers commands out of memory.
type fakeKernel struct {
	driver nldev.DriverID

	context, device, extra, port []byte // nil for EIO
	vectors                      uint32
	gids                         []gidEntry
	gidCount                     uint64 // when it is not len(gids)

	missing   map[uint16]bool // methods that the kernel does not have
	oldDevice bool            // it has no EX_QUERY_DEVICE
	noIoctl   bool
	refuse    func(request []byte) error // what GetContext says

	mu       sync.Mutex
	requests [][]byte // driver data of GetContext
	closed   int
	closedFD []uint32
}

func (k *fakeKernel) Close() error { k.closed++; return nil }

func (k *fakeKernel) closeFD(fd uint32) error { k.closedFD = append(k.closedFD, fd); return nil }

func (k *fakeKernel) do(c *command) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.noIoctl:
		return unix.ENOTTY
	case nldev.DriverID(c.driver) != k.driver:
		return unix.EINVAL
	case k.missing[c.method]:
		return unix.EPROTONOSUPPORT
	}
	switch c.method {
	case methodInvokeWrite:
		return k.invoke(c)
	case methodGetContext:
		if err := k.getContext(c); err != nil {
			return err
		}
		return give(c, attrCompVectors, wire(k.vectors))
	case methodQueryPort:
		return give(c, attrPortResponse, k.port)
	case methodQueryGIDTable:
		return k.table(c)
	case methodQueryGIDEntry:
		index := view[uint64](find(c, attrEntryIndex).in)
		for _, e := range k.gids {
			if uint64(e.Index) == index && uint64(e.Port) == view[uint64](find(c, attrEntryPort).in) {
				return give(c, attrEntry, wire(e))
			}
		}
		return unix.ENODATA
	}
	return unix.EPROTONOSUPPORT
}

func (k *fakeKernel) invoke(c *command) error {
	switch view[uint64](find(c, attrWriteCmd).in) {
	case cmdGetContext:
		if err := k.getContext(c); err != nil {
			return err
		}
		return give(c, attrCoreOut, wire(oldContextResponse{AsyncFD: 77, CompVectors: k.vectors}))
	case cmdExQueryDevice:
		if k.oldDevice {
			return unix.EOPNOTSUPP
		}
		if a := find(c, attrDriverOut); a != nil {
			copy(a.out, k.extra)
		}
		return give(c, attrCoreOut, k.device)
	case cmdQueryDevice:
		if find(c, attrCoreOut) == nil {
			return unix.ENOSPC
		}
		return give(c, attrCoreOut, k.device)
	case cmdQueryPort:
		return give(c, attrCoreOut, k.port)
	}
	return unix.EOPNOTSUPP
}

func (k *fakeKernel) getContext(c *command) error {
	var request []byte
	if a := find(c, attrDriverIn); a != nil {
		request = a.in
	}
	k.requests = append(k.requests, request)
	if k.refuse != nil {
		if err := k.refuse(request); err != nil {
			return err
		}
	}
	if a := find(c, attrDriverOut); a != nil {
		// As some drivers do it: without a look at the size.
		copy(a.out[:cap(a.out)], k.context)
	}
	return nil
}

func (k *fakeKernel) table(c *command) error {
	a := find(c, attrTableEntries)
	if len(k.gids)*sizeOf[gidEntry]() > len(a.out) {
		return unix.EINVAL
	}
	for i, e := range k.gids {
		copy(a.out[i*sizeOf[gidEntry]():], wire(e))
	}
	count := uint64(len(k.gids))
	if k.gidCount != 0 {
		count = k.gidCount
	}
	return give(c, attrTableCount, wire(count))
}

// find is an attribute of a command, nil if there is none.
func find(c *command, id uint16) *attr {
	for i := range c.attrs {
		if c.attrs[i].id == id {
			return &c.attrs[i]
		}
	}
	return nil
}

// give fills an attribute as far as it reaches.
func give(c *command, id uint16, data []byte) error {
	if data == nil {
		return unix.EIO
	}
	copy(find(c, id).out, data)
	return nil
}

// open is a device on a fake kernel.
func (k *fakeKernel) open(t *testing.T) *Device {
	t.Helper()
	id, err := identify(k, "")
	if err != nil {
		t.Fatal(err)
	}
	return newDevice(&rdma.Device{Name: "fake0", NodeType: rdma.NodeCA}, k, id)
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
