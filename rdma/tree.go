package rdma

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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

// dir is a directory of sysfs. Nothing outside of it can be reached: links are
// followed by os.Root, which refuses those that lead out.
// A dir and those opened from it are for one goroutine: they share a buffer.
type dir struct {
	root *os.Root
	top  string // the root of sysfs, as it is shown in errors
	path string // below top, with slashes, "" for top itself
	buf  []byte // of maxText+1 bytes, to see that a file is longer
}

// openTop opens the root of sysfs.
func openTop(top string) (*dir, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, cause(err)
	}
	return &dir{root: root, top: top, buf: make([]byte, maxText+1)}, nil
}

// sub opens a directory below d.
func (d *dir) sub(name string) (*dir, error) {
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, cause(err)
	}
	return &dir{root: root, top: d.top, path: path.Join(d.path, name), buf: d.buf}, nil
}

func (d *dir) close() { d.root.Close() }

// name is the full path of something below d.
func (d *dir) name(below string) string {
	return filepath.Join(d.top, filepath.FromSlash(d.path), filepath.FromSlash(below))
}

// text reads a file without its trailing newlines and NULs. A file of more than
// maxText bytes gives unix.EFBIG, anything but a regular file unix.EINVAL.
func (d *dir) text(name string) (string, error) {
	// Not to be held up by a FIFO that somebody left in a copied tree.
	f, err := d.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", cause(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return "", cause(err)
	} else if info.IsDir() {
		return "", unix.EISDIR
	} else if !info.Mode().IsRegular() {
		return "", unix.EINVAL
	}
	n, err := io.ReadFull(f, d.buf)
	switch {
	case err == nil:
		return "", unix.EFBIG
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return "", cause(err)
	}
	return strings.TrimRight(string(d.buf[:n]), "\r\n\x00"), nil
}

// list names the entries of a directory, in natural order of no promise; with
// more than limit of them it gives the first and unix.E2BIG.
func (d *dir) list(name string, limit int) ([]fs.DirEntry, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	entries, err := f.ReadDir(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return entries, cause(err)
	}
	if len(entries) > limit {
		return entries[:limit], unix.E2BIG
	}
	return entries, nil
}

// resolve gives the path below the root of sysfs of an entry of d that may be a
// link. Links of sysfs are relative; an absolute one, as people make them by
// hand, counts when it leads below the root of sysfs or below /sys.
func (d *dir) resolve(name string) (string, error) {
	target, err := d.root.Readlink(name)
	switch {
	case errors.Is(err, unix.EINVAL):
		return path.Join(d.path, name), nil // no link
	case err != nil:
		return "", cause(err)
	case !path.IsAbs(target):
		return path.Join(d.path, path.Dir(name), target), nil
	}
	target = path.Clean(target)
	for _, top := range []string{filepath.ToSlash(d.top), defaultSys} {
		if below, ok := strings.CutPrefix(target, top+"/"); ok {
			return below, nil
		}
	}
	return target, nil // os.Root will refuse it
}

// cause takes the errno out of an *fs.PathError: the path is in our own error.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
