package simexec

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// relay passes signals for this process on to the program.
type relay struct {
	signals chan os.Signal
	done    chan struct{}
}

// catchSignals begins to hold signals, for a program that starts soon.
func catchSignals() *relay {
	r := &relay{make(chan os.Signal, 16), make(chan struct{})}
	for _, s := range []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2} {
		if !signal.Ignored(s) {
			signal.Notify(r.signals, s)
		}
	}
	return r
}

// passTo passes on what comes until stop is called. Signals that a terminal makes
// it sends to the program itself: they are passed on only when this process is
// not in the terminal's foreground. No process is one that did not start.
func (r *relay) passTo(p *os.Process) (stop func()) {
	go func() {
		defer close(r.done)
		for s := range r.signals {
			if p != nil && !(isFromTerminal(s) && inForeground()) {
				_ = p.Signal(s) // it has ended meanwhile
			}
		}
	}()
	return func() {
		signal.Stop(r.signals)
		close(r.signals)
		<-r.done
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
