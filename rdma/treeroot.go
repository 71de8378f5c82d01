package rdma

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// rooted is a folder for systems without openat2: os.Root follows each part of a
// name itself, and refuses links that lead out.
type rooted struct{ root *os.Root }

func openRooted(top string) (folder, error) {
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, cause(err)
	}
	return rooted{root}, nil
}

func (r rooted) sub(name string) (folder, error) {
	root, err := r.root.OpenRoot(name)
	if err != nil {
		return nil, cause(err)
	}
	return rooted{root}, nil
}

func (r rooted) read(name string, buf []byte) (int, error) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return 0, cause(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return 0, cause(err)
	} else if info.IsDir() {
		return 0, unix.EISDIR
	} else if !info.Mode().IsRegular() {
		return 0, unix.EINVAL
	}
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return n, cause(err)
}

func (r rooted) list(name string, limit int) ([]fs.DirEntry, error) {
	f, err := r.root.Open(name)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	entries, err := f.ReadDir(limit)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, cause(err)
}

func (r rooted) readlink(name string) (string, error) {
	target, err := r.root.Readlink(name)
	return target, cause(err)
}

func (r rooted) exists(name string) bool {
	_, err := r.root.Lstat(name)
	return err == nil
}

func (r rooted) close() { r.root.Close() }

// cause takes the errno out of an *fs.PathError: the path is in our own error.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
