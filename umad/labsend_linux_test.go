package umad

import (
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// TestKernelAnswer: nobody has registered for the class, so the kernel itself
// answers a Get to its own link-local GID, with a status.
func TestKernelAnswer(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	to := ownAddr(t)
	for _, class := range []mad.Class{mad.ClassPerf, 0x0a, mad.ClassSubnAdm} {
		if err := p.Send(packet(class, mad.MethodGet, 0x99), to, time.Second); err != nil {
			t.Fatal(err)
		}
		m, from := recv(t, p)
		if m.Class() != class || m.Method() != mad.MethodGetResp || m.Status() != 0x0c || uint32(m.TID()) != 0x99 {
			t.Errorf("%v: answer %v, status %v, TID %#x", class, m.Method(), m.Status(), m.TID())
		}
		if from.QP != mad.QPGeneral || !from.HasGRH || from.GRH.GID != to.GRH.GID || from.GRH.HopLimit != 64 {
			t.Errorf("%v: from %+v", class, from)
		}
	}
}

// TestKernelTimeout: a request without an answer comes back after the timeout,
// once for all retries, with its header only.
func TestKernelTimeout(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	to := gidAddr(t, 1) // the kernel does not match replies to an IPv4-mapped GID
	a, err := p.Register(AgentRequest{Class: mad.ClassPerf})
	if err != nil {
		t.Fatal(err)
	}
	for retries := range 3 {
		m := packet(mad.ClassPerf, mad.MethodGet, 0x1122334455667788)
		start := time.Now()
		if err := a.Send(m, to, 200*time.Millisecond, retries); err != nil {
			t.Fatal(err)
		}
		var back mad.Packet
		addr, err := p.Recv(&back)
		took := time.Since(start)
		var lost *mad.SendError
		if !errors.As(err, &lost) || !errors.Is(err, unix.ETIMEDOUT) {
			t.Fatalf("%d retries: %v", retries, err)
		}
		least := time.Duration(retries+1) * 200 * time.Millisecond
		if took < least-20*time.Millisecond || took > least+2*time.Second {
			t.Errorf("%d retries: came back after %v", retries, took)
		}
		if back.Class() != mad.ClassPerf || back.Method() != mad.MethodGet || back.AttrID() != 0x12 || uint32(back.TID()) != 0x55667788 {
			t.Errorf("came back as % x", back[:24])
		}
		if addr.GRH.GID != to.GRH.GID {
			t.Errorf("came back from %v", addr.GRH.GID)
		}
	}
}

// TestKernelNoTimeout: without a timeout nothing comes back.
func TestKernelNoTimeout(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	if err := p.Send(packet(mad.ClassPerf, mad.MethodGet, 1), gidAddr(t, 1), 0); err != nil {
		t.Fatal(err)
	}
	if err := p.SetRecvDeadline(time.Now().Add(700 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	var m mad.Packet
	if _, err := p.Recv(&m); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("received % x, %v", m[:24], err)
	}
}

// TestKernelSameTID: a request whose transaction ID is still waited for is
// refused; once the earlier one has come back it is not.
func TestKernelSameTID(t *testing.T) {
	needKernel(t)
	p := openKernel(t)
	to := gidAddr(t, 1)
	m := packet(mad.ClassPerf, mad.MethodGet, 0x42)
	if err := p.Send(m, to, 300*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if err := p.Send(m, to, 300*time.Millisecond); !errors.Is(err, unix.EINVAL) {
		t.Errorf("again: %v", err)
	}
	m.SetTID(0x43)
	if err := p.Send(m, to, 300*time.Millisecond); err != nil {
		t.Errorf("another one: %v", err)
	}
	m.SetTID(0x100000042) // the upper half is the kernel's
	if err := p.Send(m, to, 300*time.Millisecond); !errors.Is(err, unix.EINVAL) {
		t.Errorf("the same lower half: %v", err)
	}
	for range 2 {
		if _, err := p.Recv(m); !errors.Is(err, unix.ETIMEDOUT) {
			t.Fatal(err)
		}
	}
	if err := p.Send(packet(mad.ClassPerf, mad.MethodGet, 0x42), to, 10*time.Millisecond); err != nil {
		t.Errorf("after it came back: %v", err)
	}
}

// TestKernelSendErrors: what write(2) refuses.
func TestKernelSendErrors(t *testing.T) {
	needKernel(t)
	to := gidAddr(t, 1)
	change := func(f func(*mad.Addr)) mad.Addr {
		a := to
		f(&a)
		return a
	}
	v4 := func(a, b, c, d byte) ib.GID { return ib.GID{10: 0xff, 11: 0xff, 12: a, 13: b, 14: c, 15: d} }
	for _, tc := range []struct {
		name string
		to   mad.Addr
		want error
	}{
		{"LID, no GRH", mad.Addr{LID: 1}, unix.EINVAL},
		{"no GID", change(func(a *mad.Addr) { a.GRH.GID = ib.GID{} }), unix.EINVAL},
		{"unused GID index", change(func(a *mad.Addr) { a.GRH.GIDIndex = 255 }), unix.ENODATA},
		{"no route", change(func(a *mad.Addr) { a.GRH.GID = v4(192, 168, 77, 1) }), unix.ETIMEDOUT},
		{"nobody there", change(func(a *mad.Addr) { a.GRH.GID = v4(10, 0, 0, 77) }), unix.ETIMEDOUT},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := openKernel(t)
			err := p.Send(packet(mad.ClassPerf, mad.MethodGet, 1), tc.to, 100*time.Millisecond)
			var e *Error
			if !errors.Is(err, tc.want) || !errors.As(err, &e) {
				t.Errorf("%v, want %v", err, tc.want)
			}
			var returned *mad.SendError
			if errors.As(err, &returned) {
				t.Errorf("%v is a SendError, which is for Recv", err)
			}
		})
	}
	p := openKernel(t)
	a, err := p.Register(AgentRequest{Class: mad.ClassPerf})
	if err != nil {
		t.Fatal(err)
	}
	long := make([]byte, mad.Size+1)
	copy(long, packet(mad.ClassPerf, mad.MethodGet, 1)[:])
	if err := a.SendLong(long, to, 0, 0); !errors.Is(err, unix.EINVAL) {
		t.Errorf("long message without RMPP: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Send(packet(mad.ClassPerf, mad.MethodGet, 1), to, 0, 0); !errors.Is(err, unix.EIO) {
		t.Errorf("by an agent that has been closed: %v", err)
	}
}

// TestKernelExchange has two ports talk to each other from two goroutines each:
// one sends while the other receives.
func TestKernelExchange(t *testing.T) {
	needKernel(t)
	server, client := openKernel(t), openKernel(t)
	agent, err := server.Register(AgentRequest{Class: mad.ClassPerf, Methods: []mad.Method{mad.MethodGet}})
	if err != nil {
		t.Fatal(err)
	}
	to := ownAddr(t)
	const count, window = 300, 16
	var wg sync.WaitGroup
	wg.Go(func() {
		for range count {
			var m mad.Packet
			from, err := server.Recv(&m)
			if err != nil {
				t.Error("server: ", err)
				return
			}
			m.SetMethod(mad.MethodGetResp)
			m[200] = byte(m.TID())
			from.QKey = 0 // as received: that of a reply is filled in
			if err := agent.Send(&m, from, 0, 0); err != nil {
				t.Error("server: ", err)
				return
			}
		}
	})
	room := make(chan struct{}, window)
	wg.Go(func() {
		for n := range count {
			select {
			case room <- struct{}{}:
			case <-t.Context().Done():
				return
			}
			if err := client.Send(packet(mad.ClassPerf, mad.MethodGet, uint64(n)), to, 5*time.Second); err != nil {
				t.Error("client: ", err)
				return
			}
		}
	})
	seen := map[uint32]bool{}
	for range count {
		var m mad.Packet
		if _, err := client.Recv(&m); err != nil {
			t.Fatal("client: ", err)
		}
		<-room
		if m.Method() != mad.MethodGetResp || m[200] != byte(m.TID()) || seen[uint32(m.TID())] {
			t.Fatalf("received % x … %02x", m[:24], m[200])
		}
		seen[uint32(m.TID())] = true
	}
	wg.Wait()
}
