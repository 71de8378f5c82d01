package jetstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ibscope/ibscope/internal/service/nats"
)

// BucketConfig is what a bucket of keys and values keeps.
type BucketConfig struct {
	Name        string        // [A-Za-z0-9_-]{1,125}
	Description string        //
	TTL         time.Duration // after which an entry is forgotten; 0 for never
	History     int           // entries that are kept of each key: 0 = 1, at most 64
	MaxBytes    int64         // 0 for no bound
	Replicas    int           // 0 = 1
}

// Bucket has keys and values. Its methods may be called from any goroutine.
type Bucket struct {
	client *Client
	name   string
	stream string
	ttl    time.Duration
}

// Entry is a value of a key.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64
	Created  time.Time // by the server's clock
}

const (
	bucketPrefix   = "KV_"
	maxHistory     = 64
	maxKey         = 900
	longestWindow  = 2 * time.Minute // for IDs of messages
	operation      = "KV-Operation"  // header of a deletion
	operationDel   = "DEL"
	operationPurge = "PURGE"
	markerReason   = "Nats-Marker-Reason" // header of what newer servers leave where a value was
)

// CreateBucket makes a bucket; ErrStreamExists when it is there with other settings. The
// error is an *Error.
func (c *Client) CreateBucket(ctx context.Context, b *BucketConfig) (*Bucket, error) {
	if b.History < 0 || b.History > maxHistory {
		return nil, wrap("create bucket", b.Name, fmt.Errorf("%w: a history of %d is not from 1 to %d", os.ErrInvalid, b.History, maxHistory))
	}
	window := longestWindow
	if b.TTL > 0 {
		window = min(window, b.TTL)
	}
	s := &StreamConfig{
		Name: bucketPrefix + b.Name, Description: b.Description, Subjects: []string{keySubject(b.Name, ">")},
		MaxAge: b.TTL, MaxBytes: b.MaxBytes, PerSubject: int64(max(b.History, 1)), Duplicates: window, Replicas: b.Replicas,
		discardNew: true, denyDelete: true, allowRollup: true, allowDirect: true,
	}
	if err := c.CreateStream(ctx, s); err != nil {
		return nil, err
	}
	return &Bucket{c, b.Name, s.Name, b.TTL}, nil
}

// Bucket finds a bucket. The error is an *Error, which may be ErrStreamNotFound.
func (c *Client) Bucket(ctx context.Context, name string) (*Bucket, error) {
	s, err := c.Stream(ctx, bucketPrefix+name)
	if err != nil {
		return nil, err
	}
	return &Bucket{c, name, bucketPrefix + name, s.Config.MaxAge}, nil
}

func keySubject(bucket, key string) string { return "$KV." + bucket + "." + key }

// TTL is after what time entries are forgotten; 0 for never.
func (b *Bucket) TTL() time.Duration { return b.ttl }

func (b *Bucket) wrap(op, key string, err error) error { return wrap(op, b.name+"/"+key, err) }

// Get reads a key. The error is an *Error, ErrKeyNotFound also for one that was deleted.
func (b *Bucket) Get(ctx context.Context, key string) (*Entry, error) {
	e, isDeleted, err := b.get(ctx, key)
	if err == nil && isDeleted {
		err = ErrKeyNotFound
	}
	if err != nil {
		return nil, b.wrap("get key", key, err)
	}
	return e, nil
}

// get reads what there is of a key, which may be that it was deleted.
func (b *Bucket) get(ctx context.Context, key string) (e *Entry, isDeleted bool, err error) {
	if err := checkKey(key); err != nil {
		return nil, false, err
	}
	m, err := b.client.last(ctx, b.stream, keySubject(b.name, key))
	if errors.Is(err, ErrMessageNotFound) {
		return nil, false, ErrKeyNotFound
	}
	if err != nil {
		return nil, false, err
	}
	isDeleted = false
	if m.Header != "" {
		h, err := nats.ParseHeader([]byte(m.Header))
		if err != nil {
			return nil, false, err
		}
		isDeleted = h[operation] == operationDel || h[operation] == operationPurge || h[markerReason] != ""
	}
	return &Entry{key, m.Data, m.Sequence, m.Time}, isDeleted, nil
}

// Keys lists the keys, in no order. Those that were deleted are among them for as long as
// the server knows that they were: Get tells.
func (b *Bucket) Keys(ctx context.Context) ([]string, error) {
	list, err := b.client.subjects(ctx, b.stream, keySubject(b.name, ">"))
	if err != nil {
		return nil, b.wrap("list keys", "", err)
	}
	for i := range list {
		list[i] = strings.TrimPrefix(list[i], keySubject(b.name, ""))
	}
	return list, nil
}

// Put writes a key, whatever it was, and gives its revision. The error is an *Error.
func (b *Bucket) Put(ctx context.Context, key string, value []byte) (uint64, error) {
	revision, err := b.write(ctx, key, value, nil)
	return revision, b.wrap("put key", key, err)
}

// Update writes a key that has a revision, 0 for one that was never written. The error
// is an *Error: ErrWrongRevision when it has another one.
func (b *Bucket) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	revision, err := b.write(ctx, key, value, expect(revision))
	return revision, b.wrap("update key", key, err)
}

// Create writes a key that is not there, or was deleted. The error is an *Error:
// ErrKeyExists when it is.
func (b *Bucket) Create(ctx context.Context, key string, value []byte) (uint64, error) {
	revision, err := b.write(ctx, key, value, expect(0))
	if errors.Is(err, ErrWrongRevision) {
		e, isDeleted, known := b.get(ctx, key)
		switch {
		case known == nil && isDeleted:
			revision, err = b.write(ctx, key, value, expect(e.Revision))
		case known != nil && !errors.Is(known, ErrKeyNotFound):
			err = known
		}
	}
	if errors.Is(err, ErrWrongRevision) {
		err = fmt.Errorf("%w: %w", ErrKeyExists, err)
	}
	return revision, b.wrap("create key", key, err)
}

// Delete deletes a key that has a revision; with 0, whatever it has. The error is an
// *Error: ErrWrongRevision when it has another one.
func (b *Bucket) Delete(ctx context.Context, key string, revision uint64) error {
	h := nats.Header{operation: operationDel}
	if revision > 0 {
		h[lastOfSubjectHeader] = strconv.FormatUint(revision, 10)
	}
	_, err := b.write(ctx, key, nil, h)
	return b.wrap("delete key", key, err)
}

func expect(revision uint64) nats.Header {
	return nats.Header{lastOfSubjectHeader: strconv.FormatUint(revision, 10)}
}

func (b *Bucket) write(ctx context.Context, key string, value []byte, h nats.Header) (uint64, error) {
	if err := checkKey(key); err != nil {
		return 0, err
	}
	a, err := b.client.publish(ctx, &nats.Message{Subject: keySubject(b.name, key), Header: h, Data: value})
	if err != nil {
		return 0, err
	}
	return a.Sequence, nil
}

func checkKey(key string) error {
	if !isWord(key, maxKey, "-/_=.") || strings.HasPrefix(key, ".") || strings.HasSuffix(key, ".") || strings.Contains(key, "..") {
		return fmt.Errorf("%w: a key has letters, digits and -/_=. between them", os.ErrInvalid)
	}
	return nil
}
