package ibsim

import (
	"errors"
	"math"
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// udpBuffer is asked for at each data socket: UDP loses what does not fit.
const udpBuffer = 4 << 20

// udpControl is a control socket on UDP over IPv4, as ibsim -r has it.
type udpControl struct {
	*net.UDPConn
	local netip.AddrPort
}

func listenUDP(address string) (controlSocket, error) {
	at, err := net.ResolveUDPAddr("udp4", address)
	if err != nil {
		return nil, err
	}
	c, err := net.ListenUDP("udp4", at)
	if err != nil {
		return nil, err
	}
	return &udpControl{c, c.LocalAddr().(*net.UDPAddr).AddrPort()}, nil
}

func (u *udpControl) addr() string { return u.local.String() }

func (u *udpControl) close() { u.Close() }

func (u *udpControl) receive(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := u.ReadFromUDP(b)
		// A client whose port has vanished is no reason to end.
		if err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			return n, from, err
		}
	}
}

func (u *udpControl) send(b []byte, to net.Addr) { _, _ = u.WriteToUDP(b, to.(*net.UDPAddr)) }

// dataAddr is the port with which the client came, at the address from which it
// spoke.
func (u *udpControl) dataAddr(id uint32, from net.Addr) (string, error) {
	if id == 0 || id > math.MaxUint16 {
		return "", syscall.EINVAL
	}
	ip := from.(*net.UDPAddr).AddrPort().Addr()
	return netip.AddrPortFrom(ip, uint16(id)).String(), nil
}

func (u *udpControl) openData(slot int, peer string) (*dataSocket, error) {
	to, err := netip.ParseAddrPort(peer)
	if err != nil {
		return nil, err
	}
	port := int(u.local.Port()) + 1 + slot
	if port > math.MaxUint16 {
		return nil, errPort
	}
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(u.local.Addr(), uint16(port))))
	if err != nil {
		return nil, err
	}
	if err := connectSocket(c, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
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
func growBuffer(c *net.UDPConn) {
	_ = c.SetReadBuffer(udpBuffer)
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, udpBuffer)
	})
}

// udpExists reports whether a port of this machine is in use, by trying to use
// it. Of other machines it says yes: there only an error on the way tells.
func udpExists(at netip.AddrPort) bool {
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(at))
	if err != nil {
		return true
	}
	c.Close()
	return false
}
