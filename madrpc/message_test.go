package madrpc

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"

	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

func trapMessage() (p mad.Packet) {
	p.Init(mad.ClassSubnLID, mad.MethodTrap, smp.AttrNotice, 0)
	return p
}

func TestSend(t *testing.T) {
	f := newFake()
	c := New(f, &Options{MKey: 7})
	defer c.Close()
	for range 2 {
		if err := c.Send(t.Context(), mad.ByLID(5), trapMessage()); err != nil {
			t.Fatal(err)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.sent) != 2 {
		t.Fatalf("%d packets", len(f.sent))
	}
	a, b := f.sent[0], f.sent[1]
	if a.to.LID != 5 || a.p.Method() != mad.MethodTrap || a.p.MKey() != 7 || a.timeout != 0 {
		t.Errorf("%+v", a)
	}
	if a.p.TID() == b.p.TID() || a.p.TID() == 0 {
		t.Errorf("transaction IDs %#x, %#x", a.p.TID(), b.p.TID())
	}
}

func TestSendFails(t *testing.T) {
	f := newFake()
	f.onSend = func(int, mad.Packet) error { return syscall.EPERM }
	c := New(f, nil)
	err := c.Send(t.Context(), mad.ByLID(5), trapMessage())
	var e *Error
	if !errors.Is(err, syscall.EPERM) || !errors.As(err, &e) || e.Method != mad.MethodTrap {
		t.Errorf("refused: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Send(ctx, mad.ByLID(5), trapMessage()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var general mad.Packet
	general.Init(mad.ClassPerf, mad.MethodGet, 1, 0)
	if err := c.Send(t.Context(), mad.Target{}, general); !errors.Is(err, errNoLID) {
		t.Errorf("without LID: %v", err)
	}
	c.Close()
	if err := c.Send(t.Context(), mad.ByLID(5), trapMessage()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestSendEndsWithClient: a message that waits while the transport is stuck ends
// when the client does.
func TestSendEndsWithClient(t *testing.T) {
	f := newFake()
	entered := make(chan struct{})
	f.onSend = func(n int, _ mad.Packet) error {
		if n == 1 {
			close(entered)
			<-f.closed
		}
		return nil
	}
	c := New(f, nil)
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- c.Send(context.Background(), mad.ByLID(5), trapMessage()) }()
	<-entered
	r := &Request{Target: mad.ByLID(6), Packet: trapMessage()}
	sent, err := c.post(r)
	if err != nil {
		t.Fatal(err)
	}
	go func() { second <- <-sent }()
	c.Close()
	if err := <-first; err != nil {
		t.Error(err)
	}
	if err := <-second; !errors.Is(err, os.ErrClosed) {
		t.Errorf("waiting message: %v", err)
	}
}
