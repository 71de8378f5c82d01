package pcap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// echo is a transport that answers each request but those it is told to treat
// otherwise.
type echo struct {
	ch      chan mad.Packet
	refuse  error
	address mad.Addr
}

func (e *echo) Send(p *mad.Packet, _ mad.Addr, _ time.Duration) error {
	if e.refuse == nil {
		e.ch <- *p
	}
	return e.refuse
}

func (e *echo) Recv(p *mad.Packet) (mad.Addr, error) {
	got, ok := <-e.ch
	if !ok {
		return mad.Addr{}, os.ErrClosed
	}
	*p = got
	if p.Method() == mad.MethodSet {
		return e.address, &mad.SendError{Err: syscall.ETIMEDOUT}
	}
	p[3] |= byte(mad.ResponseBit)
	if p.AttrID() == attrPortInfo {
		p.SMPData()[portInfoLID+1] = 42
	}
	return e.address, nil
}

func (e *echo) Close() error { close(e.ch); return nil }

// answering is a transport that has to be told what is wanted.
type answering struct {
	echo
	class mad.Class
	oui   uint32
}

func (a *answering) Answer(class mad.Class, oui uint32) error {
	a.class, a.oui = class, oui
	return syscall.EPERM
}

func TestTapAnswer(t *testing.T) {
	below := &answering{}
	if err := NewTap(below, NewWriter(io.Discard, ""), "", nil).Answer(0x32, 0x1405); !errors.Is(err, syscall.EPERM) || below.class != 0x32 || below.oui != 0x1405 {
		t.Errorf("error %v, class %v, OUI %#x", err, below.class, below.oui)
	}
	if err := NewTap(&echo{}, NewWriter(io.Discard, ""), "", nil).Answer(0x32, 0x1405); err != nil {
		t.Errorf("a transport that gives all: %v", err)
	}
}

func TestTap(t *testing.T) {
	var b bytes.Buffer
	below := &echo{ch: make(chan mad.Packet, 1), address: mad.Addr{LID: ib.PermissiveLID}}
	now := start
	tap := NewTap(below, NewWriter(&b, "x"), "sim:star", func() time.Time { now = now.Add(time.Microsecond); return now })
	if tap.Unwrap() != below {
		t.Error("Unwrap gives something else")
	}
	ask := func(p mad.Packet, to mad.Addr) error {
		if err := tap.Send(&p, to, time.Second); err != nil {
			return err
		}
		_, err := tap.Recv(&p)
		return err
	}
	own := request(mad.ClassSubnDirected, mad.MethodGet, attrPortInfo, 1)
	target := mad.Target{}
	if err := ask(own, target.Route(&own)); err != nil {
		t.Fatal(err)
	}
	below.address = mad.Addr{LID: 7, QP: 1, QKey: mad.WellKnownQK}
	if err := ask(request(mad.ClassPerf, mad.MethodGet, 0x12, 2), mad.Addr{LID: 7, SL: 2}); err != nil {
		t.Fatal(err)
	}
	var lost *mad.SendError
	if err := ask(request(mad.ClassPerf, mad.MethodSet, 0x12, 3), mad.Addr{LID: 7}); !errors.As(err, &lost) {
		t.Errorf("Recv: %v", err)
	}
	below.refuse = syscall.ENOBUFS
	if err := ask(request(mad.ClassPerf, mad.MethodGet, 0x12, 4), mad.Addr{LID: 7}); !errors.Is(err, syscall.ENOBUFS) {
		t.Errorf("Send: %v", err)
	}
	if err := tap.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tap.Recv(new(mad.Packet)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Recv after Close: %v", err)
	}
	got, _, err := readAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, r := range got {
		text.WriteString(strings.Join([]string{
			r.Kind.String(), r.Header.SLID.String(), r.Header.DLID.String(), r.Packet.Method().String(), r.Comment,
		}, " ") + "\n")
	}
	const want = `sent 65535 65535 Get 
received 65535 65535 GetResp 
sent 42 7 Get 
received 7 42 GetResp 
sent 42 7 Set 
unanswered 42 7 Set connection timed out
sent 42 7 Get 
not sent 42 7 Get no buffer space available
`
	if text.String() != want {
		t.Errorf("the capture has\n%swant\n%s", text.String(), want)
	}
}

// TestTapConcurrent sends and receives at once, which is for the race detector too.
func TestTapConcurrent(t *testing.T) {
	const n = 2000
	var b bytes.Buffer
	tap := NewTap(&echo{ch: make(chan mad.Packet, 16)}, NewWriter(&b, "x"), "", nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range n {
			if _, err := tap.Recv(new(mad.Packet)); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range n {
		p := request(mad.ClassPerf, mad.MethodGet, 0x12, uint64(i))
		if err := tap.Send(&p, mad.Addr{LID: 1}, 0); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	tap.Close()
	got, _, err := readAll(&b)
	if err != nil || len(got) != 2*n {
		t.Fatalf("%d records, error %v", len(got), err)
	}
	var m Matcher
	for i := range got {
		m.Add(&got[i])
	}
	if sum := m.Statistics().Sum(); sum.Requests != n || sum.Replies != n || sum.Unanswered != 0 {
		t.Errorf("sum %+v", sum)
	}
}

// wholeBlocks takes so many writes and then fails. Each must begin where a block
// begins.
type wholeBlocks struct {
	t      *testing.T
	writes int
	broken error
	bytes.Buffer
}

func (w *wholeBlocks) Write(b []byte) (int, error) {
	if w.writes--; w.writes < 0 {
		return 0, w.broken
	}
	w.Buffer.Write(b)
	if _, _, err := readAll(bytes.NewReader(w.Bytes())); err != nil {
		w.t.Errorf("after a write the capture is not whole: %v", err)
	}
	return len(b), nil
}

func TestWriterFails(t *testing.T) {
	out := &wholeBlocks{t: t, writes: 3, broken: syscall.ENOSPC}
	w := NewWriter(out, "x")
	number, _ := w.AddInterface("a")
	r := records()[3]
	r.Comment = strings.Repeat("é", maxText)
	var err error
	for i := 0; err == nil && i < 100_000; i++ {
		err = w.Write(number, &r)
	}
	if !errors.Is(err, syscall.ENOSPC) || !errors.Is(w.Flush(), syscall.ENOSPC) || !errors.Is(w.Write(number, &r), syscall.ENOSPC) {
		t.Errorf("errors %v, %v", err, w.Flush())
	}
	list, _, err := readAll(&out.Buffer)
	if err != nil || len(list) == 0 {
		t.Errorf("%d records, error %v", len(list), err)
	}
}

// TestWriterFlushes makes sure that a capture grows while it is made.
func TestWriterFlushes(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, "x")
	number, _ := w.AddInterface("a")
	for i := range 3 {
		r := Record{Time: start.Add(time.Duration(i) * flushAfter)}
		r.Packet[0] = 1
		if err := w.Write(number, &r); err != nil {
			t.Fatal(err)
		}
	}
	if list, _, err := readAll(&b); err != nil || len(list) != 2 {
		t.Errorf("%d records, error %v", len(list), err)
	}
}

// TestTapWritesWhenIdle makes sure that the capture is there when the program that
// makes it dies after a reply, and that it is written in larger pieces otherwise.
func TestTapWritesWhenIdle(t *testing.T) {
	out := &wholeBlocks{t: t, writes: 1000}
	tap := NewTap(&echo{ch: make(chan mad.Packet, 10)}, NewWriter(out, "x"), "", nil)
	send := func() {
		p := request(mad.ClassPerf, mad.MethodGet, 0x12, 1)
		if err := tap.Send(&p, mad.Addr{LID: 1}, 0); err != nil {
			t.Fatal(err)
		}
	}
	recv := func() {
		if _, err := tap.Recv(new(mad.Packet)); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(when string, want int) {
		t.Helper()
		if list, _, _ := readAll(bytes.NewReader(out.Bytes())); len(list) != want {
			t.Errorf("%s the capture has %d MADs, want %d", when, len(list), want)
		}
	}
	send()
	recv()
	expect("after a reply", 2)
	for range 3 {
		send()
	}
	recv()
	recv()
	expect("with requests in flight", 2)
	recv()
	expect("after all replies", 8)
	ack := request(mad.ClassSubnAdm, mad.MethodGetTable, 0x11, 1)
	ack.SetRMPP(mad.RMPPHeader{Version: 1, Type: mad.RMPPAck, Flags: mad.RMPPActive})
	if err := tap.Send(&ack, mad.Addr{LID: 1}, 0); err != nil {
		t.Fatal(err)
	}
	expect("after an acknowledgement", 9)
}

func TestAllocations(t *testing.T) {
	w := NewWriter(io.Discard, "x")
	below := &echo{ch: make(chan mad.Packet, 1)}
	tap := NewTap(below, w, "", nil)
	p := request(mad.ClassPerf, mad.MethodGet, 0x12, 1)
	if n := testing.AllocsPerRun(1000, func() {
		p.SetTID(1)
		_ = tap.Send(&p, mad.Addr{LID: 1}, 0)
		_, _ = tap.Recv(&p)
	}); n != 0 {
		t.Errorf("%v allocations for each request and reply", n)
	}
}

func BenchmarkTap(b *testing.B) {
	w := NewWriter(io.Discard, "x")
	tap := NewTap(&echo{ch: make(chan mad.Packet, 1)}, w, "", nil)
	p := request(mad.ClassPerf, mad.MethodGet, 0x12, 1)
	b.ReportAllocs()
	for b.Loop() {
		_ = tap.Send(&p, mad.Addr{LID: 1}, 0)
		_, _ = tap.Recv(&p)
	}
}
