package ibsim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
		return openUDP(ctx, o)
	}
	return nil, unknownNetwork(o.Network)
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
	data, err := openSocket(localAddr(name, "in", id))
	if err != nil {
		return nil, err
	}
	ctl, err := openSocket(localAddr(name, "ctl", id))
	if err != nil {
		data.Close()
		return nil, err
	}
	connect := func(slot int) error {
		return connectSocket(data, localAddr(name, "out", uint32(slot)))
	}
	s, err := newSockets(id, ctl, data, connect)
	if err != nil {
		return nil, err
	}
	if err := connectSocket(ctl, &syscall.SockaddrUnix{Name: abstract(name, "ctl")}); err != nil {
		s.close()
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
func fill(ctx context.Context, ctl *os.File) error {
	err := withFD(ctl, func(fd int) error {
		if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_SNDBUF, 1); err != nil {
			return err
		}
		for range maxFill {
			if _, err := syscall.Write(fd, []byte{0}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
		return ctx.Err()
	}
	return err
}

// abstract is a name outside the file system, which the simulator always uses
// with a NUL at its end.
func abstract(name, suffix string) string { return "@" + name + ":" + suffix + "\x00" }

func localAddr(name, kind string, id uint32) *syscall.SockaddrUnix {
	return &syscall.SockaddrUnix{Name: abstract(name, fmt.Sprintf("%s%d", kind, id))}
}

// openUDP makes sockets for a simulator that listens on UDP over IPv4; it has
// no other. The simulator sends to the port of the data socket, at the address
// from which the control message came.
func openUDP(ctx context.Context, o *Options) (*sockets, error) {
	server, err := lookUp(ctx, o.address(), o.Resolve)
	if err != nil {
		return nil, err
	}
	ctl, err := openSocket(&syscall.SockaddrInet4{})
	if err != nil {
		return nil, err
	}
	data, err := openData(ctl, server)
	if err != nil {
		ctl.Close()
		return nil, err
	}
	connect := func(slot int) error {
		return connectSocket(data, &syscall.SockaddrInet4{Port: server.Port + 1 + slot, Addr: server.Addr})
	}
	s, err := newSockets(0, ctl, data, connect)
	if err != nil {
		return nil, err
	}
	own, err := ownAddress(data)
	if err != nil {
		s.close()
		return nil, err
	}
	s.id = uint32(own.Port)
	s.drained = func(ctx context.Context) error { return ctx.Err() } // no harm in UDP
	return s, nil
}

// openData connects the control socket to the server, and makes a data socket at the
// address that this machine has on the way there.
func openData(ctl *os.File, server *syscall.SockaddrInet4) (*os.File, error) {
	if err := connectSocket(ctl, server); err != nil {
		return nil, err
	}
	own, err := ownAddress(ctl)
	if err != nil {
		return nil, err
	}
	return openSocket(&syscall.SockaddrInet4{Addr: own.Addr})
}

func newSockets(id uint32, ctl, data *os.File, connect func(int) error) (*sockets, error) {
	s := &sockets{id: id, ctl: ctl, data: data, connect: connect}
	var err error
	if s.raw, err = data.SyscallConn(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}
