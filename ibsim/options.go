package ibsim

import (
	"log/slog"
	"net"
	"strconv"
)

// What ibsim uses when it is told nothing else.
const (
	DefaultName = "sim" // base of the socket names
	DefaultPort = 7070  // UDP control port
)

// Options says which simulator to attach to, and where in its fabric.
type Options struct {
	// Name is the base of the simulator's socket names on this machine, its
	// IBSIM_SOCKNAME; "" is DefaultName. It is not used when Network is "udp".
	Name string

	// Network is "unix" or "" for a simulator on this machine, "udp" for one
	// that was started with -r.
	Network string

	// Address is HOST or HOST:PORT of the control port when Network is "udp";
	// PORT is DefaultPort by default, HOST may be a name or an IPv4 address.
	Address string

	// Host is the node to attach to, by its id or its description in the
	// topology, at most 31 bytes; "" is the first node. The port is always the
	// first of the node: 1 of a CA or router, 0 of a switch.
	Host string

	// Logger gets debug messages; nil means none.
	Logger *slog.Logger
}

func (o *Options) name() string {
	if o.Name == "" {
		return DefaultName
	}
	return o.Name
}

// address is Address with the port.
func (o *Options) address() string {
	if _, _, err := net.SplitHostPort(o.Address); err == nil {
		return o.Address
	}
	return net.JoinHostPort(o.Address, strconv.Itoa(DefaultPort))
}

// server names the simulator in messages, as the source URI does.
func (o *Options) server() string {
	if o.Network == "udp" {
		return o.address()
	}
	return o.name()
}

// startCommand is the command line that makes such a simulator run.
func (o *Options) startCommand() string {
	if o.Network == "udp" {
		_, port, _ := net.SplitHostPort(o.address())
		return "ibsim -s -n -r -l " + port + " FILE"
	}
	if o.name() == DefaultName {
		return "ibsim -s -n FILE"
	}
	return "IBSIM_SOCKNAME=" + strconv.Quote(o.name()) + " ibsim -s -n FILE"
}

func (o *Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}
