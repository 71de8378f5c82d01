package oracle_test

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ibscope/ibscope/internal/cli"
	"github.com/ibscope/ibscope/internal/testenv"
)

// oddDevices is a machine with every kind of device and port.
func oddDevices(t *testing.T) *testenv.Sysfs {
	port := func(num int, state, phys, rate string) testenv.SysfsPort {
		return testenv.SysfsPort{Num: num, State: state, PhysState: phys, Rate: rate}
	}
	tree := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "mlx5_10", Ports: []testenv.SysfsPort{
			port(1, "0: NOP", "0: <unknown>", "2.5 Gb/sec (1X)"),
			port(2, "1: DOWN", "1: Sleep", "5 Gb/sec (1X DDR)"),
			port(3, "2: INIT", "2: Polling", "10 Gb/sec (4X)"),
			port(4, "3: ARMED", "3: Disabled", "40 Gb/sec (4X QDR)"),
			port(5, "4: ACTIVE", "4: PortConfigurationTraining", "40 Gb/sec (4X FDR10)"),
			port(6, "5: ACTIVE_DEFER", "6: LinkErrorRecovery", "56 Gb/sec (4X FDR)"),
			port(7, "6: weird", "7: Phy Test", "400 Gb/sec (4X NDR)"),
			port(8, "4: ACTIVE", "8: more", "800 Gb/sec (8X NDR)"),
			port(9, "4: ACTIVE", "15: most", "14 Gb/sec (1X FDR)"),
		}},
		testenv.SysfsCA{Name: "mlx5_9", Firmware: "28.39.1002", HCAType: "MT4129", HardwareID: "a0", Ports: []testenv.SysfsPort{
			{Num: 1, LID: "0xffff", LMC: "3", SMLID: "0xbfff", CapMask: "0x0", LinkLayer: "IB"},
			{Num: 3, GUID: "0000:0000:0000:0000", LID: "17"},
		}},
		testenv.SysfsCA{Name: "sw0", NodeType: "2: Switch", Ports: []testenv.SysfsPort{{Num: 0}}},
		testenv.SysfsCA{Name: "rt0", NodeType: "3: Router", Ports: []testenv.SysfsPort{{Num: 1, LinkLayer: "Ethernet"}}},
		testenv.SysfsCA{Name: "siw0", NodeType: "4: RNIC", Ports: []testenv.SysfsPort{{Num: 1}}},
		testenv.SysfsCA{Name: "bare", Ports: []testenv.SysfsPort{{Num: 1}}})
	for _, name := range []string{"fw_ver", "hw_rev", "hca_type", "ports/1/link_layer"} {
		tree.Remove(tree.CAFile("bare", name))
	}
	return tree
}

// oursOn runs one of our commands on a tree.
func oursOn(t *testing.T, tree *testenv.Sysfs, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	e := &cli.Env{
		Args: args, Stdin: bytes.NewReader(nil), Stdout: &stdout, Stderr: &stderr, Now: time.Now,
		Getenv:     func(string) string { return "" },
		IsTerminal: func(any) bool { return false }, ReadPassword: func(string) (string, error) { return "", io.EOF },
		DiagConfig: "/nonexistent", Sys: tree.Root, Dev: tree.Root,
	}
	code := cli.Run(t.Context(), e)
	return result{strings.ReplaceAll(stdout.String(), tree.Root, "/sys"), stderr.String(), code}
}

var (
	pid = regexp.MustCompile(`\[\d+\]`)
	// leftover is the errno that C had left over from some earlier call.
	leftover = regexp.MustCompile(`(?m)^(ibpanic: .*: ).*$`)
)

// told is what stderr says, without process IDs and reasons.
func told(stderr string) string {
	return leftover.ReplaceAllString(pid.ReplaceAllString(stderr, "[PID]"), "${1}REASON")
}

func TestDeviceToolsOnTrees(t *testing.T) {
	testenv.Need(t, "ibstat", "ibstatus", "mount-namespace")
	if _, err := os.Stat("/sys/class/infiniband"); err == nil {
		t.Skip("this machine has devices of its own, which C looks at by netlink")
	}
	trees := map[string]*testenv.Sysfs{"odd": oddDevices(t), "none": testenv.NewSysfs(t)}
	for _, line := range []string{
		"ibstat", "ibstat -l", "ibstat -s", "ibstat -p", "ibstat -lps", "ibstat -ls",
		"ibstat mlx5_9", "ibstat -p mlx5_9", "ibstat -s mlx5_9 1", "ibstat -l mlx5_9", "ibstat bare",
		"ibstat mlx5_9 1", "ibstat mlx5_9 2", "ibstat mlx5_9 3", "ibstat mlx5_9 0x3x", "ibstat mlx5_9 -- -1",
		"ibstat mlx5_9 0", "ibstat mlx5_9 nonsense", "ibstat mlx5_9 1 more", "ibstat mlx5_9 4294967297",
		"ibstat sw0", "ibstat sw0 0", "ibstat rt0", "ibstat siw0", "ibstat nosuch", "ibstat -l nosuch",
		"ibstat mlx5_10 5", "ibstat mlx5_10 9", "ibstat mlx5_10 7",
		"ibstatus", "ibstatus mlx5_10", "ibstatus mlx5_9:3", "ibstatus mlx5_9:2", "ibstatus mlx5_9: sw0",
		"ibstatus siw0 bare", "ibstatus nosuch", "ibstatus bare nosuch sw0", "ibstatus mlx5_9:1:3", "ibstatus -h",
	} {
		for name, tree := range trees {
			if name == "none" && line == "ibstatus" {
				continue // the script takes the pattern * for a device
			}
			t.Run(name+" "+line, func(t *testing.T) {
				args := strings.Fields(line)
				stdout, stderr, code := tree.Run(args[0], args[1:]...)
				got := oursOn(t, tree, args...)
				if got.code != code {
					t.Errorf("exit code %d, C has %d", got.code, code)
				}
				if got.stdout != stdout {
					t.Errorf("stdout differs, first in %s", firstDifference(stdout, got.stdout))
				}
				if told(got.stderr) != told(stderr) {
					t.Errorf("stderr differs, first in %s", firstDifference(told(stderr), told(got.stderr)))
				}
			})
		}
	}
}

// TestIbaddr compares on ibsim, for which no device files are needed.
func TestIbaddr(t *testing.T) {
	testenv.Need(t, "ibsim", "ibaddr", "umad2sim")
	for _, file := range []string{"net", "net.2sw2path4hca2port"} {
		sim := testenv.StartIbsim(t, testenv.Example(t, file))
		for _, host := range []string{"Hca1", "Switch1"} {
			for _, line := range []string{
				"ibaddr", "ibaddr -g", "ibaddr -l", "ibaddr -L", "ibaddr -gL", "ibaddr -Ll", "ibaddr -lL",
				"ibaddr -D 0", "ibaddr -D 0,1", "ibaddr -D 0,1 2", "ibaddr -D 0,1,2",
				"ibaddr 0", "ibaddr -1", "ibaddr -- -1", "ibaddr 0xc000", "ibaddr nonsense", "ibaddr -y 5 -D 0",
			} {
				t.Run(file+" "+host+" "+line, func(t *testing.T) {
					args := strings.Fields(line)
					want, got := c(t, sim, host, args...), oursAt(t, "ibsim:"+sim.Name, host, args...)
					want.stdout = strings.ReplaceAll(want.stdout, "/usr/sbin/", "") // C prints the path it was called by
					compare(t, want, got)
				})
			}
			// C ignores the first number of a route and cuts the others down to
			// eight bits, which goes to other places than the route says.
			for _, line := range []string{"ibaddr -D 1", "ibaddr -D 2,1", "ibaddr -D 0,257"} {
				got := oursAt(t, "ibsim:"+sim.Name, host, strings.Fields(line)...)
				if got.code != 255 || !strings.Contains(got.stdout, "can't resolve destination port") {
					t.Errorf("%s: exit code %d, %q", line, got.code, got.stdout)
				}
			}
		}
	}
}
