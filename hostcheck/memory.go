package hostcheck

import (
	"fmt"
	"strconv"
	"strings"
)

// capIPCLock is the number of CAP_IPC_LOCK, which lifts the limit.
const capIPCLock = 14

// smallMemory is a limit that even small verbs programs run into: the default of
// kernels before 5.16.
const smallMemory = 64 << 10

// checkMemoryLock says how much memory programs like this one may lock, as they
// do for all that RDMA reads and writes.
func (c *checker) checkMemoryLock() {
	limitsFile, statusFile := c.host.proc("self/limits"), c.host.proc("self/status")
	limits, err := readText(limitsFile)
	line, ok := lineAfter(limits, "Max locked memory")
	if err != nil || !ok {
		return
	}
	soft, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	f := Finding{Check: MemoryLock, Evidence: []string{limitsFile + ": Max locked memory " + soft}}
	status, _ := readText(statusFile)
	caps, _ := lineAfter(status, "CapEff:")
	bits, capErr := strconv.ParseUint(strings.TrimSpace(caps), 16, 64)
	size, sizeErr := strconv.ParseUint(soft, 10, 64)
	switch {
	case soft == "unlimited":
		f.Text = "Programs may lock any amount of memory."
	case sizeErr != nil:
		return
	case capErr == nil && bits>>capIPCLock&1 == 1:
		f.Text = "This process may lock any amount of memory, others of this user " + sizeText(size) + " each."
		f.Evidence = append(f.Evidence, statusFile+": CapEff has CAP_IPC_LOCK")
	default:
		f.Severity = Note
		if size <= smallMemory {
			f.Severity = Warning
		}
		f.Text = fmt.Sprintf("Programs of this user may lock %s of memory each: verbs programs that register more fail with ENOMEM.", sizeText(size))
		f.Remedy = []string{
			"echo '* - memlock unlimited' >/etc/security/limits.d/rdma.conf  # for logins; log in again",
			"# a service: LimitMEMLOCK=infinity in its unit; a container: --ulimit memlock=-1",
		}
	}
	c.add(f)
}

// lineAfter is the rest of the line that begins with a prefix.
func lineAfter(text, prefix string) (string, bool) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// sizeText is "8 MiB", "64 KiB".
func sizeText(bytes uint64) string {
	switch {
	case bytes >= 1<<30 && bytes%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", bytes>>30)
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
