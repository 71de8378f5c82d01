package pcap

import (
	"errors"
	"fmt"
)

// Causes of an Error. A capture that was cut off gives io.ErrUnexpectedEOF.
var (
	// ErrFormat says that something is no capture, or one that is damaged.
	ErrFormat = errors.New("not a valid capture")
	// ErrNoMAD says that a packet carries no MAD: data, another transport, a
	// link type of something else.
	ErrNoMAD = errors.New("not a management datagram")
)

// Error is a capture or a packet of one that cannot be read.
type Error struct {
	Op  string // "read header", "read block", "parse LRH" …
	At  int64  // byte of the file, or of the packet
	Err error
}

func (e *Error) Error() string { return fmt.Sprintf("capture: %s at byte %d: %v", e.Op, e.At, e.Err) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
