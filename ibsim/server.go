package ibsim

import (
	"context"
	"sync"
	"time"
)

// ServerOptions say where a Server listens.
type ServerOptions struct {
	// Name is the base of the socket names on this machine, what clients have in
	// IBSIM_SOCKNAME; "" is DefaultName. It is not used when Network is "udp".
	Name string

	// Network is "unix" or "" for clients on this machine, "udp" for any.
	Network string

	// Address is HOST or HOST:PORT of the control port when Network is "udp";
	// HOST "" is every IPv4 address of this machine, PORT is DefaultPort by
	// default. The clients' data ports are those that follow.
	Address string

	// MaxClients is how many clients may be attached at once, 1…65536; 0 means
	// 1024. A client of UDP beyond the last port finds no slot either.
	MaxClients int

	// Resolve looks the name of HOST up, as that of Options.
	Resolve Resolver

	// Logger gets a line for each client that comes and goes; nil means none.
	Logger ServerLogger
}

// ServerLogger is what a *slog.Logger does; see Logger.
type ServerLogger interface {
	Info(msg string, args ...any)
	Warn(msg string, args ...any)
}

// defaultMaxClients is a hundred times what ibsim serves.
const defaultMaxClients = 1024

// A Server serves a fabric to clients that speak the protocol of ibsim: C
// programs with its preloaded library, and Dial.
//
// Unlike ibsim it never waits for a client. What a client does not read stays
// in its socket, then in memory, up to 16384 packets (4.5 MiB); more are dropped
// and counted, and no other client notices. A client that dies without a word
// is detached within two seconds.
type Server struct {
	network Network
	ctl     controlSocket
	log     ServerLogger
	max     int
	addr    string
	stats   counters

	mu      sync.RWMutex
	clients []*client // by slot; nil where it is free
	closed  bool
	running sync.WaitGroup // what the clients have started
}

// Listen makes the control socket, and from then on clients may come; Serve
// answers them. Errors are *Error; syscall.EADDRINUSE means that another
// simulator listens there.
func Listen(n Network, o *ServerOptions) (*Server, error) {
	if o == nil {
		o = &ServerOptions{}
	}
	s := &Server{network: n, max: o.MaxClients, log: o.Logger}
	if s.max <= 0 {
		s.max = defaultMaxClients
	}
	s.max = min(s.max, maxSlots)
	if s.log == nil {
		s.log = silent{}
	}
	at := Options{Name: o.Name, Network: o.Network, Address: o.Address, Resolve: o.Resolve}
	s.addr = at.server()
	var err error
	if s.ctl, err = listenControl(&at); err != nil {
		return nil, listenError(s.addr, err)
	}
	s.addr = s.ctl.addr()
	return s, nil
}

// Addr is where clients find the server: the base of the socket names, or
// HOST:PORT.
func (s *Server) Addr() string { return s.addr }

// Serve answers clients until the context ends or Close is called, then closes
// the server. The error is nil then; else it is an *Error.
func (s *Server) Serve(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	patrol := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() { s.patrol(patrol) })
	err := s.answerControl()
	close(patrol)
	watching.Wait()
	if s.isClosed() {
		err = nil // what a closed socket says to whom waits for it
	}
	s.Close()
	if err == nil {
		return nil
	}
	return &Error{Op: "serve", Addr: s.addr, Err: err}
}

func (s *Server) isClosed() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.closed
}

// Close detaches all clients, frees the sockets and waits until that is done.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	gone := s.clients
	s.clients = nil
	s.mu.Unlock()
	s.ctl.close()
	for _, c := range gone {
		if c != nil {
			c.close()
		}
	}
	s.running.Wait()
	return nil
}

// patrolEvery is how often to look for clients that are dead.
const patrolEvery = time.Second

// patrol detaches the clients whose sockets have vanished. Datagram sockets
// tell of the end of the other side only when something is sent there.
func (s *Server) patrol(end <-chan struct{}) {
	tick := time.NewTicker(patrolEvery)
	defer tick.Stop()
	for {
		select {
		case <-end:
			return
		case <-tick.C:
		}
		s.mu.RLock()
		clients := append([]*client(nil), s.clients...)
		s.mu.RUnlock()
		for _, c := range clients {
			if c != nil && !c.data.isPeerAlive() {
				s.stats.vanished.Add(1)
				s.detach(c, "its socket has vanished")
			}
		}
	}
}

// detach frees the slot of a client; only the first call does something.
func (s *Server) detach(c *client, why string) {
	s.mu.Lock()
	mine := c.slot < len(s.clients) && s.clients[c.slot] == c
	if mine {
		s.clients[c.slot] = nil
	}
	s.mu.Unlock()
	if mine {
		s.log.Info("client detached", "slot", c.slot, "id", c.id, "node", c.port.NodeID(), "reason", why,
			"requests", c.requests.Load(), "dropped", c.dropped.Load())
		c.close()
	}
}

// client gives the client in a slot, or nil.
func (s *Server) client(slot uint64) *client {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if slot >= uint64(len(s.clients)) {
		return nil
	}
	return s.clients[slot]
}
