package nats

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"
)

// info is what a server tells of itself, as far as it matters here.
type info struct {
	Headers      bool     `json:"headers"`
	MaxPayload   int64    `json:"max_payload"`
	Nonce        string   `json:"nonce"`
	TLSRequired  bool     `json:"tls_required"`
	TLSAvailable bool     `json:"tls_available"`
	ConnectURLs  []string `json:"connect_urls"`
}

// hello is what a client tells of itself: CONNECT.
type hello struct {
	Verbose      bool   `json:"verbose"`
	Pedantic     bool   `json:"pedantic"`
	TLS          bool   `json:"tls_required"`
	Name         string `json:"name,omitempty"`
	Lang         string `json:"lang"`
	Version      string `json:"version"`
	Protocol     int    `json:"protocol"` // 1: INFO may come again
	Echo         bool   `json:"echo"`
	Headers      bool   `json:"headers"`
	NoResponders bool   `json:"no_responders"`
	User         string `json:"user,omitempty"`
	Password     string `json:"pass,omitempty"`
	Token        string `json:"auth_token,omitempty"`
	JWT          string `json:"jwt,omitempty"`
	Signature    string `json:"sig,omitempty"`
}

// connect opens a connection to a server, and comes to terms with it.
func (c *Client) connect(ctx context.Context, s *server) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	socket, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.address)
	if err != nil {
		var of *net.OpError
		if errors.As(err, &of) {
			err = of.Err // the address is in Error
		}
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = socket.SetDeadline(time.Unix(1, 0)) }) // ends what waits
	l, err := c.greet(ctx, socket, s)
	if !stop() && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		socket.Close()
		return nil, err
	}
	return l, nil
}

// greet reads INFO, begins TLS, proves who the user is, and waits until the server agrees.
func (c *Client) greet(ctx context.Context, socket net.Conn, s *server) (*link, error) {
	from := newParser(socket)
	f, err := from.next()
	if err != nil {
		return nil, unexpected(err)
	}
	l := &link{client: c, server: *s, socket: socket, stream: socket, from: from, out: make(chan []byte), down: make(chan struct{})}
	if f.verb != verbInfo {
		return nil, protocol("%s where INFO should be", f.verb)
	}
	if err := l.learn(f.text); err != nil {
		return nil, err
	}
	secure := s.tls || c.opts.TLS != nil || l.info.TLSRequired
	if secure {
		if err := l.secure(ctx); err != nil {
			return nil, err
		}
	}
	if !l.info.Headers {
		return nil, fmt.Errorf("%w: a server without headers is too old", ErrProtocol)
	}
	mine, err := c.hello(&l.info, s, secure)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("CONNECT %s\r\nSUB %s* 1\r\nPING\r\n", mine, c.inbox)
	if _, err := l.stream.Write([]byte(text)); err != nil {
		return nil, err
	}
	return l, l.agreed()
}

// secure begins TLS. What came with INFO came from anybody: it must be nothing.
func (l *link) secure(ctx context.Context) error {
	if !l.info.TLSRequired && !l.info.TLSAvailable {
		return ErrTLS
	}
	if l.from.from.Buffered() > 0 {
		return protocol("more than INFO before TLS")
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if l.client.opts.TLS != nil {
		config = l.client.opts.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = l.server.name
	}
	secured := tls.Client(l.socket, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		return fmt.Errorf("TLS: %w", err)
	}
	l.stream, l.from = secured, newParser(secured)
	return nil
}

// hello makes the text of CONNECT.
func (c *Client) hello(i *info, s *server, secure bool) ([]byte, error) {
	h := hello{
		TLS: secure, Name: c.opts.Name, Lang: "go", Version: "1", Protocol: 1, Headers: true, NoResponders: true,
		User: s.user, Password: s.password, Token: s.token,
	}
	if c.opts.Credentials != "" {
		own, err := readCredentials(c.opts.Credentials)
		if err != nil {
			return nil, err
		}
		h.JWT, h.Signature = own.jwt, own.sign(i.Nonce)
	}
	return json.Marshal(h)
}

// agreed waits for the answer to the first PING.
func (l *link) agreed() error {
	for {
		f, err := l.from.next()
		if err != nil {
			return unexpected(err)
		}
		switch f.verb {
		case verbPong:
			return nil
		case verbError:
			return complaint(f.text)
		case verbInfo:
			err = l.learn(f.text)
		case verbPing:
			_, err = l.stream.Write(pong)
		case verbMessage, verbHeaders, verbOK:
		}
		if err != nil {
			return err
		}
	}
}
