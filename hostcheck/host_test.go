package hostcheck

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma/nldev"
)

func TestHealthy(t *testing.T) {
	f := newFixture(t, hca("mlx5_0", infiniBand(1)))
	r := f.check()
	var got []Check
	for _, one := range r.Findings {
		got = append(got, one.Check)
		if one.Severity != OK || len(one.Remedy) > 0 || one.Text == "" {
			t.Errorf("%+v", one)
		}
	}
	want := []Check{
		Adapter, Driver, KernelRDMA, Device, DeviceRead, UmadModule, UmadABI, VerbsModule, IPoIBModule,
		MemoryLock, LinkLayer, Firmware, VerbsFile,
		PortLink, PortState, LID, PKey, UmadFile, SMI, Neighbour, MKey, LinkRate, SM,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
	if r.Worst() != OK || r.Count(OK) != len(want) {
		t.Errorf("worst %v, %d ok", r.Worst(), r.Count(OK))
	}
	if _, ok := r.First(Note); ok {
		t.Error("a healthy host has notes")
	}
}

// hostTests are hosts that lack something; what lines says of each, and words
// that the report must have.
var hostTests = []struct {
	name  string
	make  func(f *fixture)
	want  string
	words []string
}{
	{
		"no RDMA, no adapter", func(f *fixture) { f.Remove("class"); f.Remove("bus") },
		"warning adapter\nfailure kernel-rdma\n",
		[]string{"/class/infiniband: no such file or directory (ENOENT)", "modprobe -a ib_umad ib_uverbs", "lspci"},
	},
	{
		"no driver", func(f *fixture) {
			f.Remove("class")
			f.Remove("bus")
			f.Remove("module")
			f.adapter("0000:82:00.0", 0x15b3, 0x1017, "", "")
		},
		"failure driver\nfailure kernel-rdma\n",
		[]string{"modprobe -a mlx5_core mlx5_ib ", "PCI 0000:82:00.0: vendor 0x15b3 device 0x1017, no driver", "modprobe -a mlx5_core mlx5_ib ib_umad"},
	},
	{
		"driver loaded, not bound", func(f *fixture) { f.adapter("0000:90:00.0", 0x15b3, 0x1003, "", ""); f.Mkdir("module/mlx4_core") },
		"warning driver\n",
		[]string{"echo 0000:90:00.0 >/sys/bus/pci/drivers/mlx4_core/bind"},
	},
	{
		"no driver known", func(f *fixture) { f.adapter("0000:90:00.0", 0x1234, 0x1003, "", "") },
		"warning driver\n",
		[]string{"modalias"},
	},
	{
		"no RDMA module", func(f *fixture) { f.adapter("0000:90:00.0", 0x15b3, 0x1017, "mlx5_core", "") },
		"warning driver\n",
		[]string{"the module mlx5_ib is not loaded", "modprobe -a mlx5_ib "},
	},
	{
		"RDMA turned off", func(f *fixture) {
			f.adapter("0000:90:00.0", 0x15b3, 0x1017, "mlx5_core", "")
			f.Mkdir("module/mlx5_ib")
		},
		"warning driver\n",
		[]string{"devlink dev param show pci/0000:90:00.0 name enable_rdma"},
	},
	{
		"given to a machine", func(f *fixture) { f.adapter("0000:90:00.0", 0x15b3, 0x1017, "vfio-pci", "") },
		"note driver\n",
		[]string{"is given to a virtual machine"},
	},
	{
		"an Ethernet adapter that is none of ours", func(f *fixture) {
			f.adapter("0000:91:00.0", 0x8086, 0x1592, "", "")
			f.Write("bus/pci/devices/0000:91:00.0/class", "0x020000")
		}, "", nil,
	},
	{
		"no device", func(f *fixture) {
			f.Remove("class/infiniband/mlx5_0")
			f.Remove("bus/pci/devices/0000:80:00.0/infiniband")
		},
		"failure driver\nfailure device\n",
		[]string{"/class/infiniband: no entries"},
	},
	{
		"software device", func(f *fixture) { f.Remove("bus") },
		"note adapter\n",
		[]string{"made by software"},
	},
	{
		"another device", func(f *fixture) { f.opt.Device = "mlx5_9" },
		"failure device mlx5_9\n",
		[]string{"seen mlx5_0"},
	},
	{
		"another port", func(f *fixture) { f.opt.Device, f.opt.Port = "mlx5_0", 2 },
		"failure device mlx5_0\n",
		[]string{"no port 2"},
	},
	{
		"unreadable", func(f *fixture) {
			for _, name := range []string{"state", "phys_state", "lid", "sm_lid"} {
				f.Remove(f.CAFile("mlx5_0", "ports/1/"+name))
			}
		},
		"warning device-read\n",
		[]string{"rdma: read mlx5_0 port 1 state", "/ports/1/state"},
	},
	{
		"no ib_umad", func(f *fixture) { f.Remove("class/infiniband_mad") },
		"failure umad-module\n",
		[]string{"modprobe -a ib_umad ", "/etc/modules-load.d/ib_umad.conf"},
	},
	{
		"old ABI", func(f *fixture) { f.Write("class/infiniband_mad/abi_version", "4") },
		"failure umad-abi\n",
		[]string{"version 4, which is too old", "uname -r"},
	},
	{
		"no ABI", func(f *fixture) { f.Remove("class/infiniband_mad/abi_version") },
		"failure umad-abi\n",
		[]string{"/class/infiniband_mad/abi_version: no such file or directory (ENOENT)"},
	},
	{
		"no ib_uverbs", func(f *fixture) { f.Remove("class/infiniband_verbs") },
		"warning verbs-module\n",
		[]string{"modprobe -a ib_uverbs "},
	},
	{
		"no uverbs file", func(f *fixture) { f.Remove("dev/infiniband/uverbs0") },
		"warning verbs-file mlx5_0\n",
		[]string{"--device=", "--subsystem-match=infiniband_verbs"},
	},
	{
		"no IPoIB", func(f *fixture) { f.Remove("module/ib_ipoib") },
		"note ipoib-module\n",
		[]string{"modprobe -a ib_ipoib "},
	},
	{
		"iWARP", func(f *fixture) { f.Write(f.CAFile("mlx5_0", "node_type"), "4: RNIC") },
		"warning link-layer\nnote node-type mlx5_0\n",
		[]string{"node type RNIC"},
	},
	{
		"locked memory", func(f *fixture) { f.limits("8388608", "0000000000000000") },
		"note memory-lock\n",
		[]string{"8 MiB", "limits.d", "LimitMEMLOCK=infinity"},
	},
	{
		"little locked memory", func(f *fixture) { f.limits("65536", "") },
		"warning memory-lock\n",
		[]string{"64 KiB"},
	},
	{
		"CAP_IPC_LOCK", func(f *fixture) { f.limits("65536", "0000000000004000") },
		"",
		[]string{"CapEff has CAP_IPC_LOCK"},
	},
	{
		"no procfs", func(f *fixture) { f.Remove("proc") }, "", nil,
	},
}

func TestHost(t *testing.T) {
	for _, test := range hostTests {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t, hca("mlx5_0", infiniBand(1)))
			test.make(f)
			expect(t, f.check(), test.want, test.words)
		})
	}
}

// expect compares what is not ok in a report, and looks for words.
func expect(t *testing.T, r *Report, want string, words []string) {
	t.Helper()
	text := all(r)
	if diff := cmp.Diff(want, lines(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s\n%s", diff, text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
	for _, f := range r.Findings {
		if f.Severity >= Warning && (len(f.Evidence) == 0 || len(f.Remedy) == 0) {
			t.Errorf("%s: a %v without evidence or remedy", f.Check, f.Severity)
		}
	}
}

func TestNoDevice(t *testing.T) {
	note, warning, failure := Finding{Severity: Note}, Finding{Severity: Warning, Text: "w"}, Finding{Severity: Failure, Text: "f"}
	last := Finding{Severity: Warning, Text: "last"}
	device := Finding{Severity: Failure, Check: Device, Text: "d"}
	for _, test := range []struct {
		findings []Finding
		want     string
	}{
		{nil, ""},
		{[]Finding{note, device, failure}, ""},
		{[]Finding{warning, last, device, failure}, "last"},
		{[]Finding{warning, failure, last, device}, "f"},
		{[]Finding{warning, note}, "w"},
	} {
		r := Report{Findings: test.findings}
		got := ""
		if f, ok := r.NoDevice(); ok {
			got = f.Text
		}
		if got != test.want {
			t.Errorf("%v: %q, want %q", test.findings, got, test.want)
		}
	}
}

func TestFirmware(t *testing.T) {
	a, b := hca("mlx5_0", infiniBand(1)), hca("mlx5_1", infiniBand(1))
	b.Firmware = "20.35.1012"
	f := newFixture(t, a, b)
	expect(t, f.check(), "note firmware\n", []string{"MT4123: 20.31.1014 on mlx5_0", "MT4123: 20.35.1012 on mlx5_1"})
	f.Write(f.CAFile("mlx5_0", "board_id"), "A")
	f.Write(f.CAFile("mlx5_1", "board_id"), "B")
	expect(t, f.check(), "", []string{"A: 20.31.1014 on mlx5_0"})
}

// TestNetNSMode speaks for the machine itself, so that netlink counts.
func TestNetNSMode(t *testing.T) {
	for _, test := range []struct {
		shared bool
		host   Host
		want   string
	}{{true, Host{}, "ok"}, {false, Host{}, "warning"}, {false, Host{Sys: "/somewhere"}, "none"}} {
		c := &checker{host: test.host, system: func(context.Context) (nldev.System, error) {
			return nldev.System{SharedNetNS: test.shared}, nil
		}}
		c.checkNetNSMode(t.Context())
		got := "none"
		if len(c.findings) == 1 {
			got = c.findings[0].Severity.String()
		}
		if got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestThisMachine runs on whatever is there: the report must make sense anyhow.
func TestThisMachine(t *testing.T) {
	r := Host{}.Check(t.Context(), &Options{Passive: true})
	if len(r.Findings) < 2 || r.Findings[0].Check != Adapter {
		t.Errorf("%s", all(r))
	}
}

// TestCanceled must not wait for the timeouts of a fabric that does not answer.
func TestCanceled(t *testing.T) {
	f := newFixture(t, hca("mlx5_0", infiniBand(1)))
	f.silent(f.start().Node().GUID(), 0)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	r := f.host().Check(ctx, &Options{Connect: f.connect, Timeout: time.Hour})
	if time.Since(start) > 10*time.Second || lines(r) != "warning smi mlx5_0/1\n" {
		t.Errorf("after %v:\n%s", time.Since(start), all(r))
	}
}

func TestNamesAreQuoted(t *testing.T) {
	ca := hca("a;reboot'", testenv.SysfsPort{Num: 1, State: "1: DOWN", PhysState: "2: Polling"})
	f := newFixture(t, ca)
	expect(t, f.check(), "failure port-link a;reboot'/1\n", []string{`mlxlink -d 'a;reboot'\''' -p 1`})
}

// TestDocumented makes sure that docs/doctor.md has all checks, in their order,
// and no others.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []Check
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			got = append(got, Check(name))
		}
	}
	if diff := cmp.Diff(Checks(), got); diff != "" {
		t.Errorf("docs/doctor.md (-Checks +document):\n%s", diff)
	}
}
