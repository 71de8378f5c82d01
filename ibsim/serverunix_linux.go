package ibsim

import (
	"fmt"
	"math"
	"net"
	"strings"
	"syscall"
)

// listenControl makes the control socket for the mode that o names.
func listenControl(o *Options) (controlSocket, error) {
	switch o.Network {
	case "", "unix":
		return listenUnix(o.name())
	case "udp":
		return listenUDP(o.address())
	}
	return nil, net.UnknownNetworkError(o.Network)
}

// unixControl is a control socket with an abstract name.
type unixControl struct {
	*net.UnixConn
	name string
	raw  syscall.RawConn
}

func listenUnix(name string) (controlSocket, error) {
	if len(name) > maxName {
		return nil, syscall.ENAMETOOLONG
	}
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: abstract(name, "ctl"), Net: "unixgram"})
	if err != nil {
		return nil, err
	}
	raw, err := c.SyscallConn()
	return &unixControl{c, name, raw}, err
}

func (u *unixControl) addr() string { return u.name }

func (u *unixControl) close() { u.Close() }

func (u *unixControl) receive(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := u.ReadFromUnix(b)
		if err != nil || from != nil && from.Name != "" {
			return n, from, err
		}
		// A socket without a name cannot be answered.
	}
}

func (u *unixControl) send(b []byte, to net.Addr) {
	name := to.(*net.UnixAddr).Name + "\x00" // which package net takes for the end of the name
	_ = u.raw.Control(func(fd uintptr) {
		_ = syscall.Sendto(int(fd), b, syscall.MSG_DONTWAIT, &syscall.SockaddrUnix{Name: name})
	})
}

// dataAddr: the two sockets of a client have the same number, so nobody can
// speak for another.
func (u *unixControl) dataAddr(id uint32, from net.Addr) (string, error) {
	own := strings.TrimSuffix(abstract(u.name, fmt.Sprintf("ctl%d", id)), "\x00")
	if id == 0 || id > math.MaxInt32 || from.String() != own {
		return "", syscall.EINVAL
	}
	return abstract(u.name, fmt.Sprintf("in%d", id)), nil
}

func (u *unixControl) openData(slot int, peer string) (*dataSocket, error) {
	own := &net.UnixAddr{Name: abstract(u.name, fmt.Sprintf("out%d", slot)), Net: "unixgram"}
	c, err := net.ListenUnixgram("unixgram", own)
	if err != nil {
		return nil, err
	}
	if err := connectSocket(c, &syscall.SockaddrUnix{Name: peer}); err != nil {
		c.Close()
		return nil, err
	}
	return newDataSocket(c, peer, func() bool { return unixExists(peer) })
}

// unixExists reports whether a socket of that name exists. Whoever is connected
// elsewhere refuses to be connected to, but not as if there was nobody.
func unixExists(name string) bool {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return true // we do not know
	}
	defer syscall.Close(fd)
	return syscall.Connect(fd, &syscall.SockaddrUnix{Name: name}) != syscall.ECONNREFUSED
}
