package fuse

import (
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lookup gives the inode number of a name.
func (k *kernel) lookup(dir uint64, name string) uint64 {
	k.t.Helper()
	b, errno := k.call(opLookup, dir, append([]byte(name), 0))
	if errno != 0 {
		k.t.Fatalf("lookup of %s: %v", name, errno)
	}
	return host.Uint64(b)
}

// open opens a file and gives its handle.
func (k *kernel) open(node uint64, flags uint32) uint64 {
	k.t.Helper()
	b, errno := k.call(opOpen, node, body(flags, uint32(0)))
	if errno != 0 {
		k.t.Fatalf("open: %v", errno)
	}
	return host.Uint64(b)
}

func readBody(handle, offset uint64, size, flags uint32) []byte {
	return body(handle, offset, size, uint32(0), uint64(0), flags, uint32(0))
}

func writeBody(handle uint64, data string) []byte {
	return append(body(handle, uint64(0), uint32(len(data)), uint32(0), uint64(0), uint32(0), uint32(0)), data...)
}

func TestTree(t *testing.T) {
	value := "1\n"
	k := newKernel(t, Dir("",
		Dir("a", Text("v", func() (string, syscall.Errno) { return value, 0 }),
			Text("bad", func() (string, syscall.Errno) { return "", syscall.EINVAL }), Link("l", "../b")),
		Dir("b")))
	if b, errno := k.call(opInit, 0, body(uint32(7), uint32(45), uint32(4096), uint32(0))); errno != 0 || host.Uint32(b) != 7 || len(b) != 64 {
		t.Fatalf("init: %v, % x", errno, b)
	}
	if _, errno := k.call(opLookup, 1, []byte("c\x00")); errno != syscall.ENOENT {
		t.Errorf("lookup of what is not there: %v", errno)
	}
	a := k.lookup(1, "a")
	v, bad, link := k.lookup(a, "v"), k.lookup(a, "bad"), k.lookup(a, "l")
	if b, _ := k.call(opReadlink, link, nil); string(b) != "../b" {
		t.Errorf("link to %q", b)
	}
	if _, errno := k.call(opReadlink, v, nil); errno != syscall.EINVAL {
		t.Errorf("readlink of a file: %v", errno)
	}
	b, _ := k.call(opGetattr, v, make([]byte, 16))
	got := []uint32{host.Uint32(b[16+8:]), host.Uint32(b[16+60:]), host.Uint32(b[16+68:]), host.Uint32(b[16+72:])}
	if diff := cmp.Diff([]uint32{4096, syscall.S_IFREG | 0o444, 7, 8}, got); diff != "" {
		t.Errorf("size, mode, uid, gid (-want +got)\n%s", diff)
	}

	h := k.open(v, 0)
	for _, part := range []struct {
		offset uint64
		size   uint32
		want   string
	}{{0, 100, "1\n"}, {1, 100, "\n"}, {0, 1, "1"}, {9, 9, ""}} {
		if b, errno := k.call(opRead, v, readBody(h, part.offset, part.size, 0)); errno != 0 || string(b) != part.want {
			t.Errorf("read at %d: %v, %q", part.offset, errno, b)
		}
	}
	value = "22\n"
	if b, _ := k.call(opRead, v, readBody(h, 0, 100, 0)); string(b) != "22\n" {
		t.Errorf("a changed value reads %q", b)
	}
	if _, errno := k.call(opWrite, v, writeBody(h, "x")); errno != syscall.EACCES {
		t.Errorf("write to a text: %v", errno)
	}
	if _, errno := k.call(opRead, bad, readBody(k.open(bad, 0), 0, 9, 0)); errno != syscall.EINVAL {
		t.Errorf("read of a value that is none: %v", errno)
	}
	if _, errno := k.call(34, v, make([]byte, 8)); errno != syscall.ENOSYS {
		t.Errorf("access: %v", errno)
	}
	if _, errno := k.call(opGetattr, 99, make([]byte, 16)); errno != syscall.ESTALE {
		t.Errorf("getattr of no inode: %v", errno)
	}
}

// TestReaddir reads a directory in small pieces.
func TestReaddir(t *testing.T) {
	names := []string{".", "..", "one", "another-with-a-long-name", "three"}
	var children []*Node
	for _, name := range names[2:] {
		children = append(children, Dir(name))
	}
	k := newKernel(t, Dir("", children...))
	var got []string
	for offset := uint64(0); ; {
		b, errno := k.call(opReaddir, 1, body(uint64(0), offset, uint32(100), uint32(0)))
		if errno != 0 {
			t.Fatal(errno)
		}
		if len(b) == 0 {
			break
		}
		for len(b) > 0 {
			n := host.Uint32(b[16:])
			got = append(got, string(b[24:24+n]))
			offset = host.Uint64(b[8:])
			b = b[(24+n+7)&^7:]
		}
	}
	if diff := cmp.Diff(names, got); diff != "" {
		t.Error(diff)
	}
}

func TestDevice(t *testing.T) {
	p := newPipe()
	k := newKernel(t, Dir("", File("p", 0o600, p)))
	node := k.lookup(1, "p")
	h := k.open(node, syscall.O_RDWR)
	if _, errno := k.call(opRead, node, readBody(h, 0, 100, syscall.O_NONBLOCK)); errno != syscall.EAGAIN {
		t.Errorf("read of nothing: %v", errno)
	}
	b, errno := k.call(opIoctl, node, append(body(h, uint32(0), uint32(5), uint64(0), uint32(2), uint32(2)), "ab"...))
	if errno != 0 || int32(host.Uint32(b)) != -int32(syscall.EINVAL) || string(b[16:]) != "\x05a" {
		t.Errorf("ioctl: %v, % x", errno, b)
	}
	if b, _ := k.call(opPoll, node, body(h, uint64(77), uint32(scheduleNotify), uint32(1))); host.Uint32(b) != 0x104 {
		t.Errorf("poll of nothing: %#x", host.Uint32(b))
	}

	// A write wakes the poller, once.
	written := k.post(opWrite, node, writeBody(h, "data"))
	if unique, code, b := k.next(); unique != 0 || code != notifyPoll || host.Uint64(b) != 77 {
		t.Errorf("expected the notification of poller 77, got %d, %d, % x", unique, code, b)
	}
	if unique, code, b := k.next(); unique != written || code != 0 || host.Uint32(b) != 4 {
		t.Errorf("write: %d, %d, % x", unique, code, b)
	}
	if b, errno := k.call(opWrite, node, writeBody(h, "more")); errno != 0 || host.Uint32(b) != 4 {
		t.Errorf("second write: %v", errno)
	}
	if b, _ := k.call(opRead, node, readBody(h, 0, 100, 0)); string(b) != "data" {
		t.Errorf("read %q", b)
	}
	if _, errno := k.call(opRelease, node, body(h, uint32(0))); errno != 0 || p.closed != 1 {
		t.Errorf("release: %v, closed %d times", errno, p.closed)
	}
	if _, errno := k.call(opRead, node, readBody(h, 0, 100, 0)); errno != syscall.EBADF {
		t.Errorf("read after release: %v", errno)
	}
}

// TestBlockedRead: a read that waits is answered by data, by an interrupt, or
// by the end of the server; it keeps nobody else waiting.
func TestBlockedRead(t *testing.T) {
	p := newPipe()
	k := newKernel(t, Dir("", File("p", 0o600, p)))
	node := k.lookup(1, "p")
	h := k.open(node, syscall.O_RDWR)
	waiting := k.post(opRead, node, readBody(h, 0, 100, 0))
	interrupted := waiting
	k.post(opInterrupt, 0, body(interrupted))
	if unique, code, _ := k.next(); unique != interrupted || syscall.Errno(-code) != syscall.EINTR {
		t.Errorf("interrupt: %d, %d", unique, code)
	}

	waiting = k.post(opRead, node, readBody(h, 0, 100, 0))
	written := k.post(opWrite, node, writeBody(h, "x"))
	got := map[uint64]string{}
	for range 2 {
		unique, _, b := k.next()
		got[unique] = string(b)
	}
	if got[waiting] != "x" || len(got[written]) != 8 {
		t.Errorf("replies %v", got)
	}

	k.post(opRead, node, readBody(h, 0, 100, 0))
	k.call(opStatfs, 1, nil)
	if err := k.server.Close(); err != nil {
		t.Error(err)
	}
	if _, code, _ := k.next(); syscall.Errno(-code) != syscall.EINTR {
		t.Errorf("end of the server: %d", code)
	}
	k.done <- <-k.done // Serve has returned
	if p.closed != 1 {
		t.Errorf("the device was closed %d times", p.closed)
	}
}

// FuzzServer sends any bytes as requests.
func FuzzServer(f *testing.F) {
	for op := range uint32(50) {
		f.Add(op, uint64(2), body(uint64(1), uint64(0), uint32(100), uint32(0)))
	}
	f.Add(uint32(opIoctl), uint64(3), append(body(uint64(1), uint32(0), uint32(5), uint64(0), uint32(1<<31), uint32(1<<31)), "ab"...))
	f.Add(uint32(opWrite), uint64(3), writeBody(1, strings.Repeat("x", 100)))
	f.Fuzz(func(t *testing.T, op uint32, node uint64, data []byte) {
		k := newKernel(t, Dir("", Text("v", func() (string, syscall.Errno) { return "v", 0 }), File("p", 0o600, newPipe())))
		for n := range uint64(3) {
			k.call(opOpen, n+1, body(uint32(syscall.O_RDWR|syscall.O_NONBLOCK), uint32(0)))
		}
		k.post(op, node%5, data)
		last := k.post(opStatfs, 1, nil)
		for unique := uint64(0); unique != last; { // the server still answers
			unique, _, _ = k.next()
		}
	})
}
