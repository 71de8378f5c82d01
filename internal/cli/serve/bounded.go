package serve

import (
	"net"
	"sync"
)

// maxConnections is how many clients may be connected at one address. More of them wait,
// in the room that the system has for that. Of maxPerClient one client, which may be slow
// on purpose, cannot keep all others out: more than these are closed.
const (
	maxConnections = 1024
	maxPerClient   = 256
)

// bounded is a listener that has so many connections at most, and of one client not
// more than some of them.
type bounded struct {
	net.Listener
	room chan struct{}
	done chan struct{}
	once sync.Once

	perClient int
	mu        sync.Mutex
	of        map[string]int // by address of the client; those without connections are not there
}

func boundedListener(l net.Listener, most, perClient int) *bounded {
	return &bounded{Listener: l, room: make(chan struct{}, most), done: make(chan struct{}), perClient: perClient, of: map[string]int{}}
}

// Accept waits for a client, and for room.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.room <- struct{}{}:
	case <-b.done:
		return nil, net.ErrClosed
	}
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			<-b.room
			return nil, err
		}
		client := addressOf(c)
		if b.count(client, 1) {
			return &roomy{Conn: c, leave: sync.OnceFunc(func() {
				b.count(client, -1)
				<-b.room
			})}, nil
		}
		_ = c.Close() // its client has enough of them
	}
}

// count counts a connection of a client, or one less; false if it has too many.
func (b *bounded) count(client string, by int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.of[client] + by
	if n > b.perClient {
		return false
	}
	b.of[client] = n
	if n == 0 {
		delete(b.of, client)
	}
	return true
}

// addressOf is the address of a client, without the port.
func addressOf(c net.Conn) string {
	if a, ok := c.RemoteAddr().(*net.TCPAddr); ok {
		return a.IP.String()
	}
	return c.RemoteAddr().String()
}

// Close ends Accept, too.
func (b *bounded) Close() error {
	b.once.Do(func() { close(b.done) })
	return b.Listener.Close()
}

// roomy is a connection that makes room at its end.
type roomy struct {
	net.Conn
	leave func()
}

func (r *roomy) Close() error {
	defer r.leave()
	return r.Conn.Close()
}
