package fleet

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
	"github.com/ibscope/ibscope/internal/service/spool"
)

// Fleet is this collector's part. Its methods may be called from any goroutine.
type Fleet struct {
	opts   Options
	conn   *nats.Client
	js     *jetstream.Client
	queue  *spool.Queue
	log    *event.Log         // of Run
	leases map[string]*leases // by fabric
	claims *claims
	counts counts
}

// maxWaiting bounds the events that could not be published yet.
const maxWaiting = 64 << 20

// New makes a Fleet, which connects to the server as soon as that is there. The error is
// an *Error. Close must be called at the end, after Run.
func New(o *Options) (*Fleet, error) {
	opts, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	f := &Fleet{opts: opts, leases: map[string]*leases{}}
	if f.queue, err = spool.Open(filepath.Join(opts.Dir, "events"), maxWaiting); err != nil {
		return nil, &Error{Op: "configure", Err: err}
	}
	if f.conn, err = connect(&opts); err != nil {
		f.queue.Close()
		return nil, &Error{Op: "configure", Err: err}
	}
	f.js = jetstream.New(f.conn)
	f.claims = newClaims(f.js, &opts)
	for _, name := range opts.Fabrics {
		f.leases[name] = newLeases(f.conn, &opts, name)
	}
	return f, nil
}

// connect begins to look for the server, and goes on until it is closed.
func connect(o *Options) (*nats.Client, error) {
	with := o.NATS
	with.URL, with.Credentials, with.Name = o.URL, o.Credentials, "ibscope "+o.Name
	with.Up = func(server string) { o.Logger.Info("the server of the fleet is there", "server", server) }
	with.Down = func(err error) { o.Logger.Warn("the server of the fleet is lost", "err", err) }
	with.Failed = func(err error) { o.Logger.Warn("the server of the fleet", "err", err) }
	return nats.Open(&with)
}

// Close gives up the connection. What was not published waits on disk.
func (f *Fleet) Close() {
	f.conn.Close()
	f.queue.Close()
}

// Run keeps leases, and publishes what comes to the log, until the context ends, whose
// error it gives. Leases are given back then.
func (f *Fleet) Run(ctx context.Context, log *event.Log) error {
	f.log = log
	var work sync.WaitGroup
	if f.opts.Share {
		for _, l := range f.leases {
			work.Go(func() { l.run(ctx) })
		}
	}
	follower := &spool.Follower{Queue: f.queue, Log: log, Logger: f.opts.Logger, Lost: f.counts.lose}
	work.Go(func() { follower.Run(ctx) })
	work.Go(func() { f.publish(ctx) })
	if f.opts.Snapshot != nil {
		work.Go(func() { f.snapshots(ctx) })
	}
	<-ctx.Done()
	work.Wait()
	return ctx.Err()
}

// Owns reports whether the counters of a node are to be read by this collector now. It
// is quick, and meant for watch.Options.Ports.
func (f *Fleet) Owns(fabricName string, n *fabric.Node) bool {
	l := f.leases[fabricName]
	return l == nil || !f.opts.Share || l.owns(shareOf(n, f.opts.Shares))
}
