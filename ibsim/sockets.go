package ibsim

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
)

// sockets are the two sockets of a client. How they are made depends on the
// mode; what travels on them does not.
type sockets struct {
	id   uint32   // tells the simulator where the data socket is
	ctl  *os.File // connected to the simulator's control socket
	data *os.File // bound; connected by connect
	raw  syscall.RawConn

	// connect connects the data socket to that of a slot. Only a pair of
	// sockets that are connected to each other escapes the kernel's limit of
	// ten queued datagrams.
	connect func(slot int) error

	// drained returns once the simulator reads its control socket.
	drained func(ctx context.Context) error
}

func (s *sockets) close() {
	s.ctl.Close()
	s.data.Close()
}

// readDatagram waits for a datagram. An empty one is no error, though to a file it is
// the end.
func readDatagram(s *os.File, b []byte) (int, error) {
	n, err := s.Read(b)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}
