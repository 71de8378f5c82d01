package simworld

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/sim/control"
	"github.com/ibscope/ibscope/sim/scenario"
)

// Running is a timeline at work, and a control socket that is open.
type Running struct {
	Socket string // "" for none

	runner  *scenario.Runner
	e       *env.Env
	stop    context.CancelFunc
	running sync.WaitGroup
}

// Start opens the control socket, if one is wanted, and lets the timeline begin.
// Each event is a line on standard error. Quit is what the command of that name
// does; nil refuses it.
func (w *World) Start(ctx context.Context, e *env.Env, quit func()) (*Running, error) {
	r := &Running{e: e}
	var err error
	r.runner, err = w.scenario.New(w.Fabric, &scenario.Options{OnEvent: func(ev scenario.Event) {
		fmt.Fprintln(e.Stderr, escape.Text(ev.String()))
	}})
	if err != nil {
		return nil, err
	}
	var l net.Listener
	if path := w.flags.Control; path != "" {
		if path == Auto {
			if path, err = newSocket(e); err != nil {
				return nil, err
			}
		}
		if l, err = control.Listen(path); err != nil {
			return nil, err
		}
		r.Socket = path
	}
	ctx, r.stop = context.WithCancel(ctx)
	if l != nil {
		r.running.Go(func() {
			if err := control.New(r.runner, quit).Serve(ctx, l); err != nil {
				e.Complain("%v", err)
			}
		})
	}
	if w.flags.Scenario != "" || l != nil {
		r.running.Go(func() { r.runner.Run(ctx) })
	}
	return r, nil
}

// Close ends both.
func (r *Running) Close() {
	r.stop()
	r.running.Wait()
}

// SocketVariable names the socket to programs.
const SocketVariable = "IBSCOPE_CONTROL"

// Directory is where control sockets are: below the runtime directory of the
// user, else a directory of their own below that for temporary files.
func Directory(e *env.Env) string {
	if dir := e.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		return filepath.Join(dir, "ibscope")
	}
	return filepath.Join(os.TempDir(), "ibscope-"+strconv.Itoa(os.Getuid()))
}

// newSocket is the path of the socket of this process, in a directory that is
// this user's only.
func newSocket(e *env.Env) (string, error) {
	dir := Directory(e)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := checkPrivate(dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, "sim-"+strconv.Itoa(os.Getpid())+".sock"), nil
}
