package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ibscope/ibscope/event"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
)

// claims tell events that several collectors have seen from such that have happened
// several times: what happens in a fabric has a key, and who sees it first writes there
// when it may have happened.
type claims struct {
	js   *jetstream.Client
	opts *Options

	mu    sync.Mutex
	kv    *jetstream.Bucket
	clock clock
	asked time.Time // when the clock was looked at
}

// claim is what is written each time: when it may have happened, by the server's clock.
// An entry has the last ones.
type claim struct {
	By    string    `json:"by"`
	Since time.Time `json:"since"`
	Time  time.Time `json:"time"`

	// Seen is when it was seen by the collector's own clock, by which it knows its claim
	// again however well it knows the server's.
	Seen time.Time `json:"seen,omitzero"`

	// Published is set when the event is in the stream. If that does not come to pass
	// another collector that has seen it takes over.
	Published bool `json:"published,omitempty"`
}

// maxClaims bounds those of an entry: a collector may be late, when others have seen the
// same thing happen again.
const maxClaims = 8

const (
	claimsBucket = "ibscope_events"
	claimsKept   = 24 * time.Hour
	markWithin   = 2 * time.Second  // for all events of one call
	offsetKept   = 10 * time.Minute // until the server's clock is looked at again
	conflicts    = 5                // tries to write a claim
	clockKey     = "clock."
)

func newClaims(js *jetstream.Client, o *Options) *claims { return &claims{js: js, opts: o} }

// Mark marks those of the events as duplicates that another collector has told already.
// It takes two seconds at most; what the server could not be asked about stays
// unmarked. It is to be called before the events are added to the log.
func (f *Fleet) Mark(ctx context.Context, events []event.Event) error {
	if len(events) == 0 || !f.conn.IsConnected() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, markWithin)
	defer cancel()
	for i := range events {
		twice, err := f.claims.mark(ctx, &events[i])
		if err != nil {
			f.opts.Logger.Warn("it is not known whether other collectors have told of events", "events", len(events)-i, "err", err)
			return &Error{Op: "mark", Fabric: events[i].Fabric, Err: err}
		}
		events[i].Duplicate = twice
		if twice {
			f.counts.duplicate()
		}
	}
	return nil
}

// keyOf names what has happened: in which fabric, what, at which ends.
func keyOf(e *event.Event) string {
	text := fmt.Sprintf("%s|%s|%s/%d|%s/%d|%s", e.Fabric, e.Kind, e.At.GUID, e.At.Port, e.To.GUID, e.To.Port, e.Field)
	switch e.Kind {
	case event.FabricLost, event.FabricBack: // of this collector's own port
		return ""
	case event.LIDChanged, event.NodeRenamed, event.WidthLost, event.SpeedLost, event.ManagerChange:
		text += "|" + e.New
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// mark reports whether another collector has told an event. If not it is claimed.
func (c *claims) mark(ctx context.Context, e *event.Event) (twice bool, err error) {
	err = c.edit(ctx, e, func(known []claim, own claim) []claim {
		twice = false
		if slices.ContainsFunc(known, own.isMarked) {
			return nil
		}
		if twice = slices.ContainsFunc(known, own.isOthers); twice {
			return nil
		}
		return append(known[max(0, len(known)-maxClaims+1):], own)
	})
	return twice, err
}

// confirm notes that an event is in the stream.
func (c *claims) confirm(ctx context.Context, e *event.Event) error {
	return c.edit(ctx, e, func(known []claim, own claim) []claim {
		i := slices.IndexFunc(known, own.isMarked)
		if i < 0 || known[i].Published {
			return nil
		}
		known[i].Published = true
		return known
	})
}

// isPending reports whether the collector that has told an event first has not published
// it so far.
func (c *claims) isPending(ctx context.Context, e *event.Event) (pending bool, err error) {
	err = c.edit(ctx, e, func(known []claim, own claim) []claim {
		i := slices.IndexFunc(known, own.isOthers)
		pending = i >= 0 && !known[i].Published
		return nil
	})
	return pending, err
}

// takeOver makes an event this collector's own, if the one that has told it first has not
// published it. It reports whether it is.
func (c *claims) takeOver(ctx context.Context, e *event.Event) (taken bool, err error) {
	err = c.edit(ctx, e, func(known []claim, own claim) []claim {
		i := slices.IndexFunc(known, own.isOthers)
		if taken = i >= 0 && !known[i].Published; !taken {
			return nil
		}
		known[i] = own
		return known
	})
	return taken, err
}

// edit changes the claims of what an event is about, as often as it takes for nobody to
// have changed them in between. Change gives nil to leave them as they are.
func (c *claims) edit(ctx context.Context, e *event.Event, change func(known []claim, own claim) []claim) error {
	key := keyOf(e)
	if key == "" {
		return nil
	}
	kv, clock, err := c.open(ctx)
	if err != nil {
		return err
	}
	own := clock.claim(c.opts.Name, e)
	for range conflicts {
		var known []claim
		entry, err := kv.Get(ctx, key)
		switch {
		case err == nil:
			_ = json.Unmarshal(entry.Value, &known) // what is not ours tells nothing
		case !errors.Is(err, jetstream.ErrKeyNotFound):
			return err
		}
		known = change(known, own)
		if known == nil {
			return nil
		}
		value, err := json.Marshal(known)
		if err != nil {
			return err
		}
		if entry == nil {
			_, err = kv.Create(ctx, key, value)
		} else {
			_, err = kv.Update(ctx, key, value, entry.Revision)
		}
		if err == nil || !isLost(err) {
			return err
		}
	}
	return errors.New("other collectors have changed the entry again and again")
}

// isSame reports whether two things of one kind at one place may be one: they may have
// happened at the same time. In between two that are not one collector has seen that it
// was over, so that their times do not overlap.
func (c *claim) isSame(o *claim) bool {
	return !c.Since.After(o.Time.Add(about)) && !o.Since.After(c.Time.Add(about))
}

// isOthers reports whether a claim is another collector's of the same thing.
func (c *claim) isOthers(o claim) bool { return c.By != o.By && c.isSame(&o) }

// isMarked reports whether a collector's claim is one that it has made before.
func (c *claim) isMarked(o claim) bool {
	if !c.Seen.IsZero() && !o.Seen.IsZero() {
		return c.By == o.By && c.Seen.Sub(o.Seen).Abs() < time.Millisecond
	}
	return c.By == o.By && c.Since.Sub(o.Since).Abs() < about && c.Time.Sub(o.Time).Abs() < about
}

// open finds the bucket, or makes it, and compares the clocks now and then: each time, as
// long as the server takes too long to tell them well.
func (c *claims) open(ctx context.Context) (*jetstream.Bucket, clock, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kv == nil {
		kv, err := c.js.Bucket(ctx, claimsBucket)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			kv, err = c.js.CreateBucket(ctx, &jetstream.BucketConfig{
				Name: claimsBucket, Description: "ibscope: what has happened, and who has told it",
				TTL: claimsKept, History: 1, Replicas: c.opts.Replicas,
			})
		}
		if err != nil {
			return nil, clock{}, err
		}
		c.kv = kv
	}
	if c.asked.IsZero() || time.Since(c.asked) > offsetKept || c.clock.within > about {
		before := time.Now()
		if _, err := c.kv.Put(ctx, clockKey+c.opts.Name, nil); err != nil {
			c.kv = nil
			return nil, clock{}, err
		}
		after := time.Now()
		entry, err := c.kv.Get(ctx, clockKey+c.opts.Name)
		if err != nil {
			return nil, clock{}, err
		}
		c.clock, c.asked = compare(before, after, entry.Created), after
	}
	return c.kv, c.clock, nil
}
