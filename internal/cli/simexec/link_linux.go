package simexec

import (
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// link joins parent and child. The child sends the descriptor of its mount, or a
// failure; then a failure, or nothing: the program that it becomes does not
// have the link any more.
type link struct{ fd int }

// linkBase is the lowest descriptor of the child's end, so that it takes the
// place of none that the program is to have.
const linkBase = 100

// newLink makes both ends. Only the child's survives exec.
func newLink() (ours, theirs *link, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, failed("make", "socket pair", err)
	}
	ours = &link{fds[0]}
	fd, err := unix.FcntlInt(uintptr(fds[1]), unix.F_DUPFD, linkBase)
	if err = errors.Join(err, unix.Close(fds[1])); err != nil {
		ours.close()
		return nil, nil, failed("make", "socket pair", err)
	}
	return ours, &link{fd}, nil
}

func (l *link) close() {
	if l.fd >= 0 {
		_ = unix.Close(l.fd) // nothing is written that could get lost
		l.fd = -1
	}
}

// sendDescriptor is for the child.
func (l *link) sendDescriptor(fd int) error {
	return failed("send", fuseDevice, unix.Sendmsg(l.fd, []byte("{}"), unix.UnixRights(fd), nil, unix.MSG_NOSIGNAL))
}

// sendFailure is for the child.
func (l *link) sendFailure(f *failure) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return unix.Sendmsg(l.fd, b, nil, nil, unix.MSG_NOSIGNAL)
}

// receive gives the next message and the descriptor in it, -1 for none; an
// empty message is the end.
func (l *link) receive() (b []byte, fd int, err error) {
	b, oob := make([]byte, 64<<10), make([]byte, unix.CmsgSpace(4))
	var n, oobn int
	for {
		n, oobn, _, _, err = unix.Recvmsg(l.fd, b, oob, unix.MSG_CMSG_CLOEXEC)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if errors.Is(err, unix.ECONNRESET) {
		return nil, -1, nil
	}
	if err != nil {
		return nil, -1, failed("receive from", "the program", err)
	}
	return b[:n], descriptor(oob[:oobn]), nil
}

// descriptor is the first descriptor in a control message, -1 for none.
func descriptor(oob []byte) int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(messages) == 0 {
		return -1
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) == 0 {
		return -1
	}
	return fds[0]
}

// receiveDescriptor is for the parent: the child's descriptor, or its failure.
func (l *link) receiveDescriptor() (int, error) {
	b, fd, err := l.receive()
	if err != nil || fd >= 0 {
		return fd, err
	}
	if len(b) == 0 {
		return -1, fmt.Errorf("the program ended before its devices were mounted: %w", unix.EPIPE)
	}
	return -1, decodeFailure(b)
}

// receiveFailure is for the parent: the child's failure, nil when it has become
// the program.
func (l *link) receiveFailure() error {
	b, _, err := l.receive()
	if err != nil || len(b) == 0 {
		return err
	}
	return decodeFailure(b)
}

func decodeFailure(b []byte) error {
	f := &failure{}
	if err := json.Unmarshal(b, f); err != nil {
		return err
	}
	return f
}
