package nldev

import (
	"errors"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// socket is a netlink socket of the kernel.
type socket struct {
	file   *os.File
	number uint32 // of the latest request
}

// dial opens a socket of a family of netlink in a network namespace, nil for the
// process's own.
func dial(namespace *os.File, family int) (Conn, error) {
	if namespace == nil {
		return open(family)
	}
	type result struct {
		conn Conn
		err  error
	}
	done := make(chan result)
	go func() {
		// The thread belongs to the other namespace then. It ends with the goroutine,
		// because nobody unlocks it.
		runtime.LockOSThread()
		err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET)
		if err != nil {
			done <- result{nil, err}
			return
		}
		conn, err := open(family)
		done <- result{conn, err}
	}()
	r := <-done
	return r.conn, r.err
}

func open(family int) (Conn, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, family)
	if err != nil {
		return nil, err
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return &socket{file: os.NewFile(uintptr(fd), "netlink")}, nil
}

// SetDeadline implements Conn.
func (s *socket) SetDeadline(t time.Time) error { return s.file.SetDeadline(t) }

// Close implements Conn.
func (s *socket) Close() error { return s.file.Close() }

// Exchange implements Conn.
func (s *socket) Exchange(request Message) ([]Message, error) {
	s.number++
	if _, err := s.file.Write(request.encode(s.number)); err != nil {
		return nil, cause(err)
	}
	a := answer{number: s.number}
	for !a.complete {
		datagram, err := s.receive()
		if err == nil {
			err = a.add(datagram)
		}
		if err != nil {
			return nil, cause(err)
		}
	}
	return a.messages, nil
}

// cause is an error of a file without its name.
func cause(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}

// receive waits for a datagram of the kernel, of any size.
func (s *socket) receive() ([]byte, error) {
	raw, err := s.file.SyscallConn()
	if err != nil {
		return nil, err
	}
	var b []byte
	var from unix.Sockaddr
	var errno error
	read := func(fd uintptr) bool {
		var size int
		for errno = unix.EINTR; errno == unix.EINTR; {
			if size, _, errno = unix.Recvfrom(int(fd), nil, unix.MSG_PEEK|unix.MSG_TRUNC); errno == nil {
				b = make([]byte, size)
				_, from, errno = unix.Recvfrom(int(fd), b, 0)
			}
		}
		return errno != unix.EAGAIN
	}
	for {
		if err := raw.Read(read); err != nil {
			return nil, err
		}
		if errno != nil {
			return nil, errno
		}
		if kernel, ok := from.(*unix.SockaddrNetlink); ok && kernel.Pid == 0 {
			return b, nil
		}
	}
}
