package fleet

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// Options of New. URL, Name, Dir and Fabrics are needed.
type Options struct {
	URL string // "nats://host:4222", or several with commas between them

	Credentials string // a file as nsc makes it; "" for none

	NATS    nats.Options // TLS and times; the rest of it is New's
	Name    string       // of this collector: a word [a-z0-9_-]{1,63} that no other one has
	Dir     string       // where events wait that could not be published yet
	Fabrics []string     // names, the same ones at all collectors

	// Share has the counters shared, with leases that end after one and a half of
	// Interval, that of passes over the counters; 0 stands for a minute. The first
	// collector of a fabric decides for all.
	Share    bool
	Interval time.Duration
	Shares   int // into which nodes are divided: 0 = 128, at most 256

	// Alone is after how long without the server a collector reads all counters by
	// itself; 0 stands for three intervals, less than 0 for never.
	Alone time.Duration

	// Acquired, if set, is told that a fabric has nodes more whose counters are to be
	// read here, from the goroutine of Run. They should be read soon.
	Acquired func(fabric string)

	// Snapshot, if set, writes what is known of a fabric, false for nothing; it is asked
	// every SnapshotEvery, 0 for an hour, of the collector that has the first share.
	Snapshot      func(ctx context.Context, fabric string, to io.Writer) (bool, error)
	SnapshotEvery time.Duration

	Replicas int // of all that is on the server; 0 = 1

	Logger *slog.Logger // nil for none
}

const (
	defaultInterval = time.Minute
	minInterval     = time.Second
	defaultShares   = 128
	maxShares       = 256
	defaultSnapshot = time.Hour
)

const maxName = 63

// isName reports whether a text can be the name of a collector or a fabric. A regular
// expression would do the same, and take its time at each start of the program.
func isName(s string) bool {
	return s != "" && len(s) <= maxName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// withDefaults fills in what is not set. The error is an *Error that wraps
// os.ErrInvalid.
func (o *Options) withDefaults() (Options, error) {
	c := *o
	fail := func(format string, args ...any) (Options, error) {
		return c, &Error{Op: "configure", Err: fmt.Errorf("%w: %s", os.ErrInvalid, fmt.Sprintf(format, args...))}
	}
	for _, word := range append([]string{c.Name}, c.Fabrics...) {
		if !isName(word) {
			return fail("the name %q is no word of a-z, 0-9, _ and -", word)
		}
	}
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	if c.Shares == 0 {
		c.Shares = defaultShares
	}
	switch {
	case c.URL == "":
		return fail("no URL")
	case c.Interval < minInterval:
		return fail("an interval of %v is less than %v", c.Interval, minInterval)
	case c.Shares < 1 || c.Shares > maxShares:
		return fail("%d shares are not from 1 to %d", c.Shares, maxShares)
	}
	if c.Alone == 0 {
		c.Alone = 3 * c.Interval
	}
	if c.SnapshotEvery <= 0 {
		c.SnapshotEvery = defaultSnapshot
	}
	if c.Replicas <= 0 {
		c.Replicas = 1
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}
