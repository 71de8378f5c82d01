package control

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// Listen makes a socket that only this user can connect to: with mode 0600, in a
// directory that is made with mode 0700 if it is not there. A socket that nobody
// listens on any more is replaced; one that is in use is an *Error that wraps
// syscall.EADDRINUSE. Closing the listener removes the socket.
func Listen(path string) (net.Listener, error) {
	wrap := func(err error) error { return &Error{Op: "listen", Obj: path, Err: err} }
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, wrap(err)
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, wrap(fmt.Errorf("there is something that is no socket: %w", os.ErrExist))
		}
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return nil, wrap(syscall.EADDRINUSE)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, wrap(err)
		}
		if err := os.Remove(path); err != nil {
			return nil, wrap(err)
		}
	}
	// The socket gets its mode before it has its name: nobody connects in
	// between.
	hidden, err := os.MkdirTemp(filepath.Dir(path), ".new")
	if err != nil {
		return nil, wrap(err)
	}
	defer os.RemoveAll(hidden)
	at := filepath.Join(hidden, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		return nil, wrap(err)
	}
	l.SetUnlinkOnClose(false)
	if err = os.Chmod(at, 0o600); err == nil {
		err = os.Rename(at, path)
	}
	if err != nil {
		l.Close()
		return nil, wrap(err)
	}
	return &listener{l, path}, nil
}

// listener removes its socket.
type listener struct {
	*net.UnixListener
	path string
}

func (l *listener) Close() error {
	err := l.UnixListener.Close()
	if removed := os.Remove(l.path); removed != nil && !errors.Is(removed, os.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	return err
}
