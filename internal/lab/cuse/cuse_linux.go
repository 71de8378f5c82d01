// Package cuse makes character devices that this process answers, by the
// kernel's CUSE protocol (fs/fuse/cuse.c). It is FUSE but for its first message
// and for files: there is one only, and it has no inode.
//
// As with package fuse, client and server must be different processes.
package cuse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/sim/fuse"
)

// The first message: header of a request, and what we answer.
const (
	opInit       = 4096
	inHeader     = 40
	outHeader    = 16
	initReply    = 72
	versionMajor = 7
	versionMinor = 31
	maxTransfer  = 128 << 10

	offOpcode = 4
	offUnique = 8
	offInode  = 16
	rootInode = 1
)

// New makes the device /dev/NAME, as in "infiniband/umad0", which d answers once
// Serve of the server is called. It exists when New returns; devtmpfs has made
// the file with mode 0600. The module cuse must be loaded.
func New(name string, d fuse.Device) (*fuse.Server, error) {
	if name == "" || strings.ContainsAny(name, "\x00=") {
		return nil, fmt.Errorf("cuse: device name %q: %w", name, os.ErrInvalid)
	}
	f, err := os.OpenFile("/dev/cuse", os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("cuse: %w", err)
	}
	if err := start(f, name); err != nil {
		return nil, errors.Join(fmt.Errorf("cuse: %s: %w", name, err), f.Close())
	}
	return fuse.New(conn{f}, fuse.File(name, 0o600, d), fuse.Owner{}), nil
}

// start answers the kernel's first message.
func start(f *os.File, name string) error {
	ne := binary.NativeEndian
	buf := make([]byte, 64<<10)
	n, err := f.Read(buf)
	if err != nil {
		return err
	}
	if n < inHeader+16 || ne.Uint32(buf[offOpcode:]) != opInit {
		return fmt.Errorf("first message of %d bytes is not CUSE_INIT: %w", n, unix.EPROTO)
	}
	b := make([]byte, outHeader+initReply, 256)
	b = append(b, "DEVNAME="+name+"\x00"...)
	ne.PutUint32(b, uint32(len(b)))
	ne.PutUint64(b[offUnique:], ne.Uint64(buf[offUnique:]))
	r := b[outHeader:]
	ne.PutUint32(r[0:], versionMajor)
	ne.PutUint32(r[4:], versionMinor)
	ne.PutUint32(r[16:], maxTransfer) // of read(2)
	ne.PutUint32(r[20:], maxTransfer) // of write(2)
	_, err = f.Write(b)               // flags 0: ioctl(2) copies what its number says; device number 0: any
	return err
}

// conn gives the requests the inode number that they have in FUSE.
type conn struct{ *os.File }

// Read reads a request.
func (c conn) Read(b []byte) (int, error) {
	n, err := c.File.Read(b)
	if n >= inHeader && binary.NativeEndian.Uint64(b[offInode:]) == 0 {
		binary.NativeEndian.PutUint64(b[offInode:], rootInode)
	}
	return n, err
}
