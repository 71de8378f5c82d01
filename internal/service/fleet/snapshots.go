package fleet

import (
	"bytes"
	"context"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
	"github.com/ibscope/ibscope/internal/service/spool"
)

// SnapshotBucket is the object store with a snapshot of each fabric.
const SnapshotBucket = "ibscope_snapshots"

// snapshotWait bounds how long one may take.
const snapshotWait = 5 * time.Minute

// snapshots publishes snapshots of the fabrics of which this collector has the first
// share, so that one collector does.
func (f *Fleet) snapshots(ctx context.Context) {
	wait := min(2*f.opts.Interval, f.opts.SnapshotEvery) // until there is something to tell
	for spool.Pause(ctx, wait) {
		wait = f.opts.SnapshotEvery
		for _, name := range f.opts.Fabrics {
			if f.opts.Share && !f.leases[name].owns(0) || !f.conn.IsConnected() {
				continue
			}
			if err := f.PublishSnapshot(ctx, name); err != nil && ctx.Err() == nil {
				f.opts.Logger.Warn("a snapshot cannot be published", "err", err)
			}
		}
	}
}

// PublishSnapshot publishes what is known of a fabric now. The error is an *Error.
func (f *Fleet) PublishSnapshot(ctx context.Context, fabric string) error {
	ctx, cancel := context.WithTimeout(ctx, snapshotWait)
	defer cancel()
	var text bytes.Buffer
	known, err := f.opts.Snapshot(ctx, fabric, &text)
	if err != nil || !known {
		return wrap("snapshot", fabric, err)
	}
	store, err := f.js.Objects(ctx, &jetstream.ObjectsConfig{
		Name: SnapshotBucket, Description: "ibscope: fabrics as they were last known", Replicas: f.opts.Replicas,
	})
	if err == nil {
		_, err = store.Put(ctx, fabric, "published by "+f.opts.Name, &text)
	}
	if err == nil {
		f.counts.snapshot()
	}
	return wrap("snapshot", fabric, err)
}

// wrap makes an *Error of an error, if there is one.
func wrap(op, fabric string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{op, fabric, err}
}
