package rdma

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// Bounds of what is read. The kernel's own: a page per attribute; ports and
// tables below the numbers that a byte or two can hold.
const (
	maxText    = 4096  // bytes of an attribute
	maxDevices = 4096  // entries of /sys/class/infiniband, and of its siblings
	maxPorts   = 4096  // of a device
	maxEntries = 65536 // of a GID or P_Key table, of a set of counters
)

// dir is a directory of sysfs. Nothing outside of it can be reached.
// A dir and those opened from it are for one goroutine: they share a buffer.
type dir struct {
	in   folder
	top  string // the root of sysfs, as it is shown in errors
	path string // below top, with slashes, "" for top itself
	buf  []byte // of maxText+1 bytes, to see that a file is longer
}

// folder is an open directory that refuses names which lead out of it. Links are
// followed but for the last part of the name in readlink and exists. Errors are
// bare, for dir knows the whole path.
type folder interface {
	sub(name string) (folder, error)
	// read fills buf from a regular file; others give unix.EISDIR or unix.EINVAL.
	read(name string, buf []byte) (int, error)
	list(name string, limit int) ([]fs.DirEntry, error)
	readlink(name string) (string, error) // unix.EINVAL for what is no link
	exists(name string) bool
	close()
}

// openTop opens the root of sysfs.
func openTop(top string) (*dir, error) {
	in, err := openBeneath(top)
	if in == nil && err == nil {
		in, err = openRooted(top)
	}
	if err != nil {
		return nil, err
	}
	return &dir{in: in, top: top, buf: make([]byte, maxText+1)}, nil
}

// sub opens a directory below d.
func (d *dir) sub(name string) (*dir, error) {
	in, err := d.in.sub(name)
	if err != nil {
		return nil, err
	}
	return &dir{in: in, top: d.top, path: path.Join(d.path, name), buf: d.buf}, nil
}

func (d *dir) close() { d.in.close() }

// name is the full path of something below d.
func (d *dir) name(below string) string {
	return path.Join(d.top, d.path, below)
}

// text reads a file without its trailing newlines and NULs. A file of more than
// maxText bytes gives unix.EFBIG, anything but a regular file unix.EINVAL.
func (d *dir) text(name string) (string, error) {
	n, err := d.in.read(name, d.buf)
	switch {
	case err != nil:
		return "", err
	case n == len(d.buf):
		return "", unix.EFBIG
	}
	return strings.TrimRight(string(d.buf[:n]), "\r\n\x00"), nil
}

// list names the entries of a directory, in no order; with
// more than limit of them it gives some and unix.E2BIG.
func (d *dir) list(name string, limit int) ([]fs.DirEntry, error) {
	entries, err := d.in.list(name, limit+1)
	if err == nil && len(entries) > limit {
		return entries[:limit], unix.E2BIG
	}
	return entries, err
}

// resolve gives the path below the root of sysfs of an entry of d that may be a
// link. Links of sysfs are relative; an absolute one, as people make them by
// hand, counts when it leads below the root of sysfs or below /sys.
func (d *dir) resolve(name string) (string, error) {
	target, err := d.in.readlink(name)
	switch {
	case errors.Is(err, unix.EINVAL):
		return path.Join(d.path, name), nil // no link
	case err != nil:
		return "", err
	case !path.IsAbs(target):
		return path.Join(d.path, path.Dir(name), target), nil
	}
	target = path.Clean(target)
	for _, top := range []string{d.top, defaultSys} {
		if below, ok := strings.CutPrefix(target, top+"/"); ok {
			return below, nil
		}
	}
	return target, nil // it will be refused
}
