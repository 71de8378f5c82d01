package ibsim

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// udpQueued is how many bytes, with the kernel's overhead, wait to be read at a
// UDP socket of this machine that is bound to that address or to its port alone.
// It is false where there is no such socket.
func udpQueued(at *syscall.SockaddrInet4) (bytes uint64, ok bool) {
	f, err := os.Open("/proc/self/net/udp")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	return findQueued(bufio.NewScanner(f), at)
}

// findQueued reads lines such as
//
//	721: 0100007F:42AE 00000000:0000 07 00000000:00000300 …
//
// with the local address, the other one, the state, and what waits to be sent
// and to be read (proc_pid_net(5)).
func findQueued(lines *bufio.Scanner, at *syscall.SockaddrInet4) (bytes uint64, ok bool) {
	exact := fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(at.Addr[:]), at.Port)
	anywhere := fmt.Sprintf("00000000:%04X", at.Port)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 5 || fields[1] != exact && fields[1] != anywhere {
			continue
		}
		_, waiting, found := strings.Cut(fields[4], ":")
		if n, err := strconv.ParseUint(waiting, 16, 64); found && err == nil {
			return n, true
		}
	}
	return 0, false
}
