package simexec

import (
	"os"
	"os/exec"
	"os/signal"

	"golang.org/x/sys/unix"
)

// relaySignals passes signals for this process on to the program until stop is
// called. Those that a terminal makes it sends to the program itself: they are
// passed on only when this process is not in the terminal's foreground.
func relaySignals(cmd *exec.Cmd) (stop func()) {
	signals := make(chan os.Signal, 16)
	for _, s := range []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s := range signals {
			if cmd.Process != nil && !(isFromTerminal(s) && inForeground()) {
				_ = cmd.Process.Signal(s) // it has ended meanwhile
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}

func isFromTerminal(s os.Signal) bool {
	return s == unix.SIGHUP || s == unix.SIGINT || s == unix.SIGQUIT
}

// inForeground reports whether keys of the controlling terminal reach this
// process and those that it started.
func inForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|unix.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
