package ibsim

import (
	"errors"
	"os"
	"syscall"
)

// controlSocket is the control socket of a Server, and makes the others. How
// depends on the mode.
type controlSocket interface {
	// addr is where clients find it.
	addr() string

	// receive waits for a datagram and says from whom it is.
	receive(b []byte) (n int, from syscall.Sockaddr, err error)

	// send answers, unless there is no room.
	send(b []byte, to syscall.Sockaddr)

	// dataAddr is the address of the data socket of a client with that id, in
	// text form.
	dataAddr(id uint32, from syscall.Sockaddr) (string, error)

	// openData makes the data socket of a slot and connects it to a client's.
	openData(slot int, peer string) (*dataSocket, error)

	close()
}

// dataSocket is the server's end of the way to one client.
type dataSocket struct {
	conn *os.File
	raw  syscall.RawConn
	peer string // address of the client
	pace *pacer // nil where nothing gets lost

	onDatagram func([]byte) // called by serve; the bytes are valid until it returns
	probe      func() bool  // whether the client's socket exists
	send       *datagram    // argument and result of sendOne, which is made once
	sendErr    error
	sendOne    func(fd uintptr)
}

func newDataSocket(conn *os.File, peer string, probe func() bool) (*dataSocket, error) {
	s := &dataSocket{conn: conn, peer: peer, probe: probe}
	var err error
	if s.raw, err = conn.SyscallConn(); err != nil {
		return nil, err
	}
	s.sendOne = func(fd uintptr) { s.sendErr = trySend(fd, s.send) }
	return s, nil
}

// trySend sends one datagram without waiting and without allocating. Calls must
// not overlap.
func (s *dataSocket) trySend(d *datagram) error {
	s.send = d
	err := s.raw.Control(s.sendOne)
	s.send = nil
	if err != nil {
		return err
	}
	return s.sendErr
}

// sendWhenPossible calls send each time there may be room, until it has nothing
// more to send or fails for another reason than a lack of room.
func (s *dataSocket) sendWhenPossible(send func(fd uintptr) (more bool, err error)) error {
	var result error
	err := s.raw.Write(func(fd uintptr) bool {
		more, err := send(fd)
		if more && isFull(err) {
			return false
		}
		result = err
		return true
	})
	if err != nil {
		return err
	}
	return result
}

func (s *dataSocket) isPeerAlive() bool { return s.probe() }

func (s *dataSocket) close() { s.conn.Close() }

// isFull reports whether there is no room for a datagram now.
func isFull(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.ENOBUFS)
}

// isTaken reports whether a socket cannot be made because its address is in use
// or out of range.
func isTaken(err error) bool {
	return errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, syscall.EACCES) || errors.Is(err, errPort)
}

// errPort: there are no ports above 65535.
var errPort = errors.New("no such port")

func listenError(addr string, err error) error {
	hint := ""
	if errors.Is(err, syscall.EADDRINUSE) {
		hint = "another simulator listens there"
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		err = errno // without the words of package os about the sockets
	}
	return &Error{Op: "listen", Addr: addr, Err: err, hint: hint}
}
