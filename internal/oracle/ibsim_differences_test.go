package oracle_test

import (
	"regexp"
	"strings"
	"testing"
)

// difference is a line that C prints differently of ibsim and of our simulator,
// and why ours stays as it is. Without theirs it is one that only ours has.
type difference struct {
	tool         string // begin of the command line
	theirs, ours string // patterns for the whole line
	reason       string
}

// intended are the differences between ibsim 0.10 and ours: there are no others in
// what this file's tests run, and each of these is found.
var intended = []difference{
	{
		"smpquery", `LocalPort:\.+0`, `LocalPort:\.+[1-9]\d*`,
		"LocalPortNum is the port that the packet came in by (IBA 14.2.5.3, 14.2.5.6); for one that was routed by LID ibsim says 0",
	},
	{"smpquery portinfo", `LocalPhysErr:\.+0`, `LocalPhysErr:\.+8`, settable},
	{"smpquery portinfo", `OverrunErr:\.+0`, `OverrunErr:\.+8`, settable},
	{"smpquery portinfo", `SubnetTimeout:\.+31`, `SubnetTimeout:\.+18`, settable},
	{"smpquery portinfo", `MkeyLeasePeriod:\.+4089`, `MkeyLeasePeriod:\.+0`, settable},
	{"smpquery portinfo", `LinkWidthEnabled:\.+(1X or )?4X`, `LinkWidthEnabled:\.+1X or 4X or 8X or 12X or 2X`, settable},
	{"smpquery portinfo", `LinkSpeedEnabled:\.+2.5 Gbps`, `LinkSpeedEnabled:\.+2.5 Gbps or 5.0 Gbps or 10.0 Gbps`, settable},
	{
		"smpquery portinfo", `LinkSpeedExtEnabled:\.+14.0625 Gbps or 25.78125 Gbps`,
		`LinkSpeedExtEnabled:\.+14.0625 Gbps or 25.78125 Gbps or 53.125 Gbps`, settable,
	},
	{
		"smpquery sl2vl", `ports: in +\d+, out +\d+: .* 6\| 7\| 8\| 9\|10\|11\|12\|13\|14\| 7\|`, `ports: in +\d+, out +\d+: .* 6\| 7\| 0\| 1\| 2\| 3\| 4\| 5\| 6\| 7\|`,
		"these ports operate VL 0 to 7 and would discard what is mapped to VL 8 to 14 (IBA 7.6)",
	},
	{
		"perfquery", `#.*\(CapMask: 0x1[23]00( CapMask2: 0x0000000)?\)`, `#.*\(CapMask: 0xD[23]00( CapMask2: 0x0000002)?\)`,
		"ports at EDR have the counters of Reed-Solomon FEC and QP1Dropped, and say so; ibsim lacks them",
	},
	{"perfquery -x", `PortUnicast(Xmit|Rcv)Pkts:\.+0`, `PortUnicast(Xmit|Rcv)Pkts:\.+[1-9]\d*`, "MADs are unicast packets (IBA 16.1.4); ibsim does not count them as such"},
	{"perfquery -x", `PortRcvPkts:\.+\d+`, `PortRcvPkts:\.+\d+`, "it was reset; ibsim resets PortXmitPkts instead"},
	{
		"perfquery -x", "", `(CounterSelect2|SymbolErrorCounter|LinkErrorRecoveryCounter|LinkDownedCounter|PortRcvErrors|PortRcvRemotePhysicalErrors|` +
			`PortRcvSwitchRelayErrors|PortXmitDiscards|PortXmitConstraintErrors|PortRcvConstraintErrors|LocalLinkIntegrityErrors|ExcessiveBufferOverrunErrors):\.+(0|0x0+)`,
		"the extended counters beyond data and packets, which CapMask2 announces",
	},
	{
		"perfquery --flowctl", `Port(Xmit|Rcv)FlowPkts:\.+0`, `Port(Xmit|Rcv)FlowPkts:\.+[1-9]\d*`,
		"a link that carries packets carries flow control packets too (IBA 7.9); ibsim does not count them",
	},
	{
		"perfquery -E", `PortDLIDMappingErrors:\.+0`, `PortDLIDMappingErrors:\.+[1-9]\d*`,
		"a packet that no forwarding table has a port for counts in PortRcvErrorDetails as well (IBA 16.1.4)",
	},
	{
		"perfquery -x", "", `(VL15Dropped|PortXmitWait|QP1Dropped):\.+\d+`,
		"the same; libumad2sim hands on 224 bytes of a packet, the rest is of its heap",
	},
}

const settable = "OpenSM has set it, and it is a component that can be set (IBA 14.2.5.6); ibsim keeps the value of its template"

// differences finds the intended ones.
type differences struct {
	found map[int]bool
	exact []*regexp.Regexp // ours, then theirs, of each
}

func newDifferences() *differences {
	d := &differences{found: map[int]bool{}}
	for _, i := range intended {
		d.exact = append(d.exact, regexp.MustCompile("^(?:"+i.ours+")$"), regexp.MustCompile("^(?:"+i.theirs+")$"))
	}
	return d
}

// compare wants the same bytes but for the intended differences.
func (d *differences) compare(t *testing.T, line string, theirs, ours result) {
	t.Helper()
	if theirs.code != ours.code {
		t.Errorf("%s: exit code %d, on ibsim %d\n%s%s", line, ours.code, theirs.code, ours.stdout, ours.stderr)
	}
	want, got := linesOf(theirs), d.withoutOwn(line, linesOf(ours))
	if len(want) != len(got) {
		t.Errorf("%s: %d lines, on ibsim %d\n%s", line, len(got), len(want), firstDifference(strings.Join(want, "\n"), strings.Join(got, "\n")))
		return
	}
	for i := range want {
		if want[i] != got[i] && !d.isIntended(line, want[i], got[i]) {
			t.Errorf("%s: line %d\nibsim: %s\nours:  %s", line, i+1, want[i], got[i])
		}
	}
}

// linesOf is what a tool printed, and what it complained of.
func linesOf(r result) []string {
	text := undated(r.stdout)
	for said := range strings.Lines(told(r.stderr)) {
		if !notOurs.MatchString(said) {
			text += said
		}
	}
	return strings.Split(text, "\n")
}

// withoutOwn leaves out the lines that are meant to be in ours only.
func (d *differences) withoutOwn(command string, lines []string) []string {
	var kept []string
	for _, line := range lines {
		if i := d.index(command, "", line); i < 0 || intended[i].theirs != "" {
			kept = append(kept, line)
		} else {
			d.found[i] = true
		}
	}
	return kept
}

func (d *differences) isIntended(command, theirs, ours string) bool {
	i := d.index(command, theirs, ours)
	if i >= 0 {
		d.found[i] = true
	}
	return i >= 0
}

func (d *differences) index(command, theirs, ours string) int {
	for i := range intended {
		if strings.HasPrefix(command, intended[i].tool) && d.exact[2*i].MatchString(ours) && d.exact[2*i+1].MatchString(theirs) {
			return i
		}
	}
	return -1
}

// allFound wants no line in the table that is not needed any more.
func (d *differences) allFound(t *testing.T) {
	t.Helper()
	for i := range intended {
		if !d.found[i] {
			t.Errorf("no command shows that %q differs from %q (%s)", intended[i].theirs, intended[i].ours, intended[i].reason)
		}
	}
}
