package rdma

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// beneath is a folder whose names the kernel resolves, with one system call for a
// path of any length. os.Root makes one for each part of it, which is most of the
// time of a list of many devices.
type beneath struct {
	fd   int
	path string // for what a list finds out later about an entry
}

// openBeneath opens a root of sysfs; nil when the kernel (before Linux 5.6) or a
// sandbox does not have the call.
func openBeneath(top string) (folder, error) {
	fd, err := unix.Open(top, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	b := beneath{fd, top}
	probe, err := b.open(".", unix.O_PATH)
	if err != nil {
		b.close()
		return nil, nil // os.Root will say what else is wrong
	}
	unix.Close(probe)
	return b, nil
}

// maxTries bounds how often a name is looked up again that moved meanwhile.
const maxTries = 64

// outside is what becomes of links that lead out of the tree.
type outside struct{}

func (outside) Error() string { return "it leads out of the tree" }
func (outside) Unwrap() error { return unix.EXDEV }

func (b beneath) open(name string, flags int) (int, error) {
	how := unix.OpenHow{
		Flags:   uint64(flags | unix.O_CLOEXEC),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	for try := 0; ; try++ {
		fd, err := unix.Openat2(b.fd, name, &how)
		switch {
		case (err == unix.EINTR || err == unix.EAGAIN) && try < maxTries:
		case err == unix.EXDEV:
			return -1, outside{}
		default:
			return fd, err
		}
	}
}

func (b beneath) sub(name string) (folder, error) {
	fd, err := b.open(name, unix.O_PATH|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	return beneath{fd, path.Join(b.path, name)}, nil
}

func (b beneath) read(name string, buf []byte) (int, error) {
	// Not to be held up by a FIFO that somebody left in a copied tree.
	fd, err := b.open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, err
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		return 0, unix.EISDIR
	default:
		return 0, unix.EINVAL
	}
	for {
		// An attribute comes whole or not at all.
		n, err := unix.Read(fd, buf)
		if err != unix.EINTR {
			return max(n, 0), err
		}
	}
}

func (b beneath) list(name string, limit int) ([]fs.DirEntry, error) {
	fd, err := b.open(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path.Join(b.path, name))
	defer f.Close()
	entries, err := f.ReadDir(limit)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

func (b beneath) readlink(name string) (string, error) {
	fd, err := b.open(name, unix.O_PATH|unix.O_NOFOLLOW)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	buf := make([]byte, maxText)
	n, err := unix.Readlinkat(fd, "", buf)
	switch {
	case errors.Is(err, unix.ENOENT): // the kernel's word for what is no link, by an empty name
		return "", unix.EINVAL
	case err != nil:
		return "", err
	}
	return string(buf[:n]), nil
}

func (b beneath) exists(name string) bool {
	fd, err := b.open(name, unix.O_PATH|unix.O_NOFOLLOW)
	if err != nil {
		return false
	}
	unix.Close(fd)
	return true
}

func (b beneath) close() { unix.Close(b.fd) }
