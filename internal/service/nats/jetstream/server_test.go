package jetstream_test

import (
	"testing"
	"time"

	oracle "github.com/nats-io/nats.go"
	oraclestream "github.com/nats-io/nats.go/jetstream"

	"github.com/ibscope/ibscope/internal/service/nats"
	"github.com/ibscope/ibscope/internal/service/nats/jetstream"
	"github.com/ibscope/ibscope/internal/testenv"
)

// both starts Debian's nats-server with JetStream, and gives a client of ours and the
// official one.
func both(t *testing.T) (*jetstream.Client, oraclestream.JetStream) {
	t.Helper()
	address := testenv.NATS(t, "-js", "-sd", t.TempDir())
	ours, err := nats.Open(&nats.Options{URL: address, RetryWait: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ours.Close)
	if err := ours.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	theirs, err := oracle.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(theirs.Close)
	js, err := oraclestream.New(theirs)
	if err != nil {
		t.Fatal(err)
	}
	return jetstream.New(ours), js
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
