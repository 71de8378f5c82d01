package ibsim

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
)

// listenControl makes the control socket for the mode that o names.
func listenControl(o *Options) (controlSocket, error) {
	switch o.Network {
	case "", "unix":
		return listenUnix(o.name())
	case "udp":
		return listenUDP(context.Background(), o)
	}
	return nil, unknownNetwork(o.Network)
}

// unixControl is a control socket with an abstract name.
type unixControl struct {
	*os.File
	name string
	raw  syscall.RawConn
}

func listenUnix(name string) (controlSocket, error) {
	if len(name) > maxName {
		return nil, syscall.ENAMETOOLONG
	}
	c, err := openSocket(&syscall.SockaddrUnix{Name: abstract(name, "ctl")})
	if err != nil {
		return nil, err
	}
	raw, err := c.SyscallConn()
	return &unixControl{c, name, raw}, err
}

func (u *unixControl) addr() string { return u.name }

func (u *unixControl) close() { u.Close() }

func (u *unixControl) receive(b []byte) (int, syscall.Sockaddr, error) {
	for {
		n, from, err := receiveFrom(u.raw, b)
		if err != nil || from != nil && addressText(from) != "" {
			return n, from, err
		}
		// A socket without a name cannot be answered.
	}
}

func (u *unixControl) send(b []byte, to syscall.Sockaddr) {
	name := addressText(to) + "\x00" // which package syscall takes for the end of the name
	sendTo(u, b, &syscall.SockaddrUnix{Name: name})
}

// dataAddr: the two sockets of a client have the same number, so nobody can
// speak for another.
func (u *unixControl) dataAddr(id uint32, from syscall.Sockaddr) (string, error) {
	own := strings.TrimSuffix(abstract(u.name, fmt.Sprintf("ctl%d", id)), "\x00")
	if id == 0 || id > math.MaxInt32 || addressText(from) != own {
		return "", syscall.EINVAL
	}
	return abstract(u.name, fmt.Sprintf("in%d", id)), nil
}

func (u *unixControl) openData(slot int, peer string) (*dataSocket, error) {
	c, err := openSocket(localAddr(u.name, "out", uint32(slot)))
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
