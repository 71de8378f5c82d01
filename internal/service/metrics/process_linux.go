package metrics

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the length of the clock ticks of /proc: USER_HZ is 100 on all architectures
// that Go has.
const tick = 0.01

// usageNow reads /proc of the process (proc(5)).
func usageNow() usage {
	u := noUsage
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		u.mayOpen = float64(limit.Cur)
	}
	var times syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &times) == nil { // finer than the ticks of /proc
		u.cpu = time.Duration(times.Utime.Nano() + times.Stime.Nano()).Seconds()
	}
	if d, err := os.Open("/proc/self/fd"); err == nil {
		if names, err := d.Readdirnames(-1); err == nil {
			u.open = float64(len(names) - 1) // without the one that has been opened to look
		}
		_ = d.Close()
	}
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return u
	}
	u.read(text)
	return u
}

// read takes what it can of /proc/self/stat, whose fields are behind the name of the
// program, which may hold blanks and brackets.
func (u *usage) read(text []byte) {
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const first = 3 // the number of the first of these
	number := func(n int) float64 {
		if n-first >= len(fields) {
			return -1
		}
		v, err := strconv.ParseFloat(fields[n-first], 64)
		if err != nil {
			return -1
		}
		return v
	}
	u.virtual = number(23)
	if pages := number(24); pages >= 0 {
		u.resident = pages * float64(os.Getpagesize())
	}
	if began, boot := number(22), bootTime(); began >= 0 && boot >= 0 {
		u.start = boot + began*tick
	}
}

// bootTime is when the system began, in seconds since 1970; -1 if that is not known.
func bootTime() float64 {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return -1
	}
	_, rest, found := strings.Cut(string(text), "\nbtime ")
	line, _, _ := strings.Cut(rest, "\n")
	v, err := strconv.ParseFloat(line, 64)
	if !found || err != nil {
		return -1
	}
	return v
}
