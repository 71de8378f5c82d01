package rdma

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
)

// GIDType is the kind of a GID, in the kernel's words.
type GIDType string

// The kinds of GIDs. The kernel has one word for InfiniBand GIDs and those of
// RoCE v1; the port's link layer tells them apart.
const (
	GIDv1 GIDType = "IB/RoCE v1"
	GIDv2 GIDType = "RoCE v2"
)

// GIDEntry is an entry of a port's GID table that is in use.
type GIDEntry struct {
	Index  int
	GID    ib.GID
	Type   GIDType // "" before Linux 4.5
	NetDev string  // of RoCE GIDs; "" when it has none, or not in this namespace
}

// GIDs reads the entries of the port's GID table that are not empty, by index.
// RoCE ports have up to 1024 entries with a file each, which takes milliseconds.
// The error joins one *Error for each entry that could not be read; it wraps
// unix.ENODEV when sysfs does not have the device, and the error of ctx when it
// ended early.
func (p *Port) GIDs(ctx context.Context) ([]GIDEntry, error) {
	a, err := p.open()
	if err != nil {
		return nil, err
	}
	defer a.dir.close()
	var entries []GIDEntry
	for _, index := range a.numbered("gids") {
		name := "gids/" + strconv.Itoa(index)
		if a.ended(ctx, name) {
			break
		}
		gid := value(a, name, ib.ParseGID)
		if gid.IsZero() {
			continue
		}
		entries = append(entries, GIDEntry{Index: index, GID: gid, Type: gidType(a, index), NetDev: gidNetDev(a, index)})
	}
	return entries, a.faults.err()
}

// gidType reads the type of a GID; the kernel gives EINVAL for an entry that was
// emptied in this moment.
func gidType(a *attributes, index int) GIDType {
	name := "gid_attrs/types/" + strconv.Itoa(index)
	s, err := a.dir.text(name)
	if err != nil && !isAbsent(err) && !errors.Is(err, unix.EINVAL) {
		a.fault("read", name, err)
	}
	return GIDType(strings.TrimSpace(s))
}

// open opens the port's directory.
func (p *Port) open() (*attributes, error) {
	return p.device().open(fmt.Sprintf("ports/%d", p.Num), p.Num)
}
