package agents_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// ibsimFields are the fields of each attribute that ibsim's console can set.
var ibsimFields = map[string][]string{
	"PortCounters": {
		"SymbolErrorCounter", "LinkErrorRecoveryCounter", "LinkDownedCounter", "PortRcvErrors", "PortRcvRemotePhysicalErrors",
		"PortRcvSwitchRelayErrors", "PortXmitDiscards", "PortXmitConstraintErrors", "PortRcvConstraintErrors", "LocalLinkIntegrityErrors",
		"ExcessiveBufferOverrunErrors", "VL15Dropped", "PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortXmitWait",
	},
	"PortCountersExtended": {
		"PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortUnicastXmitPkts", "PortUnicastRcvPkts", "PortMultiCastXmitPkts",
	},
	"PortRcvErrorDetails": {
		"PortLocalPhysicalErrors", "PortMalformedPacketErrors", "PortBufferOverrunErrors", "PortDLIDMappingErrors",
		"PortVLMappingErrors", "PortLoopingErrors",
	},
	"PortXmitDiscardDetails":        {"PortInactiveDiscards", "PortNeighborMTUDiscards", "PortSwLifetimeLimitDiscards", "PortSwHOQLifetimeLimitDiscards"},
	"PortOpRcvCounters":             {"PortOpRcvPkts", "PortOpRcvData"},
	"PortFlowCtlCounters":           {"PortXmitFlowPkts", "PortRcvFlowPkts"},
	"PortVLOpPackets":               {"PortVLOpPackets0", "PortVLOpPackets9", "PortVLOpPackets15"},
	"PortVLOpData":                  {"PortVLOpData0", "PortVLOpData9", "PortVLOpData14"},
	"PortVLXmitFlowCtlUpdateErrors": {"PortVLXmitFlowCtlUpdateErrors0", "PortVLXmitFlowCtlUpdateErrors15"},
	"PortVLXmitWaitCounters":        {"PortVLXmitWaitCounters0", "PortVLXmitWaitCounters15"},
}

// preset sets all of them in both fabrics: small values at h1, some beyond the
// width of the counter at the ports of the first switch.
func (p *pair) preset() {
	p.Helper()
	for _, at := range []struct {
		id    string
		port  int
		value uint64
	}{{"h1", 1, 1}, {"s1", 1, 3}, {"s1", 2, 1 << 14}} {
		for attribute, fields := range ibsimFields {
			for i, f := range fields {
				p.set(at.id, at.port, attribute+"."+f, at.value<<i)
			}
		}
	}
}

// Numbers that differ from run to run, or that ibsim does not count: unicast
// packets and flow control packets, which are compared only as long as they have
// been set.
var (
	pid       = regexp.MustCompile(`\[\d+\]`)
	uncounted = regexp.MustCompile(`(?m)^(PortUnicast...?.?Pkts|Port...?.?FlowPkts):\.+\d+\n|\[PortUnicast...?.?Pkts == \d+ \([^)]*\)\]`)
)

func (o output) comparable() string {
	return uncounted.ReplaceAllString(o.stdout, "") + "---\n" + pid.ReplaceAllString(o.stderr, "")
}

// ibsimCommands print the same from ibsim and from us, in this order. LID 1 is
// h1 and 2 is s1. That includes how many packets have passed.
var ibsimCommands = []string{
	"perfquery", "perfquery 1", "perfquery 1 1", "perfquery 1 2", "perfquery 1 255", "perfquery -a 1", "perfquery -l 1", "perfquery -a -l 1",
	"perfquery 2", "perfquery 2 0", "perfquery 2 1", "perfquery 2 3", "perfquery 2 5", "perfquery 2 1,2", "perfquery 2 1-4", "perfquery -a 2 1-4",
	"perfquery -l 2", "perfquery 4 1", "perfquery 4 255", "perfquery -a 4",
	"perfquery -x", "perfquery -x 2 1", "perfquery -x 2 2", "perfquery -x 2 255", "perfquery -x -a 2", "perfquery -x -l 2", "perfquery -x 2 1,2", "perfquery -x 2 9",
	"perfquery -E", "perfquery -E 2 1", "perfquery -E 2 255", "perfquery -D", "perfquery -D 2 2", "perfquery -D 2 255",
	"perfquery --oprcvcounters 2 1", "perfquery --oprcvcounters 2 2", "perfquery --vloppackets 2 1", "perfquery --vloppackets 2 255",
	"perfquery --vlopdata 2 1", "perfquery --vlopdata 2 2", "perfquery --vlxmitflowctlerrors 2 1", "perfquery --vlxmitflowctlerrors 2 255",
	"perfquery --vlxmitcounters 2 1", "perfquery --vlxmitcounters 2 2", "perfquery --vlxmitcounters 2 9", "perfquery --flowctlcounters 2 1",
	// Reset, with masks and all.
	"perfquery -R 2 1 0x1", "perfquery 2 1", "perfquery -R 2 1 0x8e", "perfquery 2 1", "perfquery -R 2 1 0x10000", "perfquery 2 1",
	"perfquery -r 2 1", "perfquery 2 1", "perfquery -R 2 255 0xfff", "perfquery -l 2", "perfquery -R -a 2", "perfquery -l 2", "perfquery 2 255",
	"perfquery -x -R 2 1 0x1", "perfquery -x 2 1", "perfquery -x -R 2 1 0x36", "perfquery -x 2 1", "perfquery -R -x 2 255 0x41", "perfquery -x -l 2",
	"perfquery -R -E 2 1", "perfquery -E 2 1", "perfquery -E -r", "perfquery -E", "perfquery -D -R 2 2", "perfquery -D 2 2",
	"perfquery -R --vlxmitcounters 2 1", "perfquery --vlxmitcounters 2 1", "perfquery -R --vloppackets 2 2", "perfquery --vloppackets 2 2",
	"perfquery -R 1", "perfquery -R 1 1", "perfquery 1 1", "perfquery -R 1 2", "perfquery -R -x 1 1 0x3", "perfquery -x 1 1",
}

func TestAgainstIbsim(t *testing.T) {
	p := newPair(t)
	p.manage(false)
	p.preset()
	good := 0
	for _, line := range ibsimCommands {
		args := strings.Fields(line)
		c, our := p.run(p.c, args...), p.run(p.our, args...)
		if diff := cmp.Diff(c.comparable(), our.comparable()); diff != "" || c.code != our.code {
			t.Errorf("%s: exit codes %d and %d (-ibsim +ours)\n%s", line, c.code, our.code, diff)
		}
		if c.code == 0 {
			good++
		}
	}
	if good < 65 {
		t.Errorf("only %d of %d commands work", good, len(ibsimCommands))
	}
}

// TestIbqueryerrors runs it with every option that bears on counters.
func TestIbqueryerrors(t *testing.T) {
	testenv.Need(t, "ibqueryerrors")
	p := newPair(t)
	p.manage(true)
	p.preset()
	p.set("s1", 2, "PortCounters.PortXmitDiscards", 3) // see TestIbsimIsWrong
	thresholds := filepath.Join(t.TempDir(), "thresholds")
	if err := os.WriteFile(thresholds, []byte("SymbolErrorCounter=10\nLinkDownedCounter=200\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"", "--details", "-c", "-s SymbolErrorCounter,LinkDownedCounter", "--switch", "--ca", "--router", "--skip-sl",
		"--threshold-file " + thresholds, "-r", "-G 0x1002", "-D 0,1", "--node-name-map /nonexistent",
		"--data", "--counters", "--data --details", "-k", "", "-K", "--ca", // after -K, ibsim's counters are wrong: see above
	} {
		args := append([]string{"ibqueryerrors"}, strings.Fields(line)...)
		c, our := p.run(p.c, args...), p.run(p.our, args...)
		if diff := cmp.Diff(c.comparable(), our.comparable()); diff != "" || c.code != our.code {
			t.Errorf("%s: exit codes %d and %d (-ibsim +ours)\n%s", line, c.code, our.code, diff)
		}
	}
}

// TestIbsimIsWrong: where ibsim gives another value than the specification has,
// and what is right.
func TestIbsimIsWrong(t *testing.T) {
	p := newPair(t)
	p.manage(false)
	p.set("s1", 1, "PortCounters.PortXmitDiscards", 200)
	p.set("s1", 2, "PortCounters.PortXmitDiscards", 100)
	p.set("s1", 1, "PortCountersExtended.PortMultiCastRcvPkts", 7)
	p.set("s1", 1, "PortVLOpData.PortVLOpData15", 8)
	p.set("s1", 1, "PortCountersExtended.PortXmitPkts", 1000)
	p.set("s1", 1, "PortCountersExtended.PortRcvPkts", 2000)
	for _, tt := range []struct{ command, field, theirs, ours, reason string }{
		{"perfquery 2 255", "PortXmitDiscards", "255", "300", "the sum has 16 bits, ibsim stops at 8"},
		{"perfquery -x 2 1", "PortMulticastRcvPkts", "0", "7", "ibsim copies 64 of the 192 bytes"},
		{"perfquery --vlopdata 2 1", "PortVLOpData15", "0", "8", "ibsim copies 64 of the 192 bytes"},
		{"perfquery -x -r 2 1 0x8", "PortXmitPkts", `1\d\d\d`, `1\d\d\d`, ""},
		{"perfquery -x 2 1", "PortXmitPkts", `.`, `1\d\d\d`, "ibsim resets PortXmitPkts in place of PortRcvPkts"},
		{"perfquery -x 2 1", "PortRcvPkts", `2\d\d\d`, `\d`, "ibsim resets PortXmitPkts in place of PortRcvPkts"},
		{"perfquery -x 4 1", "PortUnicastXmitPkts", "0", `[1-9]\d*`, "ibsim counts no unicast packets"},
		{"perfquery --flowctlcounters 4 1", "PortXmitFlowPkts", "0", `[1-9]\d*`, "ibsim counts no flow control packets"},
		{"perfquery -X 2 1", "XmtDataSL0", "", `[1-9]\d*`, "ibsim has no service levels"},
		{"perfquery -S 2 1", "RcvDataSL0", "", `[1-9]\d*`, "ibsim has no service levels"},
		{"perfquery -c 2 1", "CounterWidth", "", "4", "ibsim does not sample"},
		{"perfquery --swportvlcong 2 1", "SWPortVLCongestion0", "", "0", "ibsim has no congestion counters"},
		{"perfquery --rcvcc 2 1", "PortPktRcvFECN", "", "0", "ibsim has no congestion counters"},
		{"perfquery --slrcvfecn 2 1", "PortSLRcvFECN15", "", "0", "ibsim has no congestion counters"},
		{"perfquery --slrcvbecn 2 1", "PortSLRcvBECN15", "", "0", "ibsim has no congestion counters"},
		{"perfquery --xmitcc 2 1", "PortXmitTimeCong", "", "0", "ibsim has no congestion counters"},
		{"perfquery --vlxmittimecc 2 1", "PortVLXmitTimeCong14", "", "0", "ibsim has no congestion counters"},
	} {
		args := strings.Fields(tt.command)
		value := func(o output) string {
			m := regexp.MustCompile(`(?m)^` + tt.field + `:\.+(.*)$`).FindStringSubmatch(o.stdout)
			if m == nil {
				return ""
			}
			return m[1]
		}
		for _, side := range []struct{ name, got, want string }{
			{"ibsim", value(p.run(p.c, args...)), tt.theirs}, {"ours", value(p.run(p.our, args...)), tt.ours},
		} {
			if !regexp.MustCompile(`^(` + side.want + `)$`).MatchString(side.got) {
				t.Errorf("%s: %s of %s is %q, expected %s (%s)", tt.command, tt.field, side.name, side.got, side.want, tt.reason)
			}
		}
	}
}
