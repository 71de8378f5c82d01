package umadev

import (
	"context"
	"encoding/binary"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/mad"
)

func TestReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		id := c.agent()
		if got := c.Poll(); got != 0x104 {
			t.Errorf("poll %#x", got)
		}
		if errno := c.Write(datagram(id, 0xaaaaaaaa_00000007, 100, 3)); errno != 0 {
			t.Fatal(errno)
		}
		p := <-w.sent
		if p.TID()>>32 == 0xaaaaaaaa || uint32(p.TID()) != 7 {
			t.Errorf("transaction ID %#x on the wire", p.TID())
		}
		w.reply(p)
		synctest.Wait()
		if got := c.Poll(); got != 0x145 || c.woken != 1 {
			t.Errorf("poll %#x, woken %d times", got, c.woken)
		}
		for _, size := range []int{10, headerSize + mad.Size - 1} {
			if _, errno := c.Read(context.Background(), size, false); errno != syscall.EINVAL {
				t.Errorf("read of %d bytes: %v", size, errno)
			}
		}
		b, errno := c.read()
		if errno != 0 {
			t.Fatal(errno)
		}
		ne, be := binary.NativeEndian, binary.BigEndian
		got := []uint32{uint32(len(b)), ne.Uint32(b), ne.Uint32(b[4:]), ne.Uint32(b[8:]), ne.Uint32(b[16:]), be.Uint32(b[20:]), uint32(be.Uint16(b[28:])), uint32(b[30])}
		if diff := cmp.Diff([]uint32{320, id, 0, 0, 320, 0, 0x1234, 3}, got); diff != "" {
			t.Errorf("size, agent, status, timeout, length, QP, LID, SL (-want +got)\n%s", diff)
		}
		if reply := mad.Packet(b[headerSize:]); reply.TID() != p.TID() {
			t.Errorf("transaction ID %#x in the reply", reply.TID())
		}
		time.Sleep(time.Minute)
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("after the reply: %v", errno)
		}
	})
}

// TestTimeout: the request is repeated, then it comes back with its status, and
// a reply that comes later is dropped.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		id := c.agent()
		if errno := c.Write(datagram(id, 7, 100, 2)); errno != 0 {
			t.Fatal(errno)
		}
		time.Sleep(299 * time.Millisecond)
		synctest.Wait()
		if _, errno := c.read(); errno != syscall.EAGAIN || len(w.sent) != 3 {
			t.Errorf("after 299 ms: %v, sent %d times", errno, len(w.sent))
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		b, errno := c.read()
		if errno != 0 || c.woken != 1 {
			t.Fatalf("after 300 ms: %v, woken %d times", errno, c.woken)
		}
		ne := binary.NativeEndian
		got := []uint32{uint32(len(b)), ne.Uint32(b), ne.Uint32(b[4:]), ne.Uint32(b[8:]), ne.Uint32(b[12:]), ne.Uint32(b[16:])}
		if diff := cmp.Diff([]uint32{88, id, uint32(syscall.ETIMEDOUT), 100, 2, 999}, got); diff != "" {
			t.Errorf("size, agent, status, timeout, retries, length (-want +got)\n%s", diff)
		}
		p := <-w.sent
		if tid := binary.BigEndian.Uint64(b[headerSize+8:]); tid != p.TID() {
			t.Errorf("transaction ID %#x, sent %#x", tid, p.TID())
		}
		w.reply(p)
		synctest.Wait()
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("a late reply: %v", errno)
		}
	})
}

// TestRepeatedRequestIsAnswered: the second try gets the reply.
func TestRepeatedRequestIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		if errno := c.Write(datagram(c.agent(), 7, 100, 1)); errno != 0 {
			t.Fatal(errno)
		}
		<-w.sent
		w.reply(<-w.sent)
		b, errno := c.Read(t.Context(), 1000, true)
		if errno != 0 || len(b) != headerSize+mad.Size {
			t.Errorf("%v, %d bytes", errno, len(b))
		}
	})
}

func TestWriteErrors(t *testing.T) {
	w := newWire()
	d := New(w)
	defer d.Close()
	c := open(t, d)
	if errno := c.Write(datagram(0, 7, 0, 0)); errno != syscall.EIO {
		t.Errorf("before a registration: %v", errno)
	}
	id := c.agent()
	for _, tt := range []struct {
		name string
		data []byte
		want syscall.Errno
	}{
		{"87 bytes", datagram(id, 1, 0, 0)[:87], syscall.EINVAL},
		{"99 bytes", datagram(id, 1, 0, 0)[:99], syscall.EINVAL},
		{"100 bytes", datagram(id, 1, 0, 0)[:100], 0},
		{"257 bytes of MAD", append(datagram(id, 1, 0, 0), 0), syscall.EINVAL},
		{"agent that is not registered", datagram(5, 1, 0, 0), syscall.EIO},
		{"agent 32", datagram(32, 1, 0, 0), syscall.EINVAL},
		{"request", datagram(id, 1, 60_000, 0), 0},
		{"same transaction ID", datagram(id, 1, 60_000, 0), syscall.EINVAL},
		{"same, high half differs", datagram(id, 1<<40|1, 60_000, 0), syscall.EINVAL},
		{"another transaction ID", datagram(id, 2, 60_000, 0), 0},
	} {
		if errno := c.Write(tt.data); errno != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, errno, tt.want)
		}
	}
	c.Close()
	if n := len(d.agents) + len(d.files); n != 0 {
		t.Errorf("%d agents and files left", n)
	}
}

// TestNoReplyAwaited: with a timeout of 0 nothing ever comes back.
func TestNoReplyAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		if errno := c.Write(datagram(c.agent(), 7, 0, 5)); errno != 0 {
			t.Fatal(errno)
		}
		w.reply(<-w.sent)
		time.Sleep(time.Hour)
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("read: %v", errno)
		}
	})
}

// TestTwoClients: the same transaction IDs of two clients do not meet, and one
// that has closed leaves the other alone.
func TestTwoClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		a, b, gone := open(t, d), open(t, d), open(t, d)
		for _, c := range []*client{a, b, gone} {
			if errno := c.Write(datagram(c.agent(), 7, 1000, 0)); errno != 0 {
				t.Fatal(errno)
			}
		}
		ofA, ofB, ofGone := <-w.sent, <-w.sent, <-w.sent
		gone.Close()
		for _, p := range []mad.Packet{ofGone, ofB, ofA} {
			w.reply(p)
		}
		synctest.Wait()
		for i, c := range []*client{a, b} {
			data, errno := c.read()
			if errno != 0 || mad.Packet(data[headerSize:]) != [...]mad.Packet{response(ofA), response(ofB)}[i] {
				t.Errorf("client %d: %v, or not its reply", i, errno)
			}
			if _, errno := c.read(); errno != syscall.EAGAIN {
				t.Errorf("client %d has more: %v", i, errno)
			}
		}
		time.Sleep(time.Minute) // no timer of the closed client strikes
	})
}

func response(p mad.Packet) mad.Packet {
	p.SetMethod(mad.MethodGetResp)
	return p
}

// TestUnregister forgets what the agent waits for, and keeps what has come.
func TestUnregister(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		id := c.agent()
		for tid := range uint64(2) {
			if errno := c.Write(datagram(id, tid, 100, 0)); errno != 0 {
				t.Fatal(errno)
			}
		}
		w.reply(<-w.sent)
		synctest.Wait()
		if _, errno := c.Ioctl(unregisterAgent, binary.NativeEndian.AppendUint32(nil, id)); errno != 0 {
			t.Fatal(errno)
		}
		time.Sleep(time.Minute)
		if _, errno := c.read(); errno != 0 {
			t.Errorf("the reply: %v", errno)
		}
		if _, errno := c.read(); errno != syscall.EAGAIN {
			t.Errorf("the other request: %v", errno)
		}
	})
}

func TestBlockingReadAndRemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := New(newWire())
		c := open(t, d)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, errno := c.Read(ctx, 1000, true); errno != syscall.EINTR {
			t.Errorf("interrupted: %v", errno)
		}
		time.AfterFunc(time.Second, func() { d.Close() })
		if _, errno := c.Read(t.Context(), 1000, true); errno != syscall.EIO {
			t.Errorf("removed: %v", errno)
		}
		synctest.Wait()
		if got := c.Poll(); got != 0x8 || c.woken == 0 {
			t.Errorf("poll %#x, woken %d times", got, c.woken)
		}
		if _, errno := c.Ioctl(registerAgent, registration1(0, 0x81, 1, 0, 0)); errno != syscall.EPIPE {
			t.Errorf("register: %v", errno)
		}
		if errno := c.Write(datagram(0, 1, 0, 0)); errno != syscall.EIO {
			t.Errorf("write: %v", errno)
		}
	})
}

// TestOldHeader: without ENABLE_PKEY the header has 56 bytes.
func TestOldHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		d := New(w)
		defer d.Close()
		c := open(t, d)
		if _, errno := c.Ioctl(registerAgent, registration1(0, 0x81, 1, 0, 0)); errno != 0 {
			t.Fatal(errno)
		}
		b := datagram(0, 7, 100, 0)
		if errno := c.Write(append(b[:oldHeaderSize:oldHeaderSize], b[headerSize:]...)); errno != 0 {
			t.Fatal(errno)
		}
		w.reply(<-w.sent)
		got, errno := c.Read(t.Context(), 1000, true)
		if errno != 0 || len(got) != oldHeaderSize+mad.Size || got[oldHeaderSize+1] != 0x81 {
			t.Errorf("%v, %d bytes", errno, len(got))
		}
	})
}

func TestSMDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var d SMDevice
		h, errno := d.Open(t.Context(), false, nil)
		if errno != 0 || !d.IsOpen() {
			t.Fatal(errno)
		}
		if _, errno := d.Open(t.Context(), false, nil); errno != syscall.EAGAIN {
			t.Errorf("second open: %v", errno)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, errno := d.Open(ctx, true, nil); errno != syscall.EINTR {
			t.Errorf("interrupted open: %v", errno)
		}
		time.AfterFunc(time.Second, h.Close)
		h, errno = d.Open(t.Context(), true, nil)
		if errno != 0 {
			t.Fatal(errno)
		}
		if _, errno := h.Read(t.Context(), 1, true); errno != syscall.EINVAL {
			t.Errorf("read: %v", errno)
		}
		h.Close()
		if d.IsOpen() {
			t.Error("it is still open")
		}
	})
}

// FuzzClient writes and asks anything.
func FuzzClient(f *testing.F) {
	f.Add(uint32(registerAgent), registration1(1, 0x32, 1, 1, 0x1405, 1, 127), datagram(0, 7, 1, 0))
	f.Add(uint32(registerAgent2), registration2(1, 0x03, 1, 0), datagram(1, 7, 0, 9))
	f.Add(uint32(unregisterAgent), []byte{0, 0, 0, 0}, make([]byte, 100))
	f.Fuzz(func(t *testing.T, request uint32, arg, data []byte) {
		d := New(newWire())
		defer d.Close()
		c := open(t, d)
		c.agent()
		if out, errno := c.Ioctl(request, arg); errno == 0 && len(out) > len(arg) {
			t.Errorf("%d bytes for %d", len(out), len(arg))
		}
		c.Write(data)
		c.Close()
		if n := len(d.agents) + len(d.methods); n != 0 {
			t.Errorf("%d agents and methods left", n)
		}
	})
}
