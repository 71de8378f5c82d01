package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/exporter-toolkit/web"

	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
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
		if err := web.Validate(c.WebConfig); err != nil {
			return fmt.Errorf("%s: %w", c.WebConfig, err)
		}
	}
	for _, address := range c.Listen {
		l, err := net.Listen("tcp", address)
		if err != nil {
			d.closeListeners()
			return err
		}
		d.servers = append(d.servers, &server{listener: l})
	}
	d.warn(c)
	return nil
}

// warn says where secrets pass the network in the clear.
func (d *daemon) warn(c *config.Config) {
	w, _ := config.ReadWeb(c.WebConfig) // it was valid a moment ago, or there is none
	for _, address := range c.Listen {
		if !config.IsLoopback(address) && !w.TLS {
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
			Handler: s.Handler(), ReadHeaderTimeout: headerWithin, ReadTimeout: readWithin, IdleTimeout: idleWithin, MaxHeaderBytes: maxHeader,
			ErrorLog:    slog.NewLogLogger(d.logger.Handler(), slog.LevelDebug),
			BaseContext: func(net.Listener) context.Context { return streams },
		}
		none := false
		flags := &web.FlagConfig{WebListenAddresses: &c.Listen, WebSystemdSocket: &none, WebConfigFile: &c.WebConfig}
		go func() {
			if err := web.Serve(one.listener, one.http, flags, d.logger); err != nil && !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		}()
	}
	return failed
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
