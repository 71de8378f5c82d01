package rdma

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Counter is a counter as the kernel gives it.
type Counter struct {
	Name  string // of the file: "port_rcv_data"
	Value uint64
	Unit  Unit

	// Bits is the width of the field in the classic PortCounters attribute (IBA
	// vol. 1, 16.1.3.5), where a counter stops at its highest value; 0 for others.
	// Newer hardware counts on beyond it.
	Bits uint8
}

// Bytes is the value in bytes; false when the counter counts something else.
func (c Counter) Bytes() (uint64, bool) {
	switch c.Unit {
	case Bytes:
		return c.Value, true
	case Words:
		return c.Value * 4, true
	}
	return 0, false
}

// Saturated reports whether the counter stands at the end of its classic field:
// it has stopped, and the true value is higher.
func (c Counter) Saturated() bool { return c.Bits > 0 && c.Value == 1<<c.Bits-1 }

// Counters is a set of counters in natural order of their names. A counter that
// the hardware does not have is absent: it is never 0.
type Counters struct {
	List []Counter

	// Lifespan is how long the kernel keeps values before it asks the hardware
	// again; 0 when it does not say. To read more often is of no use.
	Lifespan time.Duration
}

// Get is the value of a counter, false when it is absent.
func (c Counters) Get(name string) (uint64, bool) {
	i, ok := slices.BinarySearchFunc(c.List, name, func(c Counter, name string) int {
		return compareNatural(c.Name, name)
	})
	if !ok {
		return 0, false
	}
	return c.List[i].Value, true
}

// Counters reads the port counters of the InfiniBand specification (the
// directories counters and, of old drivers, counters_ext). Ports of drivers
// without performance management have none. The error joins one *Error for each
// counter that should be there and could not be read.
func (p *Port) Counters(ctx context.Context) (Counters, error) {
	return readCounters(ctx, p.open, classicCounter, "counters", "counters_ext")
}

// HWCounters reads the driver's own counters of the port (hw_counters). Of a
// device that only netlink knows they come from there.
func (p *Port) HWCounters(ctx context.Context) (Counters, error) {
	if d := p.device(); d.dir == "" && d.Index >= 0 {
		return p.netlinkCounters(ctx, dialNetlink)
	}
	return readCounters(ctx, p.open, driverCounter, "hw_counters")
}

// HWCounters reads the driver's own counters of the device as a whole
// (hw_counters; diag_counters of mlx4). Most drivers count by port.
func (d *Device) HWCounters(ctx context.Context) (Counters, error) {
	open := func() (*attributes, error) { return d.open("", 0) }
	return readCounters(ctx, open, driverCounter, "hw_counters", "diag_counters")
}

// makeCounter knows the unit and width of a counter by its name.
type makeCounter func(name string, value uint64) Counter

// readCounters reads all files of the directories that are there.
func readCounters(ctx context.Context, open func() (*attributes, error), kind makeCounter, dirs ...string) (Counters, error) {
	var all Counters
	a, err := open()
	if err != nil {
		return all, err
	}
	defer a.dir.close()
	for _, sub := range dirs {
		all.readDir(ctx, a, sub, kind)
	}
	all.sort()
	return all, a.faults.err()
}

func (c *Counters) readDir(ctx context.Context, a *attributes, sub string, kind makeCounter) {
	entries, err := a.dir.list(sub, maxEntries)
	if err != nil && !isAbsent(err) {
		a.fault("list", sub, err)
	}
	for _, e := range entries {
		name := sub + "/" + e.Name()
		if e.IsDir() {
			continue
		}
		if a.ended(ctx, name) {
			return
		}
		v, ok := a.counter(name, e)
		switch {
		case !ok:
		case e.Name() == "lifespan":
			c.Lifespan = time.Duration(min(v, maxLifespan)) * time.Millisecond
		default:
			c.List = append(c.List, kind(e.Name(), v))
		}
	}
}

// counter reads a counter; false when it is absent: the kernel says "N/A (no
// PMA)", or EINVAL or EOPNOTSUPP where the hardware does not count. Files that
// reset counters are among them (mlx4: clear_diag): nobody may read those, and in
// a copied tree they are empty.
func (a *attributes) counter(name string, e fs.DirEntry) (uint64, bool) {
	s, err := a.dir.text(name)
	switch {
	case err == nil && (strings.TrimSpace(s) == "" || strings.HasPrefix(strings.TrimSpace(s), "N/A")):
		return 0, false
	case errors.Is(err, unix.EACCES) && isWriteOnly(e):
		return 0, false
	case err == nil:
		v, err := leadingNumber(s, 64)
		if err != nil {
			a.fault("parse", name, err)
		}
		return v, err == nil
	case !isAbsent(err) && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EOPNOTSUPP):
		a.fault("read", name, err)
	}
	return 0, false
}

func isWriteOnly(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode()&0o444 == 0
}

func (c *Counters) sort() {
	sort.Slice(c.List, func(i, j int) bool {
		a, b := c.List[i], c.List[j]
		return cmp.Or(compareNatural(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) < 0
	})
}
