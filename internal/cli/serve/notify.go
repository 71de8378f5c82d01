package serve

import (
	"fmt"
	"net"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/cli/env"
)

// notifier tells systemd how the service does: sd_notify(3). A nil connection tells
// nobody.
type notifier struct{ to *net.UnixAddr }

func newNotifier(e *env.Env) *notifier {
	name := e.Getenv("NOTIFY_SOCKET")
	if name == "" || !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "@") {
		return &notifier{}
	}
	return &notifier{&net.UnixAddr{Name: name, Net: "unixgram"}}
}

// tell sends a state. Whether somebody hears it is not our matter.
func (n *notifier) tell(state string) {
	if n.to == nil {
		return
	}
	c, err := net.DialUnix("unixgram", nil, n.to)
	if err != nil {
		return
	}
	defer c.Close()
	_, _ = c.Write([]byte(state))
}

// reloading says that the configuration is read again, and when that began.
func (n *notifier) reloading() {
	if n.to == nil {
		return
	}
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return
	}
	n.tell(fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", now.Nano()/1000))
}
