package cli

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// softRoCE is what Debian's kernel shows of a soft-RoCE device: no type, no
// hardware version, an empty firmware version.
func softRoCE(t *testing.T) *testenv.Sysfs {
	s := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "rxe0", GUID: "0000:00ff:fe00:0001", Ports: []testenv.SysfsPort{{
			Num: 1, GUID: "0000:00ff:fe00:0001", Rate: "10 Gb/sec (1X FDR10)",
			LID: "0x0", SMLID: "0x0", CapMask: "0x00010000", LinkLayer: "Ethernet",
		}}},
		testenv.SysfsCA{Name: "siw0", NodeType: "4: RNIC", Ports: []testenv.SysfsPort{{
			Num: 1, Rate: "10 Gb/sec (1X FDR10)", LID: "0x0", SMLID: "0x0", LinkLayer: "Ethernet", NoUmad: true,
		}}})
	for _, name := range []string{"hw_rev", "hca_type"} {
		s.Remove(s.CAFile("rxe0", name))
	}
	s.Write(s.CAFile("rxe0", "fw_ver"), "")
	return s
}

const softRoCEStat = `CA 'rxe0'
	CA type: 
	Number of ports: 1
	Firmware version: 
	Hardware version: 
	Node GUID: 0x000000fffe000001
	System image GUID: 0x000000fffe000001
	Port 1:
		State: Active
		Physical state: LinkUp
		Rate: 10 (FDR10)
		Base lid: 0
		LMC: 0
		SM lid: 0
		Capability mask: 0x00010000
		Port GUID: 0x000000fffe000001
		Link layer: Ethernet
`

const softRoCEStatus = `Infiniband device 'rxe0' port 1 status:
	default gid:	 fe80:0000:0000:0000:0000:00ff:fe00:0001
	base lid:	 0x0
	sm lid:		 0x0
	state:		 4: ACTIVE
	phys state:	 5: LinkUp
	rate:		 10 Gb/sec (1X FDR10)
	link_layer:	 Ethernet

`

var pid = regexp.MustCompile(`\[\d+\]`)

func TestDeviceTools(t *testing.T) {
	tree := softRoCE(t)
	onePort := softRoCEStat[strings.Index(softRoCEStat, "Port 1"):]
	for _, test := range []struct {
		line           string
		stdout, stderr string
		code           int
	}{
		{"ibstat", softRoCEStat, "", 0},
		{"ibstat rxe0", softRoCEStat, "", 0},
		{"ibstat -s", softRoCEStat[:strings.Index(softRoCEStat, "\tPort 1")], "", 0},
		{"ibstat rxe0 1", "CA: 'rxe0'\n" + strings.ReplaceAll(onePort, "\t", ""), "", 0},
		{"ibstat -l", "rxe0\n", "", 0},
		{"ibstat -p", "0x000000fffe000001\n", "", 0},
		// Where C prints whatever errno was left over, we have the cause.
		{"ibstat rxe0 2", "", "ibwarn: [] ca_stat: CA: 'rxe0' has no port number 2 - max (1)\n" +
			"ibpanic: [] main: stat of IB device 'rxe0' failed: Invalid argument\n", 255},
		{"ibstat siw0", "", "ibpanic: [] main: 'siw0' IB device can't be found: No such device\n", 255},
		{"ibstatus rxe0", softRoCEStatus, "", 0},
		{"ibstatus rxe0:1", softRoCEStatus, "", 0},
		{"ibstatus rxe0:", "", "", 0},
		{"ibstatus nosuch rxe0", "Fatal error:  device 'nosuch': sys files not found (SYS/class/infiniband/nosuch/ports)\n", "", 255},
		{"ibstatus rxe0:01", strings.ReplaceAll(unknownPort, "#", "01"), "", 0},
		{"ibstatus rxe0:2 rxe0:1", strings.ReplaceAll(unknownPort, "#", "2") + softRoCEStatus, "", 0},
	} {
		w := &world{sys: tree.Root}
		code := w.run(strings.Fields(test.line)...)
		if code != test.code {
			t.Errorf("%s: exit code %d", test.line, code)
		}
		if diff := cmp.Diff(test.stdout, strings.ReplaceAll(w.stdout.String(), tree.Root, "SYS")); diff != "" {
			t.Errorf("%s: stdout (-want +got):\n%s", test.line, diff)
		}
		if diff := cmp.Diff(test.stderr, pid.ReplaceAllString(w.stderr.String(), "[]")); diff != "" {
			t.Errorf("%s: stderr (-want +got):\n%s", test.line, diff)
		}
	}
}

const unknownPort = `Infiniband device 'rxe0' port # status:
	default gid:	 unknown
	base lid:	 unknown
	sm lid:		 unknown
	state:		 unknown
	phys state:	 unknown
	rate:		 unknown
	link_layer:	 IB

`

func TestDeviceToolsWithoutDevices(t *testing.T) {
	for _, test := range []struct {
		line, stdout string
		code         int
	}{
		{"ibstat", "", 0},
		{"ibstat -l", "", 0},
		{"ibstatus", "Fatal error:  No devices\n", 255},
		{"ibaddr", "ibaddr: iberror: failed: Failed to open '(null)' port '0'\n", 255},
		{"ibaddr -C mlx5_0 -P 2", "ibaddr: iberror: failed: Failed to open 'mlx5_0' port '2'\n", 255},
	} {
		w := &world{sys: t.TempDir()}
		if code := w.run(strings.Fields(test.line)...); code != test.code || w.stdout.String() != test.stdout {
			t.Errorf("%s: exit code %d, stdout %q", test.line, code, w.stdout.String())
		}
		if w.stderr.String() != "" && strings.Count(w.stderr.String(), "\n") != 1 {
			t.Errorf("%s: not one line: %q", test.line, w.stderr.String())
		}
	}
}

// TestIbstatPartial has a port that cannot be read. C shows nothing of such a
// device, and nothing of those after it.
func TestIbstatPartial(t *testing.T) {
	port := []testenv.SysfsPort{{Num: 1}, {Num: 2}}
	tree := testenv.NewSysfs(t, testenv.SysfsCA{Name: "a", Ports: port}, testenv.SysfsCA{Name: "b", Ports: port}, testenv.SysfsCA{Name: "c", Ports: port})
	tree.Remove(tree.CAFile("a", "ports/1/lid"))
	tree.Remove(tree.CAFile("b", "node_guid"))
	for _, test := range []struct {
		line  string
		code  int
		ports int    // how many are printed
		guids int    // with -p
		about string // what stderr is about
	}{
		{"ibstat", 255, 3, 0, "lid"},
		{"ibstat a", 255, 1, 0, "lid"},
		{"ibstat a 2", 0, 1, 0, ""},
		{"ibstat a 1", 255, 0, 0, "lid"},
		{"ibstat b", 255, 0, 0, "node_guid"},
		{"ibstat c", 0, 2, 0, ""},
		{"ibstat -s a", 0, 0, 0, ""},
		{"ibstat -l", 0, 0, 0, ""},
		{"ibstat -p", 255, 0, 3, "lid"},
	} {
		w := &world{sys: tree.Root}
		code := w.run(strings.Fields(test.line)...)
		out, problems := w.stdout.String(), w.stderr.String()
		if code != test.code || strings.Count(out, "State: Active") != test.ports || strings.Count(out, "\n0x") != max(test.guids-1, 0) {
			t.Errorf("%s: exit code %d, stdout\n%s", test.line, code, out)
		}
		if (test.about == "") != (problems == "") || !strings.Contains(problems, test.about) {
			t.Errorf("%s: stderr %q", test.line, problems)
		}
	}
}

// TestNothingToList has a device that no tool lists, with a fault of its own: an
// empty list is then no failure.
func TestNothingToList(t *testing.T) {
	tree := testenv.NewSysfs(t, testenv.SysfsCA{Name: "i40iw0", NodeType: "4: RNIC"})
	tree.Remove(tree.CAFile("i40iw0", "node_guid"))
	for _, line := range []string{"ibstat", "ibstat -l", "ibv_devices"} {
		w := &world{sys: tree.Root, dev: t.TempDir()}
		if code := w.run(strings.Fields(line)...); code != 0 || w.stderr.String() != "" {
			t.Errorf("%s: exit code %d, stderr %q", line, code, w.stderr.String())
		}
	}
}

// TestIbstatEmptyName is about a name that is given and empty, as of a variable
// that is not set.
func TestIbstatEmptyName(t *testing.T) {
	w := &world{sys: softRoCE(t).Root}
	if code := w.run("ibstat", ""); code != 255 || w.stdout.String() != "" || !strings.Contains(w.stderr.String(), "'' IB device can't be found") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, w.stdout.String(), w.stderr.String())
	}
}

// TestHostileNames makes sure that names from sysfs do not act on a terminal.
func TestHostileNames(t *testing.T) {
	tree := testenv.NewSysfs(t, testenv.SysfsCA{Name: "mlx5_\x1b[2J", HCAType: "\x1b]0;x\a", Firmware: "1\n2", Ports: []testenv.SysfsPort{
		{Num: 1, LinkLayer: "\x1b[31m", Rate: "2 \x1b[0m(FDR10)"},
	}})
	for _, line := range []string{"ibstat", "ibstat -l", "ibstatus", "ibstat \x1b[2J", "ibstatus \x1b[2J:\x1b[2J"} {
		w := &world{sys: tree.Root}
		w.run(strings.Fields(line)...)
		if text := w.stdout.String() + w.stderr.String(); strings.ContainsAny(text, "\x1b\a") || text == "" {
			t.Errorf("%q prints %q", line, text)
		}
	}
}

// brokenPipe is a stream that takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestDeviceToolsOnBrokenPipe(t *testing.T) {
	tree := softRoCE(t)
	for _, line := range []string{"ibstat", "ibstatus"} {
		var stderr strings.Builder
		e := &Env{Args: []string{line}, Stdout: brokenPipe{}, Stderr: &stderr, Getenv: func(string) string { return "" }, Sys: tree.Root}
		if code := Run(t.Context(), e); code != 255 || !strings.Contains(stderr.String(), "broken pipe") {
			t.Errorf("%s: exit code %d, stderr %q", line, code, stderr.String())
		}
	}
}
