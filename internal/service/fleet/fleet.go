package fleet

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/internal/service/spool"
)

// Fleet is this collector's part. Its methods may be called from any goroutine.
type Fleet struct {
	opts   Options
	conn   *nats.Conn
	js     jetstream.JetStream
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
	if opts.Credentials != "" {
		opts.NATS = append([]nats.Option{nats.UserCredentials(opts.Credentials)}, opts.NATS...)
	}
	f.conn, err = nats.Connect(opts.URL, append([]nats.Option{
		nats.Name("ibscope " + opts.Name), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second), nats.ReconnectBufSize(-1), nats.Timeout(5 * time.Second), nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				opts.Logger.Warn("the server of the fleet is lost", "err", err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { opts.Logger.Info("the server of the fleet is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			opts.Logger.Warn("the server of the fleet", "err", err)
		}),
	}, opts.NATS...)...)
	if err == nil {
		f.js, err = jetstream.New(f.conn)
	}
	if err != nil {
		f.Close()
		return nil, &Error{Op: "connect", Err: err}
	}
	f.claims = newClaims(f.js, &opts)
	for _, name := range opts.Fabrics {
		f.leases[name] = newLeases(f.js, &opts, name)
	}
	return f, nil
}

// Close gives up the connection. What was not published waits on disk.
func (f *Fleet) Close() {
	if f.conn != nil {
		f.conn.Close()
	}
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
