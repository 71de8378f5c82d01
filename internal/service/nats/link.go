package nats

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// link is a connection to a server.
type link struct {
	client *Client
	server server
	socket net.Conn // of TCP
	stream net.Conn // in it, or in TLS in it
	from   *parser
	info   info // what it told last; of the reader

	out   chan []byte   // to be written
	down  chan struct{} // is closed at the end
	most  atomic.Int64  // the longest message that the server takes
	pings atomic.Int32  // without an answer
}

var (
	ping = []byte("PING\r\n")
	pong = []byte("PONG\r\n")
)

// learn takes in INFO.
func (l *link) learn(text []byte) error {
	var i info
	if err := json.Unmarshal(text, &i); err != nil {
		return protocol("INFO: %v", err)
	}
	l.info = i
	l.most.Store(i.MaxPayload)
	return nil
}

// run reads and writes until the connection or the context ends, and says why.
func (l *link) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	pongs := make(chan struct{}, 1)
	written := make(chan struct{})
	go func() {
		defer close(written)
		cancel(l.write(ctx, pongs))
		l.socket.Close() // ends the reader
	}()
	err := l.read(pongs)
	cancel(err)
	l.socket.Close()
	<-written
	return context.Cause(ctx) // what came first
}

// write writes what is to be sent, answers pings, and sends its own.
func (l *link) write(ctx context.Context, pongs <-chan struct{}) error {
	pinging := time.NewTicker(l.client.opts.PingInterval)
	defer pinging.Stop()
	defer context.AfterFunc(ctx, func() { l.socket.Close() })() // ends a write that waits
	for {
		text := pong
		select {
		case <-ctx.Done():
			return ctx.Err()
		case text = <-l.out:
		case <-pongs:
		case <-pinging.C:
			if l.pings.Add(1) > mostPings {
				return ErrStale
			}
			text = ping
		}
		_ = l.stream.SetWriteDeadline(time.Now().Add(l.client.opts.Timeout))
		if _, err := l.stream.Write(text); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return ErrStale
			}
			return err
		}
	}
}

// read takes in what the server says.
func (l *link) read(pongs chan<- struct{}) error {
	for {
		f, err := l.from.next()
		if err != nil {
			return unexpected(err)
		}
		switch f.verb {
		case verbMessage, verbHeaders:
			l.client.deliver(f.message)
		case verbPing:
			select {
			case pongs <- struct{}{}:
			default: // one is about to be sent
			}
		case verbPong:
			l.pings.Store(0)
		case verbInfo:
			if err := l.learn(f.text); err != nil {
				return err
			}
			l.client.servers.learn(l.server, l.info.ConnectURLs)
		case verbError:
			err := complaint(f.text)
			if !errors.Is(err, ErrPermission) {
				return err // the server ends the connection, or has no reason not to
			}
			l.client.refuse(l.server.address, subjectOf(f.text), err)
		case verbOK:
		}
	}
}
