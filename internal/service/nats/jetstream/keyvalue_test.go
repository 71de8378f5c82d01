package jetstream_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	oraclestream "github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
)

// TestBucketIsTheirs: a bucket is in all the same as one that the official client makes.
func TestBucketIsTheirs(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	for i, config := range []jetstream.BucketConfig{
		{}, {TTL: time.Second}, {TTL: time.Hour, History: 5, MaxBytes: 1 << 20, Description: "what"},
	} {
		config.Name = fmt.Sprintf("b%d", i)
		must(theirs.CreateKeyValue(ctx, oraclestream.KeyValueConfig{
			Bucket: config.Name, TTL: config.TTL, History: uint8(config.History), MaxBytes: config.MaxBytes, Description: config.Description,
		}))(t)
		b, err := ours.CreateBucket(ctx, &config) // else the server has something else already
		if err != nil {
			t.Errorf("%+v: %v", config, err)
			continue
		}
		if found := must(ours.Bucket(ctx, config.Name))(t); found.TTL() != config.TTL || b.TTL() != config.TTL {
			t.Errorf("%v, %v", found.TTL(), b.TTL())
		}
		config.History++
		if _, err := ours.CreateBucket(ctx, &config); config.History > 1 && !errors.Is(err, jetstream.ErrStreamExists) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

// TestKeys: what one client writes the other one reads.
func TestKeys(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	b := must(ours.CreateBucket(ctx, &jetstream.BucketConfig{Name: "b", History: 3}))(t)
	kv := must(theirs.KeyValue(ctx, "b"))(t)

	first := must(b.Put(ctx, "a.x", []byte("1")))(t)
	if e := must(kv.Get(ctx, "a.x"))(t); string(e.Value()) != "1" || e.Revision() != first {
		t.Errorf("%s at %d", e.Value(), e.Revision())
	}
	second := must(kv.Update(ctx, "a.x", []byte("2"), first))(t)
	if e := must(b.Get(ctx, "a.x"))(t); string(e.Value) != "2" || e.Revision != second || e.Key != "a.x" || time.Since(e.Created).Abs() > time.Hour {
		t.Errorf("%+v", e)
	}
	third := must(b.Update(ctx, "a.x", nil, second))(t)
	if e := must(b.Get(ctx, "a.x"))(t); len(e.Value) != 0 {
		t.Errorf("%+v", e)
	}
	if err := b.Delete(ctx, "a.x", second); !errors.Is(err, jetstream.ErrWrongRevision) {
		t.Error(err)
	}
	if err := b.Delete(ctx, "a.x", third); err != nil {
		t.Error(err)
	}
	if _, err := kv.Get(ctx, "a.x"); !errors.Is(err, oraclestream.ErrKeyNotFound) {
		t.Error(err)
	}
	must(b.Create(ctx, "a.x", []byte("again")))(t)
	if e := must(kv.Get(ctx, "a.x"))(t); string(e.Value()) != "again" {
		t.Errorf("%s", e.Value())
	}
	must(b.Create(ctx, "new", nil))(t)
	if got := len(must(kv.History(ctx, "a.x"))(t)); got != 3 {
		t.Errorf("%d of a history of 3", got)
	}
	for key, remove := range map[string]func(string) error{
		"deleted": func(key string) error { return kv.Delete(ctx, key) },
		"purged":  func(key string) error { return kv.Purge(ctx, key) },
	} {
		must(kv.Create(ctx, key, nil))(t)
		if err := remove(key); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Get(ctx, key); !errors.Is(err, jetstream.ErrKeyNotFound) {
			t.Errorf("%s: %v", key, err)
		}
		must(b.Create(ctx, key, nil))(t)
	}
	keys, wanted := must(b.Keys(ctx))(t), must(kv.Keys(ctx))(t)
	slices.Sort(keys)
	slices.Sort(wanted)
	if !slices.Equal(keys, wanted) || len(keys) != 4 {
		t.Errorf("%q, want %q", keys, wanted)
	}
}

// TestKeyErrors: errors are what they are called.
func TestKeyErrors(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	b := must(ours.CreateBucket(ctx, &jetstream.BucketConfig{Name: "b"}))(t)
	kv := must(theirs.KeyValue(ctx, "b"))(t)
	must(kv.Create(ctx, "a", nil))(t)
	_, noBucket := ours.Bucket(ctx, "nothing")
	_, history := ours.CreateBucket(ctx, &jetstream.BucketConfig{Name: "c", History: 65})
	_, missing := b.Get(ctx, "missing")
	_, exists := b.Create(ctx, "a", nil)
	_, revision := b.Update(ctx, "a", nil, 99)
	_, unwritten := b.Update(ctx, "b", nil, 1)
	for i, tt := range []struct{ err, want error }{
		{noBucket, jetstream.ErrStreamNotFound},
		{history, os.ErrInvalid},
		{missing, jetstream.ErrKeyNotFound},
		{exists, jetstream.ErrKeyExists},
		{revision, jetstream.ErrWrongRevision},
		{unwritten, jetstream.ErrWrongRevision},
	} {
		var of *jetstream.Error
		if !errors.Is(tt.err, tt.want) || !errors.As(tt.err, &of) {
			t.Errorf("%d: %v, want %v", i, tt.err, tt.want)
		}
	}
	for _, key := range []string{"", ".", "a.", ".a", "a..b", "a b", "a*", ">", "é", strings.Repeat("a", 1000)} {
		_, getting := b.Get(ctx, key)
		_, putting := b.Put(ctx, key, nil)
		if !errors.Is(getting, os.ErrInvalid) || !errors.Is(putting, os.ErrInvalid) {
			t.Errorf("%q: %v, %v", key, getting, putting)
		}
	}
}
