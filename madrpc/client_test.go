package madrpc

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestGetSMP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			r := reply(p)
			(&smp.NodeInfo{NodeGUID: 0x1234, NumPorts: 36}).Encode(r.SMPData())
			f.deliver(r)
			return nil
		}
		c := New(f, &Options{MKey: 99, Timeout: time.Second})
		defer c.Close()
		path, _ := ib.NewDRPath(1, 2)
		info, err := GetSMP[smp.NodeInfo](t.Context(), c, mad.ByPath(path), 0)
		if err != nil || info.NodeGUID != 0x1234 || info.NumPorts != 36 {
			t.Errorf("got %+v, %v", info, err)
		}
		s := f.sends()[0]
		if s.to.LID != ib.PermissiveLID || s.p.Class() != mad.ClassSubnDirected || s.p.HopCount() != 2 ||
			s.p.InitialPath()[2] != 2 || s.p.MKey() != 99 || s.timeout != time.Second {
			t.Errorf("sent %+v", s)
		}
	})
}

func TestAddressOfGeneralServices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(0)
		c := New(f, &Options{MKey: 99, PKeyIndex: 5})
		defer c.Close()
		r := &Request{Target: mad.Target{LID: 7, SL: 2, PKeyIndex: 3}}
		r.Packet.Init(mad.ClassPerf, mad.MethodGet, 0x0012, 0)
		if err := c.Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		want := mad.Addr{LID: 7, SL: 2, PKeyIndex: 3, QP: 1, QKey: mad.WellKnownQK}
		if s := f.sends()[0]; s.to != want || s.p.MKey() != 0 {
			t.Errorf("sent to %+v, want %+v", s.to, want)
		}
		r.Target.PKeyIndex = 0
		r.Packet.Init(mad.ClassPerf, mad.MethodGet, 0x0012, 0)
		if err := c.Do(t.Context(), r); err != nil || f.sends()[1].to.PKeyIndex != 5 {
			t.Errorf("sent to %+v, %v, want the client's P_Key index", f.sends()[1].to, err)
		}
		r.Target = mad.Target{}
		r.Packet.Init(mad.ClassPerf, mad.MethodGet, 0x0012, 0)
		if err := c.Do(t.Context(), r); !errors.Is(err, errNoLID) || r.Tries != 0 {
			t.Errorf("without LID: %v after %d tries", err, r.Tries)
		}
	})
}

// SMPs get the class that their target needs.
func TestClassFollowsTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(0)
		c := New(f, nil)
		defer c.Close()
		r := &Request{}
		r.Packet.Init(mad.ClassSubnLID, mad.MethodGet, 0x0011, 0)
		if err := c.Do(t.Context(), r); err != nil || r.Packet.Class() != mad.ClassSubnDirected {
			t.Errorf("err %v, reply of class %v", err, r.Packet.Class())
		}
	})
}

func TestStatusIsError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.onSend = func(_ int, p mad.Packet) error {
			f.deliver(withStatus(reply(p), mad.StatusUnsupportedAttr))
			return nil
		}
		c := New(f, nil)
		defer c.Close()
		r := portInfo(5, 3)
		err := c.Do(t.Context(), r)
		if err != r.Err || !errors.Is(err, mad.StatusUnsupportedAttr) || errors.Is(err, mad.StatusBusy) {
			t.Errorf("err = %v, r.Err = %v", err, r.Err)
		}
		if r.Packet.Method() != mad.MethodGetResp {
			t.Error("the reply is not in the packet")
		}
		if e := new(Error); !errors.As(err, &e) || e.Method != mad.MethodGet || e.Timeout() {
			t.Errorf("error describes the reply: %+v", e)
		}
		checkStats(t, c, Stats{Sent: 1, Replies: 1})
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := echo(5 * time.Second)
		c := New(f, &Options{Timeout: time.Minute})
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		r := portInfo(1, 0)
		if err := c.Do(ctx, r); !errors.Is(err, context.DeadlineExceeded) || r.Err != err || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		// Given up before it starts: nothing is sent.
		if err := c.Do(ctx, r); !errors.Is(err, context.DeadlineExceeded) || r.Tries != 0 {
			t.Errorf("%v after %d tries", err, r.Tries)
		}
		time.Sleep(time.Minute)
		checkStats(t, c, Stats{Sent: 1, Cancelled: 1, Late: 1})
	})
}

func TestCloseInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(newFake(), &Options{MaxOutstanding: 8})
		q := c.NewQueue()
		for i := range 100 { // some in flight, some in line, some behind their target
			q.Start(portInfo(ib.LID(1+i%5), uint32(i)))
		}
		done := make(chan error)
		go func() { done <- c.Do(t.Context(), portInfo(9, 0)) }()
		synctest.Wait()
		if s := c.Stats(); s.InFlight != 8 || s.Waiting != 93 {
			t.Errorf("before: %+v", s)
		}
		c.Close()
		if err := <-done; !errors.Is(err, os.ErrClosed) {
			t.Errorf("Do: %v", err)
		}
		for range 100 {
			if r, err := q.Next(t.Context()); err != nil || !errors.Is(r.Err, os.ErrClosed) {
				t.Fatal(err, r)
			}
		}
		if _, err := q.Next(t.Context()); err != ErrEmpty {
			t.Errorf("Next of an empty queue: %v", err)
		}
		if err := c.Do(t.Context(), portInfo(1, 0)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		checkStats(t, c, Stats{Sent: 8})
		c.Close()
	})
}

func TestTransportDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		c := New(f, nil)
		defer c.Close()
		time.AfterFunc(time.Millisecond, func() { f.in <- incoming{err: syscall.EIO} })
		if err := c.Do(t.Context(), portInfo(1, 0)); !errors.Is(err, syscall.EIO) {
			t.Errorf("in flight: %v", err)
		}
		if err := c.Do(t.Context(), portInfo(1, 0)); !errors.Is(err, syscall.EIO) {
			t.Errorf("afterwards: %v", err)
		}
		checkStats(t, c, Stats{Sent: 1})
	})
}

type closeError struct{ *fake }

func (c closeError) Close() error { c.fake.Close(); return io.ErrUnexpectedEOF }

func TestCloseReturnsTheTransportsError(t *testing.T) {
	c := New(closeError{newFake()}, nil)
	for range 2 {
		if err := c.Close(); err != io.ErrUnexpectedEOF {
			t.Errorf("Close: %v", err)
		}
	}
}
