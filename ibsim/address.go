package ibsim

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

// Packages net and net/netip are not used here: in the order in which a program initialises
// its packages they come late, and with them every tool that finds a simulator.

// ErrUnresolved says that an address has the name of a host, and that nobody looks it up. It is not
// found where Options.Resolve is set.
var ErrUnresolved = errors.New("is a name, and there is nobody to look it up")

// Resolver finds the addresses of a host by its name, as the method LookupHost of a
// *net.Resolver does.
type Resolver func(ctx context.Context, host string) (addresses []string, err error)

// splitAddress cuts HOST:PORT. Without a port it is DefaultPort.
func splitAddress(address string) (host, port string) {
	if i := strings.LastIndexByte(address, ':'); i >= 0 {
		return address[:i], address[i+1:]
	}
	return address, strconv.Itoa(DefaultPort)
}

// lookUp finds the IPv4 address behind HOST:PORT: the protocol has no other. HOST "" is any.
func lookUp(ctx context.Context, address string, resolve Resolver) (*syscall.SockaddrInet4, error) {
	host, port := splitAddress(address)
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("port %q: expected a number, 0…65535", port)
	}
	at := &syscall.SockaddrInet4{Port: int(number)}
	switch ip, ok := parseIPv4(host); {
	case host == "":
		return at, nil
	case ok:
		at.Addr = ip
		return at, nil
	case strings.ContainsAny(host, ":[]"):
		return nil, fmt.Errorf("host %q: expected an IPv4 address or a name: %w", host, syscall.EAFNOSUPPORT)
	case resolve == nil:
		return nil, fmt.Errorf("host %q %w", host, ErrUnresolved)
	}
	found, err := resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	for _, text := range found {
		if ip, ok := parseIPv4(text); ok {
			at.Addr = ip
			return at, nil
		}
	}
	return nil, fmt.Errorf("host %q has no IPv4 address: %w", host, syscall.EADDRNOTAVAIL)
}

// parseIPv4 reads four decimal numbers with dots between them, without zeros in front,
// which some programs take for octal.
func parseIPv4(text string) (ip [4]byte, ok bool) {
	for i := range ip {
		part, rest, more := strings.Cut(text, ".")
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || more != (i < len(ip)-1) || len(part) > 1 && part[0] == '0' {
			return ip, false
		}
		ip[i], text = byte(n), rest
	}
	return ip, true
}

// unknownNetwork is the error of a name other than unix and udp.
func unknownNetwork(name string) error {
	return fmt.Errorf("network %q: expected \"unix\" or \"udp\"", name)
}

// addressText is an address as HOST:PORT, or the name of a socket of this machine.
func addressText(at syscall.Sockaddr) string {
	switch at := at.(type) {
	case *syscall.SockaddrInet4:
		return fmt.Sprintf("%d.%d.%d.%d:%d", at.Addr[0], at.Addr[1], at.Addr[2], at.Addr[3], at.Port)
	case *syscall.SockaddrUnix:
		return at.Name
	}
	return ""
}
