package ibsim

import (
	"bufio"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestPacerByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pacer{unread: func() (uint64, bool) { return 0, false }}
		burst := func() (n int) {
			for n < 1000 && p.allow() {
				n++
			}
			return n
		}
		for range 3 {
			if n := burst(); n != paceBurst {
				t.Errorf("%d packets, want %d", n, paceBurst)
			}
			time.Sleep(paceEvery)
		}
	})
}

func TestPacerByRoom(t *testing.T) {
	var waiting uint64
	p := &pacer{unread: func() (uint64, bool) { return waiting, true }}
	const packet = 768 // what a datagram takes in a buffer
	n := 0
	for ; n < 1000 && p.allow(); n++ {
		waiting += packet
	}
	if bytes := n * packet; bytes <= paceUnread || bytes > 2*paceUnread {
		t.Errorf("%d packets to a client that does not read", n)
	}
	if waiting = 0; !p.allow() {
		t.Error("nothing after the client has read")
	}
}

func TestUDPQueued(t *testing.T) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	at, err := ownAddress(c)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := udpQueued(at); n != 0 || !ok {
		t.Errorf("%d bytes, %v at a socket that nothing was sent to", n, ok)
	}
	other, err := net.DialUDP("udp4", nil, c.LocalAddr().(*net.UDPAddr))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Write(make([]byte, 300)); err != nil {
		t.Fatal(err)
	}
	if n, ok := udpQueued(at); n < 300 || !ok {
		t.Errorf("%d bytes, %v after 300 were sent", n, ok)
	}
	if _, ok := udpQueued(&syscall.SockaddrInet4{Port: 1, Addr: at.Addr}); ok {
		t.Error("a socket where there is none")
	}
	if _, ok := findQueued(bufio.NewScanner(strings.NewReader("x\n 1: 0100007F:0001 0 07 zz:yy\n 2: a b c\n")), &syscall.SockaddrInet4{Port: 1, Addr: [4]byte{127, 0, 0, 1}}); ok {
		t.Error("a number in a broken line")
	}
}
