package ibsim

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// batchSize is how many datagrams one system call receives.
const batchSize = 32

// batch is the memory for one call of recvmmsg(2), which package unix lacks.
type batch struct {
	bufs    [batchSize][datagramSize + 8]byte // more than a datagram, to see a longer one
	vectors [batchSize]unix.Iovec
	headers [batchSize]struct {
		unix.Msghdr
		length uint32
	}
}

func newBatch() *batch {
	b := &batch{}
	for i := range b.headers {
		b.vectors[i].Base = &b.bufs[i][0]
		b.vectors[i].SetLen(len(b.bufs[i]))
		b.headers[i].Iov = &b.vectors[i]
		b.headers[i].SetIovlen(1)
	}
	return b
}

// receive takes what has arrived, without waiting.
func (b *batch) receive(fd uintptr) (int, error) {
	for {
		n, _, errno := unix.Syscall6(unix.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&b.headers[0])), batchSize, unix.MSG_DONTWAIT, 0, 0)
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

// serve hands over datagrams until the socket is closed or fails.
//
// It stays in one call of raw.Read. That call waits for the edge at which the
// socket becomes readable, and does not forget one that comes while datagrams
// are handed over; so a batch that was not full need not be followed by another
// system call that finds nothing.
func (s *dataSocket) serve() error {
	b := newBatch()
	var failure error
	err := s.raw.Read(func(fd uintptr) bool {
		for {
			n, err := b.receive(fd)
			if err != nil {
				failure = err
				return !isFull(err)
			}
			for i := range n {
				s.onDatagram(b.bufs[i][:b.headers[i].length])
			}
			if n < batchSize {
				return false
			}
		}
	})
	if err != nil {
		return err
	}
	return failure
}
