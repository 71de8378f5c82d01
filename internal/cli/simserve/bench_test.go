//go:build linux

package simserve

import (
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/testenv"
)

// BenchmarkServe is how fast requests are answered with 1, 2 and 32 outstanding,
// by us and by ibsim on the same fabric. The client is as simple as can be: it
// blocks in read and write. server-ns/op is CPU time of the server.
func BenchmarkServe(b *testing.B) {
	path := testenv.Example(b, "net")
	ours := start(b, "sim:"+path)
	theirs := testenv.StartIbsim(b, path)
	for _, outstanding := range []int{1, 2, 32} {
		b.Run(fmt.Sprintf("ibsim/outstanding=%d", outstanding), func(b *testing.B) {
			flood(b, theirs.Name, theirs.Pid(), outstanding)
		})
		b.Run(fmt.Sprintf("ours/outstanding=%d", outstanding), func(b *testing.B) {
			flood(b, ours.name, ours.Process.Pid, outstanding)
		})
	}
}

func flood(b *testing.B, name string, pid, outstanding int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	fd, leave := attachRaw(b, name)
	defer leave()
	request := make([]byte, 288)
	copy(request, []byte{0xff, 0xff, 0, 0, 0xff, 0xff})
	binary.BigEndian.PutUint64(request[24:], 256)
	// SubnGet(NodeInfo), two hops: to the next switch.
	copy(request[32:], []byte{1, 0x81, 1, 1, 0, 0, 0, 1})
	copy(request[32+16:], []byte{0, 0x11})
	copy(request[32+32:], []byte{0xff, 0xff, 0xff, 0xff})
	copy(request[32+128:], []byte{0, 3})
	send := func() {
		if _, err := syscall.Write(fd, request); err != nil {
			b.Fatal(err)
		}
	}
	answer := make([]byte, 512)
	cpu := cpuTime(b, pid)
	b.ResetTimer()
	sent := 0
	for ; sent < min(outstanding, b.N); sent++ {
		send()
	}
	for range b.N {
		n, err := syscall.Read(fd, answer)
		if err != nil || n != 288 || answer[32+3] != 0x81 {
			b.Fatalf("%d bytes, %v", n, err)
		}
		if sent < b.N {
			send()
			sent++
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(cpuTime(b, pid)-cpu)/float64(b.N), "server-ns/op")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "MAD/s")
}

// attachRaw attaches as libumad2sim does.
func attachRaw(b *testing.B, name string) (fd int, leave func()) {
	b.Helper()
	id := os.Getpid()
	open := func(kind string) int {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_DGRAM, 0)
		if err == nil {
			err = syscall.Bind(fd, &syscall.SockaddrUnix{Name: fmt.Sprintf("@%s:%s%d\x00", name, kind, id)})
		}
		if err != nil {
			b.Fatal(err)
		}
		return fd
	}
	ctl, data := open("ctl"), open("in")
	ask := func(typ, slot uint32, text []byte) uint32 {
		m := make([]byte, 80)
		binary.NativeEndian.PutUint32(m, 0xdeadbeef)
		binary.NativeEndian.PutUint32(m[4:], slot)
		binary.NativeEndian.PutUint32(m[8:], typ)
		copy(m[16:], text)
		syscall.Write(ctl, m)
		if n, err := syscall.Read(ctl, m); n != 80 || err != nil || binary.NativeEndian.Uint32(m[8:]) != typ {
			b.Fatalf("control: %d bytes, %v, %x", n, err, m[:20])
		}
		return binary.NativeEndian.Uint32(m[16:])
	}
	if err := syscall.Connect(ctl, &syscall.SockaddrUnix{Name: "@" + name + ":ctl\x00"}); err != nil {
		b.Fatal(err)
	}
	slot := ask(1, 0, binary.NativeEndian.AppendUint32(nil, uint32(id)))
	if err := syscall.Connect(data, &syscall.SockaddrUnix{Name: fmt.Sprintf("@%s:out%d\x00", name, slot)}); err != nil {
		b.Fatal(err)
	}
	return data, func() {
		ask(2, slot, nil)
		syscall.Close(ctl)
		syscall.Close(data)
	}
}

// cpuTime is what all threads of a process have used.
func cpuTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	dir := fmt.Sprintf("/proc/%d/task/", pid)
	tasks, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	var sum time.Duration
	for _, task := range tasks {
		text, err := os.ReadFile(dir + task.Name() + "/schedstat")
		if err != nil {
			continue // the thread has ended
		}
		ns, _ := strconv.ParseInt(strings.Fields(string(text))[0], 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}
