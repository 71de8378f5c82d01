package ibsim

import (
	"os"
	"syscall"
)

// openSocket makes a datagram socket and binds it. It waits by the
// runtime's poller, as those of package net do: so it has deadlines, and Close ends what
// waits. Errors are a syscall.Errno.
func openSocket(own syscall.Sockaddr) (*os.File, error) {
	family := syscall.AF_UNIX
	if _, ok := own.(*syscall.SockaddrInet4); ok {
		family = syscall.AF_INET
	}
	fd, err := syscall.Socket(family, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Bind(fd, own); err != nil {
		syscall.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), "socket"), nil
}

// withFD calls f with the descriptor of a socket, which stays open meanwhile.
func withFD(s syscall.Conn, f func(fd int) error) error {
	raw, err := s.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	if err := raw.Control(func(fd uintptr) { failure = f(int(fd)) }); err != nil {
		return err
	}
	return failure
}

// connectSocket connects a bound socket.
func connectSocket(s syscall.Conn, to syscall.Sockaddr) error {
	return withFD(s, func(fd int) error { return syscall.Connect(fd, to) })
}

// ownAddress is what a UDP socket is bound to.
func ownAddress(s syscall.Conn) (*syscall.SockaddrInet4, error) {
	var at syscall.Sockaddr
	err := withFD(s, func(fd int) (err error) {
		at, err = syscall.Getsockname(fd)
		return err
	})
	if err != nil {
		return nil, err
	}
	own, ok := at.(*syscall.SockaddrInet4)
	if !ok {
		return nil, syscall.EAFNOSUPPORT
	}
	return own, nil
}

// receiveFrom waits for a datagram and says from whom it is: nil if that has no address.
func receiveFrom(raw syscall.RawConn, b []byte) (n int, from syscall.Sockaddr, err error) {
	waiting := raw.Read(func(fd uintptr) bool {
		for {
			n, from, err = syscall.Recvfrom(int(fd), b, 0)
			if err != syscall.EINTR {
				return err != syscall.EAGAIN
			}
		}
	})
	if waiting != nil {
		return 0, nil, waiting
	}
	return n, from, err
}

// sendTo sends a datagram to an address, unless there is no room.
func sendTo(s syscall.Conn, b []byte, to syscall.Sockaddr) {
	_ = withFD(s, func(fd int) error { return syscall.Sendto(fd, b, syscall.MSG_DONTWAIT, to) })
}

// trySend writes one datagram without waiting for room: EAGAIN if there is none.
func trySend(fd uintptr, d *datagram) error {
	for {
		_, err := syscall.Write(int(fd), d[:])
		if err != syscall.EINTR {
			return err
		}
	}
}
