package nldev

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestNamespace opens a socket in a namespace, which is this one.
func TestNamespace(t *testing.T) {
	namespace, err := os.Open("/proc/self/ns/net")
	if err != nil {
		t.Fatal(err)
	}
	defer namespace.Close()
	c, err := dial(namespace, unix.NETLINK_ROUTE)
	if errors.Is(err, unix.EPERM) {
		t.Skip("entering a network namespace needs CAP_SYS_ADMIN")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	links, err := c.Exchange(Message{unix.RTM_GETLINK, flagRequest | flagDump, make([]byte, unix.SizeofIfInfomsg)})
	if err != nil || len(links) == 0 {
		t.Errorf("%d interfaces, %v", len(links), err)
	}
}

// TestSocket speaks with a family that every kernel has, about network interfaces: one
// answer of several parts, one that is an error, and none at all.
func TestSocket(t *testing.T) {
	c, err := open(unix.NETLINK_ROUTE)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	list := Message{unix.RTM_GETLINK, flagRequest | flagDump, make([]byte, unix.SizeofIfInfomsg)}
	links, err := c.Exchange(list)
	if err != nil || len(links) == 0 || links[0].Type != unix.RTM_NEWLINK {
		t.Errorf("%d interfaces, %v", len(links), err)
	}
	none := make([]byte, unix.SizeofIfInfomsg)
	none[4], none[5], none[6] = 0xff, 0xff, 0x7f // index
	if _, err := c.Exchange(Message{unix.RTM_GETLINK, flagRequest, none}); !errors.Is(err, unix.ENODEV) {
		t.Errorf("an interface that is not there: %v", err)
	}
	if err := c.SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Exchange(list); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
}
