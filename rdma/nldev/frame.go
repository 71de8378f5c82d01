package nldev

import (
	"encoding/binary"
	"errors"
	"syscall"
)

// messageHeader is the size of struct nlmsghdr: length, type, flags, number, port.
const messageHeader = 16

// encode puts a header before a message.
func (m *Message) encode(number uint32) []byte {
	b := binary.NativeEndian.AppendUint32(nil, uint32(messageHeader+len(m.Body)))
	b = binary.NativeEndian.AppendUint16(b, m.Type)
	b = binary.NativeEndian.AppendUint16(b, m.Flags)
	b = binary.NativeEndian.AppendUint32(b, number)
	b = binary.NativeEndian.AppendUint32(b, 0) // the kernel knows our port
	return append(b, m.Body...)
}

var (
	errFrame       = errors.New("a message ends in the middle")
	errInterrupted = errors.New("the devices changed while the kernel listed them")
)

// answer collects the messages of one answer.
type answer struct {
	number      uint32 // of the request
	messages    []Message
	complete    bool
	interrupted bool
}

// add takes one datagram. What answers another request is skipped.
func (a *answer) add(datagram []byte) error {
	for len(datagram) > 0 && !a.complete {
		if len(datagram) < messageHeader {
			return errFrame
		}
		size := binary.NativeEndian.Uint32(datagram)
		if size < messageHeader || uint64(size) > uint64(len(datagram)) {
			return errFrame
		}
		if binary.NativeEndian.Uint32(datagram[8:]) == a.number {
			m := Message{binary.NativeEndian.Uint16(datagram[4:]), binary.NativeEndian.Uint16(datagram[6:]), datagram[messageHeader:size]}
			if err := a.take(m); err != nil {
				return err
			}
		}
		datagram = datagram[min(align(int(size)), len(datagram)):]
	}
	if a.complete && a.interrupted {
		return errInterrupted
	}
	return nil
}

func (a *answer) take(m Message) error {
	a.interrupted = a.interrupted || m.Flags&flagInterrupted != 0
	switch m.Type {
	case typeNoop:
	case typeError, typeDone: // begin with a negative errno, or 0
		a.complete = true
		if len(m.Body) < 4 {
			return errFrame
		}
		if code := int32(binary.NativeEndian.Uint32(m.Body)); code < 0 {
			return syscall.Errno(-code)
		}
	default:
		a.messages = append(a.messages, m)
		a.complete = m.Flags&flagMulti == 0
	}
	return nil
}
