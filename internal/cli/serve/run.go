package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/internal/service"
	"github.com/ibscope/ibscope/internal/service/config"
	"github.com/ibscope/ibscope/internal/service/webconfig"
)

func (f *flags) run(ctx context.Context, e *env.Env) error {
	if f.health != "" {
		return askHealth(ctx, f.health)
	}
	c, err := f.settings(e)
	if err != nil {
		return usage(err)
	}
	if c.User != "" {
		if _, err := lookup(c.User); err != nil {
			return failed(err)
		}
	}
	if f.check {
		return check(ctx, e, c)
	}
	level := &slog.LevelVar{}
	level.Set(c.Level)
	logger := slog.New(slog.NewJSONHandler(e.Stderr, &slog.HandlerOptions{Level: level, ReplaceAttr: harmless}))
	if f.once {
		return f.runOnce(ctx, e, c, logger)
	}
	d := &daemon{flags: f, env: e, logger: logger, level: level, notify: newNotifier(e)}
	if err := d.listen(c); err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	defer d.closeListeners()
	s, err := service.New(ctx, c, world(e, c, logger))
	if err != nil {
		return failed(err)
	}
	defer s.Close()
	return d.serve(ctx, s, c)
}

// harmless escapes text, which may come from the fabric or from a client, as all commands
// do, and writes durations with their unit.
func harmless(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(escape.Text(v))
	case error:
		a.Value = slog.StringValue(escape.Text(v.Error()))
	case time.Duration:
		a.Value = slog.StringValue(v.String())
	}
	return a
}

// usage tells a mistake in the configuration from a file that cannot be read.
func usage(err error) error {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return &env.ExitError{Code: env.Usage, Err: err}
}

// failed tells mistakes from what the surroundings do not give.
func failed(err error) error {
	if isMistake(err) {
		return &env.ExitError{Code: env.Usage, Err: err}
	}
	return &env.ExitError{Code: env.Failed, Err: err}
}

// daemon is the service while it runs.
type daemon struct {
	flags   *flags
	env     *env.Env
	logger  *slog.Logger
	level   *slog.LevelVar
	notify  *notifier
	servers []*server
	web     *webconfig.File // nil for none
}

// serve answers until the context ends.
func (d *daemon) serve(ctx context.Context, s *service.Service, c *config.Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answering := d.answer(ctx, s, c)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	d.notify.tell("READY=1")
	d.logger.Info("ready", "fabrics", len(c.Fabrics), "program", program(d.env), "pid", os.Getpid())
	for {
		select {
		case <-hangup:
			d.reload(ctx, s)
		case err := <-answering: // a server has failed: without it the service is of no use
			cancel()
			return errors.Join(&env.ExitError{Code: env.Failed, Err: err}, <-ended)
		case err := <-ended:
			d.notify.tell("STOPPING=1")
			d.logger.Info("the end")
			return d.end(err)
		}
	}
}

func (d *daemon) end(err error) error {
	d.shutdown()
	if err != nil {
		return &env.ExitError{Code: env.Failed, Err: err}
	}
	return nil
}

// reload reads the configuration again. With a mistake in it all goes on as before.
func (d *daemon) reload(ctx context.Context, s *service.Service) {
	d.notify.reloading()
	defer d.notify.tell("READY=1")
	c, err := d.flags.settings(d.env)
	if err != nil {
		d.logger.Error("the configuration was not taken on", "err", err)
		return
	}
	fixed, err := s.Reload(ctx, c)
	if err != nil {
		d.logger.Error("the configuration was not taken on", "err", err)
		return
	}
	d.level.Set(c.Level)
	if len(fixed) > 0 {
		d.logger.Warn("some of the configuration needs a new start", "keys", fixed)
	}
	d.logger.Info("the configuration was taken on", "fabrics", len(c.Fabrics))
}
