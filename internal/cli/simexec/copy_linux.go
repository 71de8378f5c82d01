package simexec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// copyTo makes a new directory that shows all entries of a place, but for those
// that come from the simulator: they are empty directories. Each entry is bound,
// so that a device stays the device, and a terminal the terminal.
func (p *place) copyTo(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return failed("make", dir, err)
	}
	if err := mountTmpfs(dir, unix.MS_NOSUID); err != nil {
		return err
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return failed("read", p.dir, err)
	}
	for _, e := range entries {
		if p.from[e.Name()] != "" {
			continue
		}
		err := copyEntry(filepath.Join(p.dir, e.Name()), filepath.Join(dir, e.Name()), e.Type())
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // devices come and go
			return err
		}
	}
	for name := range p.from {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return failed("make", filepath.Join(dir, name), err)
		}
	}
	return nil
}

func copyEntry(from, to string, kind fs.FileMode) error {
	switch {
	case kind&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return failed("read", from, err)
		}
		return failed("make", to, os.Symlink(target, to))
	case kind.IsDir():
		if err := os.Mkdir(to, 0o755); err != nil {
			return failed("make", to, err)
		}
	default:
		if err := os.WriteFile(to, nil, 0o644); err != nil {
			return failed("make", to, err)
		}
	}
	return bind(from, to)
}
