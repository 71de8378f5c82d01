package ibsim

import "strconv"

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
	// PORT is DefaultPort by default, HOST an IPv4 address, or a name with Resolve.
	Address string

	// Resolve looks names in Address up: net.DefaultResolver.LookupHost, for example.
	// Without it they are ErrUnresolved.
	Resolve Resolver

	// Host is the node to attach to, by its id or its description in the
	// topology, at most 31 bytes; "" is the first node. The port is always the
	// first of the node: 1 of a CA or router, 0 of a switch.
	Host string

	// Logger gets debug messages; nil means none.
	Logger Logger
}

// Logger is what a *slog.Logger does. That type is not named, because package log/slog
// comes late in the order in which a program initialises its packages, and so would
// every program that uses this one.
type Logger interface {
	Debug(msg string, args ...any)
}

func (o *Options) name() string {
	if o.Name == "" {
		return DefaultName
	}
	return o.Name
}

// address is Address with the port.
func (o *Options) address() string {
	host, port := splitAddress(o.Address)
	return host + ":" + port
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
		_, port := splitAddress(o.Address)
		return "ibsim -s -n -r -l " + port + " FILE"
	}
	if o.name() == DefaultName {
		return "ibsim -s -n FILE"
	}
	return "IBSIM_SOCKNAME=" + strconv.Quote(o.name()) + " ibsim -s -n FILE"
}

func (o *Options) logger() Logger {
	if o.Logger == nil {
		return silent{}
	}
	return o.Logger
}

// silent drops what it is told.
type silent struct{}

func (silent) Debug(string, ...any) {}
func (silent) Info(string, ...any)  {}
func (silent) Warn(string, ...any)  {}
