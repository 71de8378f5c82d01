package uverbs

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// deviceFile is an open /dev/infiniband/uverbsN.
type deviceFile struct {
	file *os.File
}

// openKernel opens a device file. It is not put into the poller: ioctls are all
// that is done with it.
func openKernel(path string) (kernel, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &deviceFile{file: os.NewFile(uintptr(fd), path)}, nil
}

// do runs the ioctl. Interrupted calls are made again: none of the commands
// leaves anything behind when it is interrupted.
func (f *deviceFile) do(c *command) error {
	var p runtime.Pinner
	defer p.Unpin()
	buf := c.marshal(&p)
	for {
		err := f.ioctl(unsafe.Pointer(&buf[0]))
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func (f *deviceFile) ioctl(arg unsafe.Pointer) error {
	raw, err := f.file.SyscallConn()
	if err != nil {
		return os.ErrClosed
	}
	var errno unix.Errno
	err = raw.Control(func(fd uintptr) {
		_, _, errno = unix.Syscall(unix.SYS_IOCTL, fd, verbsIoctl, uintptr(arg))
	})
	switch {
	case err != nil: // its own error is none that errors.Is knows
		return os.ErrClosed
	case errno != 0:
		return errno
	}
	return nil
}

// Close ends the context and everything that belongs to it.
func (f *deviceFile) Close() error { return f.file.Close() }

func (f *deviceFile) closeFD(fd uint32) error { return unix.Close(int(fd)) }
