package ibstat

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ibscope/ibscope/internal/escape"
	"github.com/ibscope/ibscope/rdma"
)

func (r *report) printf(format string, args ...any) { fmt.Fprintf(&r.out, format, args...) }

// header prints what concerns the device as a whole.
func (r *report) header(d *rdma.Device) {
	r.printf("%v '%s'\n", d.NodeType, escape.Text(d.Name))
	r.printf("\t%v type: %s\n", d.NodeType, escape.Text(d.HCAType))
	r.printf("\tNumber of ports: %d\n", numPorts(d))
	r.printf("\tFirmware version: %s\n", escape.Text(d.Firmware))
	r.printf("\tHardware version: %s\n", escape.Text(d.HardwareRevision))
	r.printf("\tNode GUID: %v\n", d.NodeGUID)
	r.printf("\tSystem image GUID: %v\n", d.SystemImageGUID)
}

// portLines prints a port: its number after the one indent, the rest after the other.
func (r *report) portLines(p *rdma.Port, indent, numIndent string) {
	r.printf("%sPort %d:\n", numIndent, p.Num)
	for _, line := range []string{
		"State: " + word(stateWords, int(p.State)),
		"Physical state: " + word(physWords, int(p.PhysState)),
		"Rate: " + rate(p),
		fmt.Sprintf("Base lid: %d", p.LID),
		fmt.Sprintf("LMC: %d", p.LMC),
		fmt.Sprintf("SM lid: %d", p.SMLID),
		fmt.Sprintf("Capability mask: %v", p.CapMask),
		fmt.Sprintf("Port GUID: %v", p.GUID()),
		"Link layer: " + escape.Text(cmp.Or(string(p.LinkLayer), "IB")),
	} {
		r.printf("%s%s\n", indent, line)
	}
}

// The tool has its own words for states.
var (
	stateWords = []string{"???", "Down", "Initializing", "Armed", "Active"}
	physWords  = []string{
		"No state change", "Sleep", "Polling", "Disabled",
		"PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
	}
)

func word(words []string, code int) string {
	if code < len(words) {
		return words[code]
	}
	return "???"
}

// rate is the whole number of Gb/s, but for 2.5. FDR10 is told apart from QDR,
// which has the same rate.
func rate(p *rdma.Port) string {
	whole := int64(p.Rate.Gbps)
	switch {
	case strings.Contains(strings.ToUpper(p.Rate.Text), "FDR10)"):
		return fmt.Sprintf("%d (FDR10)", whole)
	case whole == 2:
		return "2.5"
	}
	return fmt.Sprint(whole)
}
