package ibsim

import (
	"context"
	"errors"
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// udpBuffer is asked for at each data socket: UDP loses what does not fit.
const udpBuffer = 4 << 20

// udpControl is a control socket on UDP over IPv4, as ibsim -r has it.
type udpControl struct {
	*os.File
	local *syscall.SockaddrInet4
	raw   syscall.RawConn
}

func listenUDP(ctx context.Context, o *Options) (controlSocket, error) {
	at, err := lookUp(ctx, o.address(), o.Resolve)
	if err != nil {
		return nil, err
	}
	c, err := openSocket(at)
	if err != nil {
		return nil, err
	}
	local, err := ownAddress(c)
	if err != nil {
		c.Close()
		return nil, err
	}
	raw, err := c.SyscallConn()
	return &udpControl{c, local, raw}, err
}

func (u *udpControl) addr() string { return addressText(u.local) }

func (u *udpControl) close() { u.Close() }

func (u *udpControl) receive(b []byte) (int, syscall.Sockaddr, error) {
	for {
		n, from, err := receiveFrom(u.raw, b)
		// A client whose port has vanished is no reason to end.
		if err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			return n, from, err
		}
	}
}

func (u *udpControl) send(b []byte, to syscall.Sockaddr) { sendTo(u, b, to) }

// dataAddr is the port with which the client came, at the address from which it
// spoke.
func (u *udpControl) dataAddr(id uint32, from syscall.Sockaddr) (string, error) {
	at, ok := from.(*syscall.SockaddrInet4)
	if !ok || id == 0 || id > math.MaxUint16 {
		return "", syscall.EINVAL
	}
	return addressText(&syscall.SockaddrInet4{Port: int(id), Addr: at.Addr}), nil
}

func (u *udpControl) openData(slot int, peer string) (*dataSocket, error) {
	to, err := lookUp(context.Background(), peer, nil)
	if err != nil {
		return nil, err
	}
	port := u.local.Port + 1 + slot
	if port > math.MaxUint16 {
		return nil, errPort
	}
	c, err := openSocket(&syscall.SockaddrInet4{Port: port, Addr: u.local.Addr})
	if err != nil {
		return nil, err
	}
	if err := connectSocket(c, to); err != nil {
		c.Close()
		return nil, err
	}
	growBuffer(c)
	s, err := newDataSocket(c, peer, func() bool { return udpExists(to) })
	if err == nil {
		s.pace = &pacer{unread: func() (uint64, bool) { return udpQueued(to) }}
	}
	return s, err
}

// growBuffer makes room for the requests of a client that asks fast: as much as
// root may, else as much as the kernel allows everybody.
func growBuffer(c *os.File) {
	_ = withFD(c, func(fd int) error {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, udpBuffer)
		return unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, udpBuffer)
	})
}

// udpExists reports whether a port of this machine is in use, by trying to use
// it. Of other machines it says yes: there only an error on the way tells.
func udpExists(at *syscall.SockaddrInet4) bool {
	c, err := openSocket(at)
	if err != nil {
		return true
	}
	c.Close()
	return false
}
