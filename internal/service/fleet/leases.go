package fleet

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
)

// leases are the shares of one fabric, as far as this collector has them.
type leases struct {
	conn   *nats.Client
	js     *jetstream.Client
	opts   *Options
	fabric string
	ttl    time.Duration // after which the server forgets what is not renewed

	kv *jetstream.Bucket // nil before it is there

	mu      sync.Mutex
	held    map[int]lease
	member  lease
	members []string
	contact time.Time // when the server last answered, or the beginning
}

// lease is a key that this collector has.
type lease struct {
	revision uint64
	since    time.Time // it was taken
	until    time.Time // by the own clock, and before the server's end of it
}

// Parts of the time of a lease.
const (
	leaseShare  = 1.5 // of an interval
	renewals    = 5   // in that time
	marginShare = 10  // of which one part is left out, for clocks of different speed
)

func newLeases(conn *nats.Client, o *Options, fabric string) *leases {
	return &leases{
		conn: conn, js: jetstream.New(conn), opts: o, fabric: fabric, ttl: time.Duration(leaseShare * float64(o.Interval)),
		held: map[int]lease{}, contact: time.Now(),
	}
}

// owns reports whether a share is this collector's now.
func (l *leases) owns(share int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	return l.held[share].until.After(now) || l.isAlone(now)
}

// isAlone reports whether the server has not been there for so long that nobody can be
// asked who does what. The lock is held.
func (l *leases) isAlone(now time.Time) bool {
	return l.opts.Alone > 0 && now.Sub(l.contact) > l.opts.Alone
}

// run keeps the leases.
func (l *leases) run(ctx context.Context) {
	for {
		limited, cancel := context.WithTimeout(ctx, l.ttl/2)
		_ = l.conn.Wait(limited) // if the server does not come the round says so
		err := l.round(limited)
		cancel()
		if ctx.Err() != nil {
			l.giveBack()
			return
		}
		if err != nil {
			l.opts.Logger.Warn("leases cannot be kept", "fabric", l.fabric, "err", err)
		}
		timer := time.NewTimer(l.ttl / renewals)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// round renews what is held, and takes and gives back what the members ask for.
func (l *leases) round(ctx context.Context) error {
	if err := l.open(ctx); err != nil {
		return err
	}
	began := time.Now()
	revision, err := l.kv.Put(ctx, memberKey(l.opts.Name), []byte(l.opts.Name))
	if err != nil {
		if isNoStream(err) { // somebody has deleted it
			l.kv = nil
		}
		return l.failed(err)
	}
	l.mu.Lock()
	l.member = lease{revision: revision, until: l.end(began)}
	l.mu.Unlock()
	members, taken, err := l.look(ctx)
	if err != nil {
		return l.failed(err)
	}
	l.renew(ctx)
	l.mu.Lock()
	l.contact, l.members = time.Now(), members
	l.mu.Unlock()
	got := l.balance(ctx, members, taken)
	if got > 0 && l.opts.Acquired != nil {
		l.opts.Acquired(l.fabric)
	}
	return nil
}

// end is until when a lease is good that was asked for at a time.
func (l *leases) end(asked time.Time) time.Time { return asked.Add(l.ttl - l.ttl/marginShare) }

func (l *leases) failed(err error) error { return &Error{"lease", l.fabric, err} }

// bucketOf is the name of a fabric's bucket.
func bucketOf(fabric string) string { return "ibscope_leases_" + fabric }

func memberKey(name string) string { return "member." + name }
func shareKey(share int) string    { return "share." + strconv.Itoa(share) }

// open finds the bucket, or makes it. The time after which it forgets is that of who
// made it.
func (l *leases) open(ctx context.Context) error {
	if l.kv != nil {
		return nil
	}
	kv, err := l.js.Bucket(ctx, bucketOf(l.fabric))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		kv, err = l.js.CreateBucket(ctx, &jetstream.BucketConfig{
			Name: bucketOf(l.fabric), Description: "ibscope: who reads the counters of what",
			TTL: l.ttl, History: 1, Replicas: l.opts.Replicas,
		})
	}
	if err != nil {
		return l.failed(err)
	}
	if kv.TTL() > 0 {
		l.ttl = kv.TTL()
	}
	l.kv = kv
	return nil
}

// look lists who is there, and which shares somebody has.
func (l *leases) look(ctx context.Context) (members []string, taken map[int]bool, err error) {
	keys, err := l.kv.Keys(ctx)
	if err != nil {
		return nil, nil, err
	}
	taken = map[int]bool{}
	for _, key := range keys {
		if name, ok := strings.CutPrefix(key, "member."); ok && isName(name) {
			if _, err := l.kv.Get(ctx, key); err == nil { // else it has left
				members = append(members, name)
			}
		}
		if text, ok := strings.CutPrefix(key, "share."); ok {
			if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < l.opts.Shares {
				taken[n] = true
			}
		}
	}
	slices.Sort(members)
	return members, taken, nil
}

// abreast is how many requests are under way at the same time.
const abreast = 16

// each does something for many shares, several at a time.
func each(shares []int, do func(share int)) {
	var work sync.WaitGroup
	slots := make(chan struct{}, abreast)
	for _, share := range shares {
		slots <- struct{}{}
		work.Go(func() {
			do(share)
			<-slots
		})
	}
	work.Wait()
}

func (l *leases) list() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []int
	for share := range l.held {
		list = append(list, share)
	}
	slices.Sort(list)
	return list
}

// renew renews what is held. A share that the server has given to somebody else is lost;
// one of which nothing was heard is good until its end.
func (l *leases) renew(ctx context.Context) {
	each(l.list(), func(share int) {
		l.mu.Lock()
		own := l.held[share]
		l.mu.Unlock()
		began := time.Now()
		if own.until.Before(began) {
			l.drop(share) // it may be somebody else's by now: take it again, or not
			return
		}
		revision, err := l.kv.Update(ctx, shareKey(share), []byte(l.opts.Name), own.revision)
		switch {
		case err == nil:
			l.mu.Lock()
			l.held[share] = lease{revision, own.since, l.end(began)}
			l.mu.Unlock()
		case isLost(err):
			l.opts.Logger.Warn("a lease is lost", "fabric", l.fabric, "share", share)
			l.drop(share)
		}
	})
}

// isLost reports whether an update failed because the entry is not what it was.
func isLost(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrWrongRevision)
}

// isNoStream reports whether there is no bucket, or nobody who knows.
func isNoStream(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrNoResponders)
}

func (l *leases) drop(share int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, share)
}

// balance takes the shares that nobody has and that this collector should have, and
// gives back those that another one should have. It tells how many it has taken.
func (l *leases) balance(ctx context.Context, members []string, taken map[int]bool) (got int) {
	var free, surplus []int
	owner := assign(l.opts.Shares, members)
	l.mu.Lock()
	for share := range l.opts.Shares {
		_, own := l.held[share]
		mine := owner[share] == l.opts.Name
		switch {
		case own && !mine:
			surplus = append(surplus, share)
		case !own && mine:
			free = append(free, share)
		}
	}
	l.mu.Unlock()
	each(surplus, func(share int) { l.release(ctx, share) })
	var counting sync.Mutex
	each(free, func(share int) {
		began := time.Now()
		revision, err := l.acquire(ctx, share, taken[share])
		if err != nil {
			return // somebody else has it, or the next round shows why not
		}
		l.mu.Lock()
		l.held[share] = lease{revision, time.Now(), l.end(began)}
		l.mu.Unlock()
		counting.Lock()
		got++
		counting.Unlock()
	})
	if got > 0 || len(surplus) > 0 {
		l.opts.Logger.Info("shares", "fabric", l.fabric, "collectors", len(members), "taken", got, "given_back", len(surplus), "held", len(l.list()))
	}
	return got
}

// acquire takes a share that nobody has, or that is this collector's by an earlier life.
func (l *leases) acquire(ctx context.Context, share int, taken bool) (revision uint64, err error) {
	if !taken {
		return l.kv.Create(ctx, shareKey(share), []byte(l.opts.Name))
	}
	entry, err := l.kv.Get(ctx, shareKey(share))
	if errors.Is(err, jetstream.ErrKeyNotFound) { // given back
		return l.kv.Create(ctx, shareKey(share), []byte(l.opts.Name))
	}
	if err != nil {
		return 0, err
	}
	if string(entry.Value) != l.opts.Name {
		return 0, jetstream.ErrKeyExists
	}
	return l.kv.Update(ctx, shareKey(share), entry.Value, entry.Revision)
}

// release gives a share back: first it is not read any more, then others may have it.
func (l *leases) release(ctx context.Context, share int) {
	l.mu.Lock()
	own := l.held[share]
	delete(l.held, share)
	l.mu.Unlock()
	_ = l.kv.Delete(ctx, shareKey(share), own.revision) // or it ends by itself
}

// giveBack ends the membership, and all leases.
func (l *leases) giveBack() {
	if l.kv == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), min(l.ttl, 2*time.Second))
	defer cancel()
	each(l.list(), func(share int) { l.release(ctx, share) })
	if l.member.revision > 0 {
		_ = l.kv.Delete(ctx, memberKey(l.opts.Name), 0) // or it ends by itself
	}
}
