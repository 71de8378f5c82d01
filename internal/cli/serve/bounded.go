package serve

import (
	"net"
	"sync"
)

// maxConnections is how many clients may be connected at one address. More of them wait,
// in the room that the system has for that.
const maxConnections = 1024

// bounded is a listener that has so many connections at most.
type bounded struct {
	net.Listener
	room chan struct{}
	done chan struct{}
	once sync.Once
}

func boundedListener(l net.Listener, most int) *bounded {
	return &bounded{Listener: l, room: make(chan struct{}, most), done: make(chan struct{})}
}

// Accept waits for a client, and for room.
func (b *bounded) Accept() (net.Conn, error) {
	select {
	case b.room <- struct{}{}:
	case <-b.done:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.room
		return nil, err
	}
	return &roomy{Conn: c, leave: sync.OnceFunc(func() { <-b.room })}, nil
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
