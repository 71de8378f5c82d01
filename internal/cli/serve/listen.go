package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/webconfig"
)

// Bounds of connections. How long an answer may take is the gate's business.
const (
	headerWithin = 10 * time.Second
	readWithin   = 30 * time.Second
	idleWithin   = 2 * time.Minute
	maxHeader    = 16 << 10
	endWithin    = 5 * time.Second // for the answers that are under way
)

// server answers at one address.
type server struct {
	listener net.Listener
	http     *http.Server
	end      context.CancelFunc // ends streams
}

// listen opens the addresses, as long as there are the rights to do so.
func (d *daemon) listen(c *config.Config) error {
	if c.WebConfig != "" {
		file, err := webconfig.Open(c.WebConfig, d.logger)
		if err != nil {
			return err
		}
		d.web = file
	}
	for _, address := range c.Listen {
		l, err := net.Listen("tcp", address)
		if err != nil {
			d.closeListeners()
			return err
		}
		d.servers = append(d.servers, &server{listener: boundedListener(l, maxConnections, maxPerClient)})
		d.logger.Info("answering", "address", l.Addr().String(), "tls", d.web != nil && d.web.TLS() != nil)
	}
	d.warn(c)
	return nil
}

// warn says where secrets pass the network in the clear.
func (d *daemon) warn(c *config.Config) {
	for _, address := range c.Listen {
		if !config.IsLoopback(address) && (d.web == nil || d.web.TLS() == nil) {
			d.logger.Warn("answers pass the network in the clear: a web configuration with a certificate would encrypt them", "address", address)
		}
	}
}

func (d *daemon) closeListeners() {
	for _, s := range d.servers {
		_ = s.listener.Close() // closed already, if all went well
	}
}

// answer begins to answer. What it gives gets the error of a server that fails.
func (d *daemon) answer(ctx context.Context, s *service.Service, c *config.Config) <-chan error {
	failed := make(chan error, len(d.servers))
	for _, one := range d.servers {
		streams, end := context.WithCancel(context.WithoutCancel(ctx))
		one.end = end
		one.http = &http.Server{
			Handler: d.guarded(s.Handler()), ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, IdleTimeout: idleWithin, MaxHeaderBytes: maxHeader,
			ErrorLog:    slog.NewLogLogger(d.logger.Handler(), slog.LevelDebug),
			BaseContext: func(net.Listener) context.Context { return streams },
		}
		go func() {
			if err := one.http.Serve(d.secured(one.listener)); err != nil && !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		}()
	}
	return failed
}

// guarded puts the passwords of the web configuration before a handler.
func (d *daemon) guarded(h http.Handler) http.Handler {
	if d.web == nil {
		return h
	}
	return d.web.Handler(h)
}

// secured puts TLS on a listener, where the web configuration has it.
func (d *daemon) secured(l net.Listener) net.Listener {
	if d.web == nil || d.web.TLS() == nil {
		return l
	}
	return tls.NewListener(l, d.web.TLS())
}

// shutdown lets the answers that are under way end, but not for long.
func (d *daemon) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), endWithin)
	defer cancel()
	var all sync.WaitGroup
	for _, s := range d.servers {
		s.end()
		all.Go(func() {
			if s.http.Shutdown(ctx) != nil {
				_ = s.http.Close() // the rest is cut off
			}
		})
	}
	all.Wait()
}
