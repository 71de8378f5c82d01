package ibcheck

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ibscope/ibscope/mad/pma"
)

// threshold is the value from which on a counter is worth a word; 0 is none.
type threshold struct {
	name  string
	limit uint64
	value func(*pma.PortCounters) uint64
}

// thresholds are those of all error counters, in the order of PortCounters.
type thresholds []threshold

// maxLine bounds a line of a file of thresholds.
const maxLine = 4096

func usualThresholds() thresholds {
	return thresholds{
		{"SymbolErrorCounter", 10, func(c *pma.PortCounters) uint64 { return uint64(c.SymbolErrors) }},
		{"LinkErrorRecoveryCounter", 10, func(c *pma.PortCounters) uint64 { return uint64(c.LinkErrorRecovery) }},
		{"LinkDownedCounter", 10, func(c *pma.PortCounters) uint64 { return uint64(c.LinkDowned) }},
		{"PortRcvErrors", 10, func(c *pma.PortCounters) uint64 { return uint64(c.RcvErrors) }},
		{"PortRcvRemotePhysicalErrors", 100, func(c *pma.PortCounters) uint64 { return uint64(c.RcvRemotePhysErrors) }},
		{"PortRcvSwitchRelayErrors", 100, func(c *pma.PortCounters) uint64 { return uint64(c.RcvSwitchRelayErrors) }},
		{"PortXmitDiscards", 100, func(c *pma.PortCounters) uint64 { return uint64(c.XmitDiscards) }},
		{"PortXmitConstraintErrors", 100, func(c *pma.PortCounters) uint64 { return uint64(c.XmitConstraintErrors) }},
		{"PortRcvConstraintErrors", 100, func(c *pma.PortCounters) uint64 { return uint64(c.RcvConstraintErrors) }},
		{"LocalLinkIntegrityErrors", 10, func(c *pma.PortCounters) uint64 { return uint64(c.LocalLinkIntegrity) }},
		{"ExcessiveBufferOverrunErrors", 10, func(c *pma.PortCounters) uint64 { return uint64(c.ExcessiveBufferOverrun) }},
		{"VL15Dropped", 100, func(c *pma.PortCounters) uint64 { return uint64(c.VL15Dropped) }},
	}
}

func (t thresholds) print(w io.Writer) {
	for i := range t {
		fmt.Fprintf(w, "%s=%d\n", t[i].name, t[i].limit)
	}
}

// read takes the settings of a file. Other lines are passed over, as a shell takes
// them for variables that nobody reads.
func (t thresholds) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	for n := 1; lines.Scan(); n++ {
		name, value, _ := strings.Cut(strings.TrimSpace(lines.Text()), "=")
		for i := range t {
			if t[i].name != name {
				continue
			}
			limit, err := strconv.ParseUint(strings.Trim(value, `"'`), 0, 64)
			if err != nil {
				return fmt.Errorf("line %d: expected a number for %s, got %q", n, name, value)
			}
			t[i].limit = limit
		}
	}
	return lines.Err()
}
