package top

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/cli/env"
	"github.com/ibscope/ibscope/internal/cli/fullscreen"
	"github.com/ibscope/ibscope/internal/cli/names"
	"github.com/ibscope/ibscope/internal/cli/sweep"
	"github.com/ibscope/ibscope/internal/service/client"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/watch"
)

// feed gives frames until its context ends.
type feed func(ctx context.Context, show func(*frame)) error

func (f *flags) run(ctx context.Context, e *env.Env) error {
	if err := f.check(); err != nil {
		return err
	}
	source, err := f.feed(ctx, e)
	if err != nil {
		return err
	}
	if f.batch > 0 || !e.IsTerminal(e.Stdout) {
		return f.print(ctx, e, source)
	}
	return interact(ctx, e, source)
}

// feed is where the frames come from.
func (f *flags) feed(ctx context.Context, e *env.Env) (feed, error) {
	book, err := names.Load(e, f.nameMap)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--node-name-map: %w", err)
	}
	if f.server != "" {
		return f.service(ctx)
	}
	return f.watch(ctx, e, names.Of(book))
}

// service is a running service as a feed.
func (f *flags) service(ctx context.Context) (feed, error) {
	token, err := client.ReadToken(f.token)
	if err != nil {
		return nil, env.Exitf(env.Failed, "--token-file: %w", err)
	}
	c, err := client.New(f.server, token)
	if err != nil {
		return nil, env.Exitf(env.Usage, "--server: %w", err)
	}
	name := f.name
	if name == "" {
		if name, err = c.Fabric(ctx); err != nil {
			return nil, env.Exitf(env.Failed, "%w; --name says which", err)
		}
	}
	r := newRemote(c, name, min(f.interval, time.Second))
	return func(ctx context.Context, show func(*frame)) error {
		return r.run(ctx, show)
	}, nil
}

// watch is a fabric that this process reads as a feed; a stored one stays as it is. The
// port is opened once before anything else, for mistakes are best told on a plain line.
func (f *flags) watch(ctx context.Context, e *env.Env, own func(*fabric.Node) (string, bool)) (feed, error) {
	sweepOptions, err := f.sweep.Options(e)
	if err != nil {
		return nil, err
	}
	uri := f.sweep.URI(e)
	first, err := sweep.OpenSource(ctx, e, uri, &f.sweep.Capture)
	if err != nil {
		return nil, err
	}
	if first.Stored != nil {
		s := watch.Static("fabric", uri, first.Stored, nil)
		return func(ctx context.Context, show func(*frame)) error {
			show(ofState(s, nil, nameBy(own)))
			<-ctx.Done()
			return nil
		}, nil
	}
	port := first.Transport
	o := &watch.Options{
		Source: uri, Sweep: *sweepOptions, Client: sweep.ClientOptions(sweepOptions),
		Open: func(ctx context.Context) (madrpc.Transport, error) {
			if t := port; t != nil {
				port = nil
				return t, nil
			}
			s, err := sweep.OpenSource(ctx, e, uri, &f.sweep.Capture)
			if err != nil {
				return nil, err
			}
			return s.Transport, nil
		},
	}
	paces(o, f.interval)
	return func(ctx context.Context, show func(*frame)) error {
		_ = newLocal(o, own, show).run(ctx) // which ends with the context, and is not a failure
		return nil
	}, nil
}

// interact fills the terminal.
func interact(ctx context.Context, e *env.Env, source feed) error {
	screen, err := fullscreen.Open(e.Stdout)
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	defer screen.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(e.Now())
	news := make(chan func())
	done := make(chan error, 1)
	go func() {
		defer cancel() // it has no end of its own but a failure
		done <- source(ctx, func(f *frame) {
			select {
			case news <- func() { m.take(f) }:
			case <-ctx.Done():
			}
		})
	}()
	err = screen.Run(ctx, &fullscreen.Loop{
		Key: m.key, Resize: m.resize, Lines: func() []string { return inColour(e, m.screen()) },
		News: news, Tick: m.tick, Every: heartbeat,
	})
	cancel()
	if failed := <-done; err == nil {
		err = failed
	}
	if err != nil {
		return env.Exitf(env.Failed, "%w", err)
	}
	return nil
}

// inColour leaves the colours in where they are wanted. What is inverse stays so.
func inColour(e *env.Env, lines []string) []string {
	if e.Colour(e.Stdout) {
		return lines
	}
	for i := range lines {
		lines[i] = colours.Replace(lines[i])
	}
	return lines
}

// print prints screens one below the other: the first as soon as there are rates, or of
// a stored fabric at once.
func (f *flags) print(ctx context.Context, e *env.Env, source feed) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	frames := make(chan *frame)
	done := make(chan error, 1)
	go func() {
		defer cancel() // it has no end of its own but a failure
		done <- source(ctx, func(f *frame) {
			select {
			case frames <- f:
			case <-ctx.Done():
			}
		})
	}()
	printed := 0
	var failed error
	for failed == nil && ctx.Err() == nil && (f.batch == 0 || printed < f.batch) {
		select {
		case next := <-frames:
			if next.ready() {
				failed = printScreen(e, next)
				printed++
			}
		case <-ctx.Done():
		}
	}
	cancel()
	if err := <-done; failed == nil {
		failed = err
	}
	if failed != nil {
		return env.Exitf(env.Failed, "%w", failed)
	}
	return nil
}

// ready reports whether a frame has all that a screen wants to tell.
func (f *frame) ready() bool { return f.lost != "" || f.settled }

// printScreen prints the tables that have something to say.
func printScreen(e *env.Env, f *frame) error {
	m := newModel(e.Now())
	if width := e.Columns(e.Stdout); width > 0 {
		m.width = width
	}
	m.take(f)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", strings.TrimRight(plainText(m.titleLine()), " "), strings.TrimRight(plainText(m.totalsLine()), " "))
	for i, v := range views {
		m.open(i)
		m.fill()
		if len(m.rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", v.title)
		for _, line := range m.table() {
			fmt.Fprintln(&b, strings.TrimRight(plainText(line), " "))
		}
	}
	_, err := fmt.Fprintln(e.Stdout, b.String())
	return err
}
