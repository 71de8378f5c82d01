package rdma

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Error says which one thing could not be read. It wraps the cause, so that
// errors.Is finds os.ErrNotExist, os.ErrPermission, unix.EINVAL and the like.
type Error struct {
	Op        string // "list", "read", "parse", "netlink"
	Device    string // "mlx5_0"; "" when it concerns the host
	Port      int    // 0 when it does not concern a port
	Attribute string // "rate", "ports", …; "" when it concerns the whole device
	Path      string // of the file or directory; "" when the source is netlink
	Err       error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("rdma: " + e.Op)
	if e.Device != "" {
		b.WriteString(" " + printable(e.Device))
	}
	if e.Port > 0 {
		fmt.Fprintf(&b, " port %d", e.Port)
	}
	if e.Attribute != "" {
		b.WriteString(" " + printable(e.Attribute))
	}
	if e.Path != "" {
		b.WriteString(" (" + printable(e.Path) + ")")
	}
	return b.String() + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// printable quotes a name that would not print as it is: names come from
// directories that may have been written by anybody.
func printable(s string) string {
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// Problems takes the error of Devices, or of a method of a device, apart: one
// *Error for each thing that could not be read. It finds none in a nil error.
func Problems(err error) []*Error {
	switch e := err.(type) { //nolint:errorlint // it takes the tree apart itself, level by level
	case nil:
		return nil
	case *Error:
		return []*Error{e}
	case interface{ Unwrap() []error }:
		var all []*Error
		for _, one := range e.Unwrap() {
			all = append(all, Problems(one)...)
		}
		return all
	case interface{ Unwrap() error }:
		return Problems(e.Unwrap())
	}
	return nil
}

// faults collects errors.
type faults struct {
	list []*Error
}

func (f *faults) add(e *Error) { f.list = append(f.list, e) }

// drop forgets what is known about an attribute: another source had it.
func (f *faults) drop(device string, port int, attribute string) {
	f.list = slices.DeleteFunc(f.list, func(e *Error) bool {
		return e.Device == device && e.Port == port && e.Attribute == attribute
	})
}

// dropDevice forgets all about a device.
func (f *faults) dropDevice(device string) {
	f.list = slices.DeleteFunc(f.list, func(e *Error) bool { return e.Device == device })
}

// err joins the errors in natural order of devices and ports; nil when there are none.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b *Error) int {
		return cmp.Or(compareNatural(a.Device, b.Device), cmp.Compare(a.Port, b.Port))
	})
	all := make(joined, len(f.list))
	for i, e := range f.list {
		all[i] = e
	}
	return all
}

// joined is like the error of errors.Join: one message per line.
type joined []error

func (j joined) Error() string {
	lines := make([]string, len(j))
	for i, e := range j {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

func (j joined) Unwrap() []error { return j }
