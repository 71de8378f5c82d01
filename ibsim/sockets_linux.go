package ibsim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"syscall"
)

// idAttempts bounds the search for a client id that nobody uses.
const idAttempts = 64

// maxName leaves room in a socket address of 108 bytes for the rest of a name.
const maxName = 80

// openSockets makes the sockets of a client for the mode that o names.
func openSockets(ctx context.Context, o *Options) (*sockets, error) {
	switch o.Network {
	case "", "unix":
		return openLocal(o.name())
	case "udp":
		return openUDP(ctx, o.address())
	}
	return nil, net.UnknownNetworkError(o.Network)
}

// openLocal makes sockets with abstract names. The first id to try is the
// process id, which C clients use and the simulator shows; further clients of
// the process get random numbers above all process ids.
func openLocal(name string) (*sockets, error) {
	if len(name) > maxName {
		return nil, syscall.ENAMETOOLONG
	}
	id := uint32(os.Getpid())
	for range idAttempts {
		s, err := openLocalID(name, id)
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return s, err
		}
		id = 1<<30 | rand.Uint32N(1<<30)
	}
	return nil, syscall.EADDRINUSE
}

func openLocalID(name string, id uint32) (*sockets, error) {
	data, err := net.ListenUnixgram("unixgram", localAddr(name, "in", id))
	if err != nil {
		return nil, err
	}
	server := &net.UnixAddr{Name: abstract(name, "ctl"), Net: "unixgram"}
	ctl, err := net.DialUnix("unixgram", localAddr(name, "ctl", id), server)
	if err != nil {
		data.Close()
		return nil, err
	}
	connect := func(slot int) error {
		return connectSocket(data, &syscall.SockaddrUnix{Name: abstract(name, fmt.Sprintf("out%d", slot))})
	}
	s, err := newSockets(id, ctl, data, connect)
	if err != nil {
		return nil, err
	}
	s.drained = func(ctx context.Context) error { return fill(ctx, ctl) }
	return s, nil
}

// maxFill bounds the datagrams of fill; six or seven make a socket full.
const maxFill = 32

// fill sends datagrams that the simulator ignores, for their size, until the
// socket of the smallest possible buffer is full. What is sent next waits in
// the kernel until the simulator has read at least one, and is never queued at
// one that does not: ibsim ends itself when it comes to serve a request for a
// slot whose sender has given up in the meantime.
func fill(ctx context.Context, ctl *net.UnixConn) error {
	if err := ctl.SetWriteBuffer(1); err != nil {
		return err
	}
	raw, err := ctl.SyscallConn()
	if err != nil {
		return err
	}
	var errno error
	for range maxFill {
		if err := raw.Write(func(fd uintptr) bool {
			_, errno = syscall.Write(int(fd), []byte{0})
			return true
		}); err != nil {
			return err
		}
		if errno != nil {
			break
		}
	}
	if errno == nil || errno == syscall.EAGAIN || errno == syscall.EINTR {
		return ctx.Err()
	}
	return errno
}

// abstract is a name outside the file system, which the simulator always uses
// with a NUL at its end.
func abstract(name, suffix string) string { return "@" + name + ":" + suffix + "\x00" }

func localAddr(name, kind string, id uint32) *net.UnixAddr {
	return &net.UnixAddr{Name: abstract(name, fmt.Sprintf("%s%d", kind, id)), Net: "unixgram"}
}

// openUDP makes sockets for a simulator that listens on UDP over IPv4; it has
// no other. The simulator sends to the port of the data socket, at the address
// from which the control message came.
func openUDP(ctx context.Context, address string) (*sockets, error) {
	var d net.Dialer
	ctl, err := d.DialContext(ctx, "udp4", address)
	if err != nil {
		return nil, err
	}
	own := ctl.LocalAddr().(*net.UDPAddr)
	data, err := net.ListenUDP("udp4", &net.UDPAddr{IP: own.IP})
	if err != nil {
		ctl.Close()
		return nil, err
	}
	server := ctl.RemoteAddr().(*net.UDPAddr)
	connect := func(slot int) error {
		to := &syscall.SockaddrInet4{Port: server.Port + 1 + slot}
		copy(to.Addr[:], server.IP.To4())
		return connectSocket(data, to)
	}
	s, err := newSockets(uint32(data.LocalAddr().(*net.UDPAddr).Port), ctl, data, connect)
	if err != nil {
		return nil, err
	}
	s.drained = func(ctx context.Context) error { return ctx.Err() } // no harm in UDP
	return s, nil
}

func newSockets(id uint32, ctl net.Conn, data dataConn, connect func(int) error) (*sockets, error) {
	s := &sockets{id: id, ctl: ctl, data: data, connect: connect}
	var err error
	if s.raw, err = data.SyscallConn(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// connectSocket connects a bound socket, for which package net has no call.
func connectSocket(c syscall.Conn, to syscall.Sockaddr) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var errno error
	if err := raw.Control(func(fd uintptr) { errno = syscall.Connect(int(fd), to) }); err != nil {
		return err
	}
	return errno
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
