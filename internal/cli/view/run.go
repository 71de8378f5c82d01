package view

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/web"
	"github.com/ibscope/ibscope/watch"
)

func (f *flags) run(ctx context.Context, e *env.Env, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	from, err := f.newFabric(e, args)
	if err != nil {
		return failed(err)
	}
	// Who holds a context from which others are made has asked for interrupts.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if from.sim != nil {
		running, err := from.sim.Start(ctx, e, cancel)
		if err != nil {
			return failed(err)
		}
		defer running.Close()
	}
	return f.show(ctx, e, from)
}

// show serves the page until the context ends.
func (f *flags) show(ctx context.Context, e *env.Env, from *fabricOf) error {
	c, forget, err := f.config(from)
	if err != nil {
		return failed(err)
	}
	defer forget()
	s, err := service.New(ctx, c, &service.World{
		Open: from.open, IsMistake: func(error) bool { return true }, Program: "ibscope " + e.Version, Version: e.Version, Now: e.Now,
	})
	if err != nil {
		return failed(err)
	}
	l, err := net.Listen("tcp", f.listen)
	if err != nil {
		s.Close()
		return failed(err)
	}
	watched := make(chan error, 1)
	go func() { watched <- s.Run(ctx) }()
	err = f.serve(ctx, e, s, l)
	return errors.Join(err, <-watched)
}

// serve answers requests until the context ends.
func (f *flags) serve(ctx context.Context, e *env.Env, s *service.Service, l net.Listener) error {
	door := web.NewDoor(s.Handler())
	server := &http.Server{
		Handler: door, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }, // streams end with it
	}
	address := "http://" + l.Addr().String() + door.Path()
	fmt.Fprintln(e.Stdout, address)
	if f.open {
		openBrowser(ctx, e, address)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return failed(err)
	case <-ctx.Done():
	}
	soon, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(soon) != nil {
		_ = server.Close() // who is still there has had the time
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return failed(err)
	}
	return nil
}

// config is the configuration of a service for one fabric, whose history lasts as long
// as the command: forget removes it.
func (f *flags) config(from *fabricOf) (c *config.Config, forget func(), err error) {
	c = &config.Config{Fabrics: []config.Fabric{{
		Name: config.NameOf(from.uri), Source: from.uri, Names: f.nameMap,
		Refresh: watch.Pace{Every: f.refresh}, Counters: watch.Pace{Every: f.interval},
	}}}
	c.Complete()
	if from.isStored() {
		return c, func() {}, nil
	}
	c.State, err = os.MkdirTemp("", "ibscope-view-")
	return c, func() { _ = os.RemoveAll(c.State) }, err // it is below the directory for what may be lost
}

// openBrowser opens an address in the browser of the user. Where there is none, the
// address has been printed.
func openBrowser(ctx context.Context, e *env.Env, address string) {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	c := exec.CommandContext(ctx, name, address)
	if err := c.Start(); err != nil {
		e.Complain("no browser can be opened: %v", err)
		return
	}
	go func() { _ = c.Wait() }() // how it ends is its own matter
}

// failed is an error as the exit status has it.
func failed(err error) error {
	var exit *env.ExitError
	if err == nil || errors.As(err, &exit) {
		return err
	}
	return &env.ExitError{Code: env.Failed, Err: err}
}
