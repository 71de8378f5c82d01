package nldev

import (
	"context"
	"errors"
	"iter"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mdlayher/netlink"
)

// mute is a socket whose kernel never answers.
type mute struct {
	once   sync.Once
	ended  chan struct{}
	closed bool
}

func (m *mute) Close() error                         { m.closed = true; return nil }
func (m *mute) Send(netlink.Message) error           { return nil }
func (m *mute) SendMessages([]netlink.Message) error { return nil }
func (m *mute) SetReadDeadline(time.Time) error      { return nil }
func (m *mute) SetWriteDeadline(time.Time) error     { return nil }

func (m *mute) SetDeadline(t time.Time) error {
	if !t.After(time.Now()) {
		m.once.Do(func() { close(m.ended) })
	}
	return nil
}

func (m *mute) Receive() ([]netlink.Message, error) {
	<-m.ended
	return nil, os.ErrDeadlineExceeded
}

func (m *mute) ReceiveIter() iter.Seq2[netlink.Message, error] {
	return func(yield func(netlink.Message, error) bool) {
		_, err := m.Receive()
		yield(netlink.Message{}, err)
	}
}

// TestContextEnds checks that a request which waits ends with its context, that
// nothing of it stays behind, and that the connection is not used again.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &mute{ended: make(chan struct{})}
		c := New(standIn{netlink.NewConn(m, 1)})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.Devices(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		if !m.closed {
			t.Error("the connection stays open, with an answer to come")
		}
	})
}
