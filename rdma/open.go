package rdma

import (
	"context"
	"fmt"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// open opens the directory of a device, below which sub is, for a method that
// reads more about it. The caller closes the directory in it.
func (d *Device) open(sub string, port int) (*attributes, error) {
	a := &attributes{device: d.Name, port: port, faults: &faults{}}
	if d.dir == "" {
		err := fmt.Errorf("this device is not in sysfs: %w", unix.ENODEV)
		return nil, &Error{Op: "list", Device: d.Name, Port: port, Err: err}
	}
	where := path.Join(d.dir, sub)
	top, err := openTop(d.host.sys())
	if err == nil {
		defer top.close()
		a.dir, err = top.sub(where)
	}
	if err != nil {
		name := (&dir{top: d.host.sys()}).name(where)
		return nil, &Error{Op: "list", Device: d.Name, Port: port, Path: name, Err: err}
	}
	return a, nil
}

// numbered lists the entries of a directory that are numbers, with their numbers
// in order. A missing directory is an empty one.
func (a *attributes) numbered(name string) []int {
	entries, err := a.dir.list(name, maxEntries)
	if err != nil && !isAbsent(err) {
		a.fault("list", name, err)
	}
	var numbers []int
	for _, e := range entries {
		if n, ok := entryNumber(e); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// ended keeps the error of a context that ended early, and says so.
func (a *attributes) ended(ctx context.Context, name string) bool {
	err := ctx.Err()
	if err != nil {
		a.fault("read", name, err)
	}
	return err != nil
}
