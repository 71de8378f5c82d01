package jetstream_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	oraclestream "github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
)

// TestObjects: the official client gets what was put, of any size, checks its digest,
// and finds nothing of what was there before.
func TestObjects(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	config := jetstream.ObjectsConfig{Name: "o", Description: "what"}
	o := must(ours.Objects(ctx, &config))(t)
	store := must(theirs.ObjectStore(ctx, "o"))(t)
	noise := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{3_000_000, 0, 1, 128 << 10, 128<<10 + 1} {
		text := make([]byte, size)
		_, _ = noise.Read(text)
		i := must(o.Put(ctx, "a b/é", "by us", iotest.HalfReader(bytes.NewReader(text))))(t)
		got := must(store.GetBytes(ctx, "a b/é"))(t)
		if !bytes.Equal(got, text) {
			t.Errorf("%d bytes of %d", len(got), size)
		}
		sum := sha256.Sum256(text)
		digest := "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
		info := must(store.GetInfo(ctx, "a b/é"))(t)
		if info.Digest != digest || info.Size != uint64(size) || i.Digest != digest || info.NUID != i.NUID || info.Description != "by us" || info.Opts.ChunkSize != 128<<10 {
			t.Errorf("%+v", info)
		}
		if n := must(ours.Stream(ctx, "OBJ_o"))(t).Messages; n != uint64(i.Chunks)+1 {
			t.Errorf("%d messages in the stream, of %d parts", n, i.Chunks)
		}
	}
	must(theirs.CreateObjectStore(ctx, oraclestream.ObjectStoreConfig{Bucket: "o2", Description: "what"}))(t)
	theirConfig := must(theirs.Stream(ctx, "OBJ_o2"))(t).CachedInfo().Config
	ourConfig := must(theirs.Stream(ctx, "OBJ_o"))(t).CachedInfo().Config
	theirConfig.Name, theirConfig.Subjects = ourConfig.Name, []string{"$O.o.C.>", "$O.o.M.>"}
	if diff := cmp.Diff(theirConfig, ourConfig); diff != "" {
		t.Error(diff)
	}
}

// TestTheirObjects: what the official client has put, deleted and limited.
func TestTheirObjects(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	store := must(theirs.CreateObjectStore(ctx, oraclestream.ObjectStoreConfig{Bucket: "o", MaxBytes: 1 << 20}))(t)
	info := must(store.PutString(ctx, "a", "hello"))(t)
	o := must(ours.Objects(ctx, &jetstream.ObjectsConfig{Name: "o"}))(t)
	got := must(o.Info(ctx, "a"))(t)
	if got.Digest != info.Digest || got.NUID != info.NUID || got.Size != 5 || got.Chunks != 1 || got.ModTime.IsZero() {
		t.Errorf("%+v, want %+v", got, info)
	}
	if err := store.Delete(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if _, err := o.Info(ctx, name); !errors.Is(err, jetstream.ErrObjectNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(o.Put(ctx, "a", "", strings.NewReader("again")))(t)

	broken := errors.New("broken")
	for name, from := range map[string]io.Reader{
		"too large": bytes.NewReader(make([]byte, 2<<20)),
		"broken":    io.MultiReader(bytes.NewReader(make([]byte, 500_000)), iotest.ErrReader(broken)),
	} {
		var of *jetstream.Error
		if _, err := o.Put(ctx, "a", "", from); !errors.As(err, &of) || name == "broken" && !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
		if text := must(store.GetString(ctx, "a"))(t); text != "again" {
			t.Errorf("%s: it is %q", name, text)
		}
		if n := must(ours.Stream(ctx, "OBJ_o"))(t).Messages; n != 2 {
			t.Errorf("%s: %d messages are left", name, n)
		}
	}
}
