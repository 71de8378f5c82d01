//go:build unix

package fullscreen

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// nonBlocking has the runtime wait for the terminal, so that a read can be ended.
const nonBlocking = unix.O_NONBLOCK

func notifyResize(c chan<- os.Signal) { signal.Notify(c, unix.SIGWINCH) }
