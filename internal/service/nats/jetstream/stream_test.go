package jetstream_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	oraclestream "github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
)

// TestStream: the official client finds the stream as it was asked for, and the messages
// in it; what is published twice under one ID is there once.
func TestStream(t *testing.T) {
	ours, theirs := both(t)
	ctx := t.Context()
	config := &jetstream.StreamConfig{
		Name: "S", Description: "what", Subjects: []string{"s.>"}, MaxAge: time.Hour, MaxBytes: 1 << 20, PerSubject: 5, Duplicates: time.Minute,
	}
	for range 2 { // the second time it is there
		if err := ours.CreateStream(ctx, config); err != nil {
			t.Fatal(err)
		}
	}
	for i, duplicate := range []bool{false, true} {
		m := &nats.Message{Subject: "s.a", Header: nats.Header{jetstream.IDHeader: "1", "Who": "me"}, Data: []byte("data")}
		if a := must(ours.Publish(ctx, m))(t); a.Duplicate != duplicate || a.Sequence != 1 || a.Stream != "S" {
			t.Errorf("%d: %+v", i, a)
		}
	}
	stream := must(theirs.Stream(ctx, "S"))(t)
	want := oraclestream.StreamConfig{
		Name: "S", Description: "what", Subjects: []string{"s.>"}, MaxAge: time.Hour, MaxBytes: 1 << 20, MaxMsgsPerSubject: 5, Duplicates: time.Minute,
		MaxConsumers: -1, MaxMsgs: -1, MaxMsgSize: -1, Replicas: 1, Storage: oraclestream.FileStorage,
	}
	if diff := cmp.Diff(want, stream.CachedInfo().Config); diff != "" {
		t.Error(diff)
	}
	m := must(stream.GetMsg(ctx, 1))(t)
	if m.Subject != "s.a" || string(m.Data) != "data" || m.Header.Get("Who") != "me" || m.Header.Get("Nats-Msg-Id") != "1" {
		t.Errorf("%+v", m)
	}
	if ack := must(theirs.Publish(ctx, "s.a", nil, oraclestream.WithMsgID("1")))(t); !ack.Duplicate {
		t.Error("the official client's repetition is new")
	}
	must(theirs.Publish(ctx, "s.b", []byte("x")))(t)
	info := must(ours.Stream(ctx, "S"))(t)
	if info.Messages != 2 || info.First != 1 || info.Last != 2 || info.Config.MaxAge != time.Hour || info.Config.MaxBytes != 1<<20 {
		t.Errorf("%+v", info)
	}
	config.MaxAge = 2 * time.Hour
	if err := ours.CreateStream(ctx, config); !errors.Is(err, jetstream.ErrStreamExists) {
		t.Error(err)
	}
	if err := ours.UpdateStream(ctx, config); err != nil {
		t.Error(err)
	}
	if got := must(theirs.Stream(ctx, "S"))(t).CachedInfo().Config.MaxAge; got != 2*time.Hour {
		t.Error(got)
	}
}

// TestStreamErrors: errors are what they are called.
func TestStreamErrors(t *testing.T) {
	ours, _ := both(t)
	ctx := t.Context()
	_, notThere := ours.Stream(ctx, "nothing")
	_, noName := ours.Stream(ctx, "a.b")
	_, nobody := ours.Publish(ctx, &nats.Message{Subject: "nobody"})
	_, large := ours.Publish(ctx, &nats.Message{Subject: "nobody", Data: make([]byte, 2<<20)})
	for i, tt := range []struct{ err, want error }{
		{notThere, jetstream.ErrStreamNotFound},
		{noName, os.ErrInvalid},
		{nobody, nats.ErrNoResponders},
		{large, nats.ErrTooLarge},
		{ours.UpdateStream(ctx, &jetstream.StreamConfig{Name: "nothing", Subjects: []string{"a"}}), jetstream.ErrStreamNotFound},
		{ours.CreateStream(ctx, &jetstream.StreamConfig{}), os.ErrInvalid},
	} {
		var of *jetstream.Error
		if !errors.Is(tt.err, tt.want) || !errors.As(tt.err, &of) {
			t.Errorf("%d: %v, want %v", i, tt.err, tt.want)
		}
	}
	var refusal *jetstream.APIError
	if !errors.As(notThere, &refusal) || refusal.Code != 404 {
		t.Error(notThere)
	}
}
