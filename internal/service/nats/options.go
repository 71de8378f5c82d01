package nats

import (
	"crypto/tls"
	"time"
)

// Options of Open. URL is needed.
type Options struct {
	// URL is nats://host:4222, or several with commas between them; tls:// demands TLS.
	// A user and a password, or a token, may be in it: nats://user:password@host. The
	// port is 4222, and the scheme is nats, unless they are given.
	URL string

	Credentials string      // a file as nsc makes it, read at each connection; "" for none
	TLS         *tls.Config // demands TLS; nil for the default where a server has it
	Name        string      // of this client, for the server's lists

	Timeout      time.Duration // to connect, and to write; 0 = 5 s
	PingInterval time.Duration // 0 = 10 s; three without an answer end a connection
	RetryWait    time.Duration // between tries of all servers; 0 = 1 s

	// Up and Down, if set, are told that a server, host:port, is connected, and that it
	// was lost; Failed why none can be connected, once until that changes, and what a
	// server has to complain about. They are called one at a time, and must not wait for
	// the client.
	Up     func(server string)
	Down   func(err error)
	Failed func(err error)
}

const (
	defaultTimeout = 5 * time.Second
	defaultPing    = 10 * time.Second
	defaultRetry   = time.Second

	mostPings = 2 // without an answer, before the connection is given up
)

func (o *Options) withDefaults() Options {
	c := *o
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.PingInterval <= 0 {
		c.PingInterval = defaultPing
	}
	if c.RetryWait <= 0 {
		c.RetryWait = defaultRetry
	}
	if c.Up == nil {
		c.Up = func(string) {}
	}
	if c.Down == nil {
		c.Down = func(error) {}
	}
	if c.Failed == nil {
		c.Failed = func(error) {}
	}
	return c
}
