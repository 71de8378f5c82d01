package nats

import (
	"errors"
	"fmt"
	"os"
)

// Error says what could not be done. Unwrap gives the cause.
type Error struct {
	Op   string // "configure", "connect", "request"
	What string // the server as host:port, the file, or the subject; "" for none
	Err  error
}

func (e *Error) Error() string {
	if e.What == "" {
		return fmt.Sprintf("nats: %s: %v", e.Op, e.Err)
	}
	return fmt.Sprintf("nats: %s: %s: %v", e.Op, e.What, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// What errors may be, by errors.Is. Mistakes of the caller are os.ErrInvalid.
var (
	// ErrClosed is for what is asked after Close, or is under way then.
	ErrClosed = errors.New("the client is closed")

	// ErrNotConnected is for a request when there is no server.
	ErrNotConnected = errors.New("no server is connected")

	// ErrDisconnected is for a request that was under way when the server was lost: it
	// may have come to pass.
	ErrDisconnected = errors.New("the server was lost before it answered")

	// ErrNoResponders is for a request that nobody listens to.
	ErrNoResponders = errors.New("nobody answers to this subject")

	// ErrTooLarge is for a message that is longer than the server takes.
	ErrTooLarge = errors.New("the message is longer than the server takes")

	// ErrPermission is for a subject that the server does not let this user use.
	ErrPermission = errors.New("the server does not permit it to this user")

	// ErrAuthorization is for a user, password, token or credentials that the server does
	// not accept.
	ErrAuthorization = errors.New("the server does not accept the user, password, token or credentials")

	// ErrStale is why a server is given up that does not answer to pings.
	ErrStale = errors.New("the server does not answer to pings")

	// ErrTLS is for a server without TLS where that is demanded.
	ErrTLS = errors.New("the server has no TLS")

	// ErrProtocol is for what no server of NATS sends.
	ErrProtocol = errors.New("what it sends is not the protocol of NATS")
)

// mistake is a message that is os.ErrInvalid without saying so.
type mistake string

func (m mistake) Error() string { return string(m) }
func (mistake) Unwrap() error   { return os.ErrInvalid }

func mistakef(format string, args ...any) error { return mistake(fmt.Sprintf(format, args...)) }

// protocol makes an error that is ErrProtocol.
func protocol(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrProtocol, fmt.Sprintf(format, args...))
}
