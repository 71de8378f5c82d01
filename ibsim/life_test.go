package ibsim

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestServerKilled(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	got := make(chan error, 1)
	go func() {
		_, err := c.Recv(new(mad.Packet))
		got <- err
	}()
	sim.Kill()
	p, to := nodeInfo(1)
	if err := c.Send(p, to, 0); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("Send: %v", err)
	}
	if err := <-got; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("waiting Recv: %v", err)
	} else {
		t.Log(err)
	}
	if _, err := c.Recv(new(mad.Packet)); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("next Recv: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestClose(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net")
	c := dial(t, &Options{Name: sim.Name})
	got := make(chan error, 1)
	go func() {
		_, err := c.Recv(new(mad.Packet))
		got <- err
	}()
	time.Sleep(10 * time.Millisecond)
	c.Close()
	if err := <-got; !errors.Is(err, os.ErrClosed) {
		t.Errorf("waiting Recv: %v", err)
	}
	if _, err := c.Recv(new(mad.Packet)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Recv: %v", err)
	}
	p, to := nodeInfo(1)
	if err := c.Send(p, to, 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestUDP(t *testing.T) {
	sim := testenv.StartIbsim(t, "testdata/line.net", testenv.IbsimUDP(t))
	o := &Options{Network: "udp", Address: sim.UDPAddr(), Host: "h2"}
	a, b := dial(t, o), dial(t, o)
	for i, c := range []*Conn{a, b, a} {
		req, to := nodeInfo(uint64(i)|1<<60, 1, 1)
		in, _, err := exchange(t, c, req, to)
		var n smp.NodeInfo
		n.Decode(in.SMPData())
		if err != nil || n.NodeGUID != 0x2001 || in.TID() != req.TID() {
			t.Errorf("node %v, TID %x, %v", n.NodeGUID, in.TID(), err)
		}
	}
	flood(t, a, 1000)
	sim.Kill()
	p, to := nodeInfo(1)
	c := make(chan error, 1)
	go func() {
		_, err := a.Recv(new(mad.Packet))
		c <- err
	}()
	a.Send(p, to, 0) // the refusal comes back after the datagram has left
	if err := <-c; !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("Recv after the end: %v", err)
	}
}
