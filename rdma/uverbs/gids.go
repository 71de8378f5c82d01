package uverbs

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

const (
	// maxTableEntries is what one answer can hold: an attribute has 16 bits of
	// length.
	maxTableEntries = 0xffff / int(unsafe.Sizeof(gidEntry{}))
	// maxGIDs bounds a table that is read entry by entry.
	maxGIDs = 1 << 16
)

// GIDs reads the entries in use of a port's GID table, by index; size is its
// length, PortAttributes.GIDTableLen. Without a context, and on a kernel before
// 5.10, they come from sysfs. On an error the entries before it are there; the
// *Error has the index that failed, if one did, and wraps what the driver says or
// the error of ctx.
func (d *Device) GIDs(ctx context.Context, port int, size uint32) ([]GID, error) {
	if d.refused != nil {
		return d.sysfsGIDs(ctx, port)
	}
	if err := ctx.Err(); err != nil {
		return nil, d.gidError(port, -1, err)
	}
	if size > maxGIDs {
		return nil, d.gidError(port, -1, fmt.Errorf("%w: a table of %d entries", ErrReply, size))
	}
	table, err := d.gidTable(port)
	switch {
	case err == nil:
		return table, nil
	case isUnsupported(err):
		return d.sysfsGIDs(ctx, port)
	}
	// The tables do not fit into one answer, or the driver fails: entry by entry.
	return d.gidEntries(ctx, port, int(size))
}

func (d *Device) gidError(port, index int, err error) error {
	return &Error{Op: "query GID", Device: d.info.Name, Port: port, Index: index, Err: err}
}

// gidTable reads the tables of all ports at once and keeps that of one.
func (d *Device) gidTable(port int) ([]GID, error) {
	entries := make([]gidEntry, maxTableEntries)
	size := unsafe.Sizeof(entries[0])
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&entries[0])), size*uintptr(len(entries)))
	var count uint64
	err := call(d.kernel, uint32(d.driver.id), methodQueryGIDTable,
		in(attrTableEntrySize, uint64(size)), in(attrTableFlags, uint32(0)),
		attr{id: attrTableEntries, out: memory}, out(attrTableCount, &count))
	if err != nil {
		return nil, err
	}
	if count > uint64(len(entries)) {
		return nil, fmt.Errorf("%w: %d GIDs in room for %d", ErrReply, count, len(entries))
	}
	var table []GID
	for i := range entries[:count] {
		if e := &entries[i]; int64(e.Port) == int64(port) {
			table = append(table, e.gid())
		}
	}
	return table, nil
}

func (d *Device) gidEntries(ctx context.Context, port, size int) (table []GID, err error) {
	for index := range size {
		if err := ctx.Err(); err != nil {
			return table, d.gidError(port, index, err)
		}
		var e gidEntry
		err := call(d.kernel, uint32(d.driver.id), methodQueryGIDEntry,
			in(attrEntryPort, uint64(port)), in(attrEntryIndex, uint64(index)),
			in(attrEntryFlags, uint32(0)), out(attrEntry, &e))
		switch {
		case errors.Is(err, unix.ENODATA): // not in use
		case err != nil:
			return table, d.gidError(port, index, err)
		default:
			table = append(table, e.gid())
		}
	}
	return table, nil
}

func (e *gidEntry) gid() GID {
	return GID{Index: int(e.Index), GID: e.GID, Type: GIDType(e.Type), NetDevIndex: int(e.NetDevIndex)}
}

// sysfsGIDs takes the table from sysfs. It does not tell the numbers of network
// devices.
func (d *Device) sysfsGIDs(ctx context.Context, port int) ([]GID, error) {
	p, ok := d.info.Port(port)
	if !ok {
		return nil, d.gidError(port, -1, unix.EINVAL)
	}
	entries, err := p.GIDs(ctx)
	table := make([]GID, 0, len(entries))
	for _, e := range entries {
		table = append(table, GID{Index: e.Index, GID: e.GID, Type: sysfsGIDType(e.Type, p.LinkLayer)})
	}
	if err != nil {
		err = d.gidError(port, -1, err)
	}
	return table, err
}

// sysfsGIDType splits the type that sysfs has one word for by the link layer.
func sysfsGIDType(t rdma.GIDType, l rdma.LinkLayer) GIDType {
	switch {
	case t == rdma.GIDv2:
		return GIDTypeRoCEv2
	case l.IsInfiniBand():
		return GIDTypeIB
	}
	return GIDTypeRoCEv1
}
