package fuse

import (
	"encoding/binary"
)

// The protocol has the byte order of the machine.
var host = binary.NativeEndian

// Opcodes that are handled; ENOSYS is the answer to all others.
const (
	opLookup      = 1
	opForget      = 2 // has no answer
	opGetattr     = 3
	opSetattr     = 4
	opReadlink    = 5
	opOpen        = 14
	opRead        = 15
	opWrite       = 16
	opStatfs      = 17
	opRelease     = 18
	opFlush       = 25
	opInit        = 26
	opOpendir     = 27
	opReaddir     = 28
	opReleasedir  = 29
	opInterrupt   = 36 // has no answer of its own
	opDestroy     = 38
	opIoctl       = 39
	opPoll        = 40
	opBatchForget = 42 // has no answer
)

const (
	versionMajor = 7
	versionMinor = 31

	// maxWrite is the largest write(2) that arrives in one piece; a device
	// takes a datagram whole or not at all.
	maxWrite = 1 << 20
	maxPages = maxWrite / 4096

	initBigWrites = 1 << 5
	initMaxPages  = 1 << 22

	inHeaderSize  = 40
	outHeaderSize = 16

	notifyPoll     = 1 // code of the message that wakes a poller
	scheduleNotify = 1 // flag of a poll request: tell me later

	validSeconds = 3600 // how long the kernel may keep names and attributes
)

// Flags of an open file. Direct I/O passes reads and writes through as they
// are, whatever the size of the file; a stream has no position, so that a
// write need not wait for a read that blocks.
const (
	openDirectIO       = 1 << 0
	openNonseekable    = 1 << 2
	openStream         = 1 << 4
	openNoFlush        = 1 << 5
	openParallelWrites = 1 << 6

	openText   = openDirectIO | openNoFlush
	openDevice = openDirectIO | openNonseekable | openStream | openNoFlush | openParallelWrites
)

// Kinds of files in st_mode, shifted as in a directory entry.
const (
	typeDir     = 4
	typeRegular = 8
	typeLink    = 10
	typeShift   = 12
)

// request is a message from the kernel. body is valid until the next one.
type request struct {
	opcode uint32
	unique uint64
	node   uint64
	thread uint32 // who asks
	body   []byte
}

// parseRequest takes a message apart; false when it is none.
func parseRequest(b []byte) (r request, ok bool) {
	if len(b) < inHeaderSize || int(host.Uint32(b)) != len(b) {
		return r, false
	}
	return request{host.Uint32(b[4:]), host.Uint64(b[8:]), host.Uint64(b[16:]), host.Uint32(b[32:]), b[inHeaderSize:]}, true
}

// u32 is a number in the body, 0 beyond its end.
func (r *request) u32(at int) uint32 {
	if len(r.body) < at+4 {
		return 0
	}
	return host.Uint32(r.body[at:])
}

// u64 is a number in the body, 0 beyond its end.
func (r *request) u64(at int) uint64 {
	if len(r.body) < at+8 {
		return 0
	}
	return host.Uint64(r.body[at:])
}

// data is n bytes of the body from at, fewer when it ends before.
func (r *request) data(at int, n uint32) []byte {
	b := r.body[min(at, len(r.body)):]
	return b[:min(uint64(n), uint64(len(b)))]
}
