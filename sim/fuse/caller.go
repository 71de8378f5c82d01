package fuse

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// What a read(2) is about that its FUSE request does not tell: the program's
// buffer, and its size where the kernel takes a large read apart. The kernel
// knows it in /proc as long as the call waits for us.

// partSize is less than the parts that the kernel makes of a large read, which
// are 32 pages less what the buffer is off their limits.
const partSize = 31 * 4096

// caller is the thread that reads.
type caller struct{ thread uint32 }

// buffer finds the buffer of the read that the thread waits for; false if it
// cannot be found, or is smaller than that.
func (c caller) buffer(size int) (addr uint64, count int, ok bool) {
	path := fmt.Sprintf("/proc/%d/syscall", c.thread)
	for range 20 {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, 0, false
		}
		if bytes.HasPrefix(text, []byte("running")) { // on its way to wait for us
			time.Sleep(50 * time.Microsecond)
			continue
		}
		words := bytes.Fields(text)
		if len(words) < 4 || string(words[0]) != strconv.Itoa(syscall.SYS_READ) {
			return 0, 0, false
		}
		addr, err1 := strconv.ParseUint(string(words[2]), 0, 64)
		n, err2 := strconv.ParseUint(string(words[3]), 0, 31)
		return addr, int(n), err1 == nil && err2 == nil && int(n) >= size
	}
	return 0, 0, false
}

// count is the size of the whole read of which a request for size bytes is the
// first part.
func (c caller) count(size int) int {
	if size < partSize {
		return size
	}
	if _, n, ok := c.buffer(size); ok {
		return n
	}
	return size
}

// put writes data into the buffer of the read. The answer to the request can
// then be an error beside it. Where that is not permitted the program sees the
// error alone.
func (c caller) put(data []byte) {
	addr, _, ok := c.buffer(len(data))
	if !ok {
		return
	}
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", c.thread), os.O_WRONLY, 0)
	if err != nil {
		return
	}
	// The program may have died: then nobody reads it.
	_, _ = f.WriteAt(data, int64(addr))
	_ = f.Close()
}
