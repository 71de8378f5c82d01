package ibsim

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
)

// A fake is a simulator of one client whose answers a test decides.
type fake struct {
	name string
	ctl  *net.UnixConn
	out  *net.UnixConn // data, bound; connected to the client by its CONNECT

	// reply changes an answer before it is sent; nil sends none.
	reply func(*control) []byte
}

var fakes atomic.Int32

func startFake(t *testing.T, reply func(*control) []byte) *fake {
	t.Helper()
	f := &fake{name: fmt.Sprintf("fake-%d-%d", os.Getpid(), fakes.Add(1)), reply: reply}
	listen := func(suffix string) *net.UnixConn {
		c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: abstract(f.name, suffix), Net: "unixgram"})
		if err != nil {
			t.Skipf("no abstract sockets: %v", err)
		}
		return c
	}
	f.ctl, f.out = listen("ctl"), listen("out3")
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.serve()
	}()
	t.Cleanup(func() {
		f.ctl.Close()
		f.out.Close()
		<-done
	})
	return f
}

func (f *fake) serve() {
	var b [controlSize]byte
	for {
		n, from, err := f.ctl.ReadFromUnix(b[:])
		if err != nil {
			return
		}
		var m control
		if !m.decode(b[:n]) {
			continue
		}
		if m.typ == typeConnect {
			var h hello
			h.decode(&m.data)
			connectSocket(f.out, &syscall.SockaddrUnix{Name: abstract(f.name, fmt.Sprintf("in%d", h.id))})
			h.id = 3
			h.encode(&m.data)
		}
		if out := f.reply(&m); out != nil {
			from.Name += "\x00" // which the net package takes for the end of the name
			f.ctl.WriteToUnix(out, from)
		}
	}
}

// plain sends the answer as it is.
func plain(m *control) []byte {
	var b [controlSize]byte
	m.encode(&b)
	return b[:]
}

func TestOddAnswers(t *testing.T) {
	only := func(typ messageType, change func([]byte) []byte) func(*control) []byte {
		return func(m *control) []byte {
			if m.typ != typ {
				return plain(m)
			}
			return change(plain(m))
		}
	}
	put := func(i int, v byte) func([]byte) []byte {
		return func(b []byte) []byte { b[i] = v; return b }
	}
	for name, tc := range map[string]struct {
		reply func(*control) []byte
		want  error
	}{
		"wrong magic":     {only(typeConnect, put(0, 1)), ErrProtocol},
		"too short":       {only(typeConnect, func(b []byte) []byte { return b[:76] }), ErrProtocol},
		"too long":        {only(typeConnect, func(b []byte) []byte { return append(b, 0) }), ErrProtocol},
		"other type":      {only(typeConnect, put(8, 99)), ErrProtocol},
		"slot 16777216":   {only(typeConnect, put(19, 1)), ErrProtocol},
		"no data socket":  {only(typeConnect, put(16, 4)), syscall.ECONNREFUSED},
		"block refused":   {only(typeGetVendor, put(8, 0)), ErrProtocol},
		"silent later":    {only(typeGetPortInfo, func([]byte) []byte { return nil }), context.DeadlineExceeded},
		"refused":         {only(typeConnect, put(8, 0)), ErrNoSlot},
		"empty datagram":  {only(typeGetNodeInfo, func([]byte) []byte { return []byte{} }), ErrProtocol},
		"big-endian host": {only(typeConnect, func(b []byte) []byte { b[0], b[1], b[2], b[3] = b[3], b[2], b[1], b[0]; return b }), ErrProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			f := startFake(t, tc.reply)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			c, err := Dial(ctx, &Options{Name: f.name})
			if err == nil {
				c.Close()
			}
			if !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

// TestCanceledWhileWaiting expects the slot to be given back when its answer
// comes after the caller has given up.
func TestCanceledWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan uint32, 1)
	f := startFake(t, func(m *control) []byte {
		switch m.typ {
		case typeConnect:
			cancel()
			time.Sleep(20 * time.Millisecond)
		case typeDisconnect:
			left <- m.client
		}
		return plain(m)
	})
	if _, err := Dial(ctx, &Options{Name: f.name}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	select {
	case slot := <-left:
		if slot != 3 {
			t.Errorf("left slot %d, had 3", slot)
		}
	case <-time.After(5 * time.Second):
		t.Error("the slot is still taken")
	}
}

// fromFake makes a fake's client receive one datagram.
func fromFake(t *testing.T, f *fake, c *Conn, d []byte) (*mad.Packet, mad.Addr, error) {
	t.Helper()
	if _, err := f.out.Write(d); err != nil {
		t.Fatal(err)
	}
	p := new(mad.Packet)
	from, err := c.Recv(p)
	return p, from, err
}

// takeRequest is what the fake got from its client.
func takeRequest(t *testing.T, f *fake) *datagram {
	t.Helper()
	var d datagram
	if n, err := f.out.Read(d[:]); err != nil || n != datagramSize {
		t.Fatalf("%d bytes, %v", n, err)
	}
	p := d.packet() // the simulator writes its slot there
	p.SetTID(p.TID()&tidMask | 3<<tidBits)
	return &d
}

func TestLostOnTheWayBack(t *testing.T) {
	f := startFake(t, plain)
	c := dial(t, &Options{Name: f.name})
	req, to := nodeInfo(0xffff_0000_0000_0001, 1)
	req.SetMethod(mad.MethodSet)
	if err := c.Send(req, to, 0); err != nil {
		t.Fatal(err)
	}
	d := takeRequest(t, f)
	d.packet().SetMethod(mad.MethodGetResp)
	d.packet().SetStatus(4)
	d.packet().SetReturning(true)
	d[offStatus+3] = byte(syscall.ETIMEDOUT)
	got, from, err := fromFake(t, f, c, d[:])
	if !errors.Is(err, syscall.ETIMEDOUT) || from.LID != ib.PermissiveLID {
		t.Errorf("%v from %v", err, from.LID)
	}
	if *got != *req {
		t.Errorf("the request came back as\n%x, was\n%x", got, req)
	}
}

func TestForeignPackets(t *testing.T) {
	f := startFake(t, plain)
	c := dial(t, &Options{Name: f.name})
	var p mad.Packet
	p.Init(mad.ClassSubnLID, mad.MethodTrap, 2, 0)
	p.SetTID(7<<tidBits | 5) // of client 7
	var d datagram
	d.encode(&p, mad.Addr{LID: 9})
	putLID(d[offSLID:], 12)
	got, from, err := fromFake(t, f, c, d[:])
	if err != nil || *got != p || from.LID != 12 {
		t.Errorf("a trap: %v from %v, %v", got.TID(), from.LID, err)
	}

	// The answer to it must carry the same transaction ID.
	p.SetMethod(mad.MethodTrapRepress)
	if err := c.Send(&p, mad.Addr{LID: 12}, 0); err != nil {
		t.Fatal(err)
	}
	var sent datagram
	if _, err := f.out.Read(sent[:]); err != nil || *sent.packet() != p {
		t.Errorf("the repress was changed: TID %x, %v", sent.packet().TID(), err)
	}

	// A late answer, to a request that is forgotten, and one that is shorter.
	p.SetMethod(mad.MethodGetResp)
	p.SetTID(3<<tidBits | 77)
	p[200] = 1
	d.encode(&p, mad.Addr{})
	d[offLength+6], d[offLength+7] = 0, 200
	if got, _, err = fromFake(t, f, c, d[:]); err != nil || got.TID() != 77 || got[200] != 0 {
		t.Errorf("a late answer: TID %x, byte %d, %v", got.TID(), got[200], err)
	}
}

func TestOddDatagram(t *testing.T) {
	for _, size := range []int{0, datagramSize - 8, datagramSize + 32} {
		f := startFake(t, plain)
		c := dial(t, &Options{Name: f.name})
		if _, _, err := fromFake(t, f, c, make([]byte, size)); !errors.Is(err, ErrProtocol) {
			t.Errorf("%d bytes: %v", size, err)
		}
		p, to := nodeInfo(1)
		if err := c.Send(p, to, 0); !errors.Is(err, ErrProtocol) {
			t.Errorf("%d bytes, then Send: %v", size, err)
		}
	}
}
