//go:build linux

package simexec

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// fabrics of about 3, 150 and 1500 nodes.
var fabrics = []string{
	"sim:star?hosts=2&speed=edr",
	"sim:fattree?levels=2&radix=16&hosts=126",
	"sim:fattree?levels=3&radix=20&hosts=1200",
}

// TestTools runs the C tools, as they are, on a small fabric.
func TestTools(t *testing.T) {
	for _, tt := range []struct {
		tool string
		args []string
		want []string // in the output
	}{
		{"ibstat", nil, []string{"CA 'mlx5_0'", "State: Active", "Physical state: LinkUp", "Rate: 100", "Base lid: 2", "Link layer: InfiniBand"}},
		{"ibstat", []string{"-l"}, []string{"mlx5_0\n"}},
		{"ibstatus", nil, []string{"state:\t\t 4: ACTIVE", "phys state:\t 5: LinkUp", "rate:\t\t 100 Gb/sec (4X EDR)", "base lid:\t 0x2"}},
		{"ibaddr", nil, []string{"LID start 0x2 end 0x2"}},
		{"smpquery", []string{"nodedesc", "-D", "0,1,2"}, []string{"node0002 mlx5_0"}},
		{"smpquery", []string{"nodedesc", "3"}, []string{"node0002 mlx5_0"}},
		{"smpquery", []string{"-c", "nodedesc", "1", "0,2"}, []string{"node0002 mlx5_0"}},
		{"smpquery", []string{"portinfo", "2", "1"}, []string{"LinkState:.......................Active"}},
		{"smpquery", []string{"pkeys", "-D", "0"}, []string{"0xffff"}},
		{"sminfo", nil, []string{"sm lid 2", "SMINFO_MASTER"}},
		{"ibhosts", nil, []string{"node0001 mlx5_0", "node0002 mlx5_0"}},
		{"iblinkinfo", nil, []string{"node0001 mlx5_0", "Active/  LinkUp"}},
		{"ibroute", []string{"1"}, []string{"node0001 mlx5_0"}},
	} {
		out := runOK(t, fabrics[0], append([]string{testenv.Tool(t, tt.tool)}, tt.args...)...)
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s %q: no %q in\n%s", tt.tool, tt.args, want, out)
			}
		}
	}
}

// TestCounters: the C tools see counters move, over the fabric and in sysfs, and
// the agents of other classes.
func TestCounters(t *testing.T) {
	const busy = "sim:star?hosts=2&speed=edr&traffic=load:50%,symbol-errors:1000&ping=all"
	for _, tt := range []struct {
		tool string
		args []string
		want string // a regular expression for its output
	}{
		{"perfquery", []string{"-x"}, `PortXmitData:\.+[1-9]\d{6,}\n(.*\n)*SymbolErrorCounter:\.+[1-9]`},
		{"perfquery", []string{"-x", "1", "2"}, `Lid 1 port 2 \(CapMask: 0xD300 CapMask2: 0x0000002\)\n(.*\n)*PortRcvPkts:\.+[1-9]`},
		{"perfquery", []string{"-a", "1"}, `port 255 \(CapMask: 0xD300\)\n(.*\n)*SymbolErrorCounter:\.+[1-9]`},
		{"perfquery", []string{"-T"}, `FECCorrectable.*CtrLane11:\.+0\n`},
		{"vendstat", []string{"-N", "1"}, `hw_dev_id:   0xcb20\n(.*\n)*fw_version:  11.2008.3328\n(.*\n)*fw_psid:     'SIM0000052000'\n`},
		{"vendstat", []string{"-N", "2"}, `hw_dev_id:   0x1013\n(.*\n)*fw_version:  12.28.2006\n`},
		{"vendstat", []string{"-W", "100,1234,ff", "2"}, `Config space record at 0x100: 0x34\n`},
		{"ibping", []string{"-c", "1", "3"}, `Pong from node0002.\(none\) \(Lid 3\): time `},
		{"ibping", []string{"-f", "-c", "100", "-G", "0xb83fd2030000000c"}, `100 packets transmitted, 100 received, 0% packet loss`},
		{"ibsysstat", []string{"3"}, `^sysstat ping succeeded\n$`},
		{"ibsysstat", []string{"3", "cpu"}, `cpu 0: model \S.* MHZ \d`},
		{"ibsysstat", []string{"3", "host"}, `^node0002.\(none\)\n$`},
		{"cat", []string{"/sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_data"}, `^[1-9]\d{6,}\n$`},
	} {
		out := runOK(t, busy, append([]string{testenv.Tool(t, tt.tool)}, tt.args...)...)
		if !regexp.MustCompile(tt.want).MatchString(out) {
			t.Errorf("%s %q: no %s in\n%s", tt.tool, tt.args, tt.want, out)
		}
	}
}

// ibscopeBinary builds the real program, with a version as make gives it one: tools run
// early then.
func ibscopeBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "ibscope")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X github.com/ibscope/ibscope/internal/cli/version.stamp=test", "-o", bin, "../../../cmd/ibscope")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

var generatedOn = regexp.MustCompile(`generated on .*`)

// TestStatic runs our own program, which is static and has no C library.
func TestStatic(t *testing.T) {
	testenv.Need(t, "fuse")
	bin := ibscopeBinary(t)
	t.Run("discover", func(t *testing.T) { testDiscover(t, bin) })
	t.Run("loss", func(t *testing.T) { testLoss(t, bin) })
	t.Run("corpus", func(t *testing.T) { testCorpus(t, bin) })
}

// testDiscover: C ibnetdiscover and our own static program see through the
// devices what our own sees in the simulator.
func testDiscover(t *testing.T, bin string) {
	for _, uri := range fabrics {
		compareSweeps(t, bin, uri)
	}
}

// testCorpus does the same on real fabrics.
func testCorpus(t *testing.T, bin string) {
	dir := filepath.Join(testenv.Corpus(t), "topo")
	for _, file := range []string{"topograph-example.out", "hk-topo5-superpod.txt", "ufm-small.txt", "hk-topo1.txt"} {
		compareSweeps(t, bin, "sim:"+filepath.Join(dir, file))
	}
}

func compareSweeps(t *testing.T, bin, uri string) {
	t.Helper()
	c := testenv.Tool(t, "ibnetdiscover")
	direct := run(t, exec.CommandContext(t.Context(), bin, "discover", "--fabric", uri, "-o", "ibnetdiscover"))
	if direct.code != 0 {
		t.Fatalf("%s: %s", uri, direct.stderr)
	}
	want := generatedOn.ReplaceAllString(direct.stdout, "")
	for name, command := range map[string][]string{
		"C ibnetdiscover":  {c},
		"ibscope discover": {bin, "discover", "--fabric", "umad:", "-o", "ibnetdiscover"},
	} {
		got := generatedOn.ReplaceAllString(runOK(t, uri, command...), "")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, %s (-simulator +devices)\n%.3000s", uri, name, diff)
		}
	}
}

// TestDeadPath: nothing answers behind an unplugged port. The kernel's timeout
// and libibmad's tries end it.
func TestDeadPath(t *testing.T) {
	r := run(t, simExec(t, fabrics[0], "--", testenv.Tool(t, "smpquery"), "-t", "50", "nodeinfo", "-D", "0,1,2,1"))
	if r.code != 255 || !strings.Contains(r.stderr, "timed out") {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
}

// testLoss: requests that get lost are tried again, by the tool.
func testLoss(t *testing.T, bin string) {
	out := runOK(t, fabrics[1]+"&loss=1%&seed=7", bin, "discover", "--fabric", "umad:", "-o", "list")
	want := runOK(t, fabrics[1], bin, "discover", "--fabric", "umad:", "-o", "list")
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("-no loss +1%% loss\n%.3000s", diff)
	}
}

// TestTwoClients sweep at once, with the same transaction IDs.
func TestTwoClients(t *testing.T) {
	testenv.Need(t, "ibnetdiscover")
	out := runOK(t, fabrics[1], "sh", "-c", `dir=$(mktemp -d); trap 'rm -r $dir' EXIT
for i in 1 2 3; do ibnetdiscover -l >$dir/$i & done; wait
cmp $dir/1 $dir/2 && cmp $dir/1 $dir/3 && wc -l <$dir/1`)
	if strings.TrimSpace(out) != "150" {
		t.Errorf("%s", out)
	}
}

// TestSeveralAdapters: each has its own devices, seen from its own place.
func TestSeveralAdapters(t *testing.T) {
	testenv.Need(t, "ibstat", "smpquery")
	for _, args := range [][]string{
		{"--hca", "node0001 mlx5_0", "--hca", "node0002 mlx5_0", fabrics[0]},
		{fabrics[0] + "&adapters=node0001 mlx5_0,node0002 mlx5_0"},
	} {
		r := run(t, simExec(t, append(args, "--", "sh", "-c", "ibstat -l; for i in 0 1; do smpquery -C mlx5_$i nodedesc -D 0; done; ls /dev/infiniband")...))
		want := "mlx5_0\nmlx5_1\n"
		for i := range 2 {
			want += fmt.Sprintf("Node Description:........................node%04d mlx5_0\n", i+1)
		}
		want += "issm0\nissm1\numad0\numad1\n"
		got := regexp.MustCompile(`Description:\.+`).ReplaceAllString(r.stdout, "Description:........................")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s%s", args, diff, r.stderr)
		}
	}
}

// TestSwitch: software on a switch, whose port is 0.
func TestSwitch(t *testing.T) {
	testenv.Need(t, "ibstat", "smpquery")
	out := runOK(t, "sim:star?hosts=2&node=MF0%3Bswitch01:MQM8700/U1", "sh", "-c", "ibstat | head -4; smpquery nodedesc -D 0,2")
	if !strings.Contains(out, "Number of ports") || !strings.Contains(out, "node0002") {
		t.Errorf("%s", out)
	}
}
