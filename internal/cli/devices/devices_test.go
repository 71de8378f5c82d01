package devices

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ibscope/ibscope/internal/testenv"
)

func TestGolden(t *testing.T) {
	for name, host := range hosts {
		sys := host(t).Root
		for output, w := range map[string]world{
			"txt": {sys: sys}, "80.txt": {sys: sys, columns: "80"}, "160.txt": {sys: sys, columns: "160"},
			"colour.txt": {sys: sys, terminal: true, columns: "160"},
		} {
			r := w.run(t)
			testenv.Golden(t, name+"."+output+".golden", []byte(r.stdout+"-- stderr\n"+r.stderr))
			wantCode := 0
			if name == "broken" {
				wantCode = 3
			}
			if r.code != wantCode {
				t.Errorf("%s: exit code %d: %s", name, r.code, r.stderr)
			}
		}
		r := world{sys: sys}.run(t, "-o", "json", "--counters")
		testenv.Golden(t, name+".json.golden", []byte(r.stdout))
	}
}

// TestWidth makes sure that lines fit and nothing is lost on narrow terminals.
func TestWidth(t *testing.T) {
	sys := infiniBandHost(t).Root
	for _, columns := range []int{60, 80, 100, 120, 160} {
		r := world{sys: sys, columns: strconv.Itoa(columns)}.run(t)
		for line := range strings.Lines(r.stdout) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("%d columns: a line of %d: %q", columns, n, line)
			}
		}
		for _, text := range []string{"MT_0000000223", "20.31.1014", "MT4123", "0x0002c90300001001"} {
			if n := strings.Count(r.stdout, text); n != 11 {
				t.Errorf("%d columns: %q stands there %d times", columns, text, n)
			}
		}
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestColour(t *testing.T) {
	sys := infiniBandHost(t).Root
	plain := world{sys: sys, columns: "160"}.run(t).stdout
	coloured := world{sys: sys, columns: "160", terminal: true}.run(t).stdout
	if escapes.ReplaceAllString(coloured, "") != plain {
		t.Errorf("colours move the text:\n%s", coloured)
	}
	for _, want := range []string{"\x1b[31mDown (Polling)\x1b[0m", "\x1b[33mInitialize\x1b[0m", "\x1b[33m1x EDR 25 Gb/s\x1b[0m", "\x1b[32mActive"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q", want)
		}
	}
	if got := (world{sys: sys, columns: "160", terminal: true, noColour: true}).run(t).stdout; got != plain {
		t.Error("NO_COLOR is not honoured")
	}
}

func TestHostile(t *testing.T) {
	for name, host := range hosts {
		sys := host(t).Root
		for _, args := range [][]string{{"--counters"}, {"-o", "json"}} {
			r := world{sys: sys}.run(t, args...)
			for _, c := range r.stdout + r.stderr {
				if !strconv.IsPrint(c) && c != '\n' {
					t.Errorf("%s %v: output has %U", name, args, c)
				}
			}
		}
	}
}

func TestCounters(t *testing.T) {
	r := world{sys: mixedHost(t).Root}.run(t, "--counters")
	for _, want := range []string{
		"\nmlx4_0 port 1: 4 counters, 1 of them 0\n",
		"  port_rcv_data    123456789 words = 493827156 bytes\n",
		"  symbol_error         65535 events (at its end: the true value may be higher)\n",
		"  out_of_sequence          7 ", "\nmlx4_0 port 2: no counters\n",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in\n%s", want, r.stdout)
		}
	}
	if strings.Contains(r.stdout, "port_xmit_wait") || r.code != 0 {
		t.Errorf("code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
}

func TestNoDevices(t *testing.T) {
	none := testenv.NewSysfs(t)
	none.Remove("class")
	noDriver := testenv.NewSysfs(t)
	noDriver.Write("bus/pci/devices/0000:82:00.0/vendor", "0x15b3")
	noDriver.Write("bus/pci/devices/0000:82:00.0/device", "0x101b")
	for _, test := range []struct{ name, sys, want string }{
		{"no RDMA", none.Root, "ibscope: no RDMA devices: The kernel has no RDMA"},
		{"no driver", noDriver.Root, "ibscope: no RDMA devices: The adapter at 0000:82:00.0 has no driver: it needs mlx5_core"},
		{"no adapter", testenv.NewSysfs(t).Root, "ibscope: no RDMA devices: No RDMA adapter is on the PCI bus"},
	} {
		r := world{sys: test.sys}.run(t)
		if r.code != 0 || r.stdout != "" || !strings.HasPrefix(r.stderr, test.want) {
			t.Errorf("%s: code %d, stdout %q, stderr %q", test.name, r.code, r.stdout, r.stderr)
		}
		r = world{sys: test.sys}.run(t, "-o", "json")
		if !strings.Contains(r.stdout, `"devices": []`) || !strings.Contains(r.stdout, `"complete": true`) || r.code != 0 {
			t.Errorf("%s: code %d, %s", test.name, r.code, r.stdout)
		}
	}
}

func TestUsage(t *testing.T) {
	if r := (world{sys: "/nonexistent"}).run(t, "-o", "xml"); r.code != 2 || !strings.Contains(r.stderr, "there are table, json") {
		t.Errorf("code %d, %s", r.code, r.stderr)
	}
}

// TestJSON reads the document back: what is known is there, what is not is absent.
func TestJSON(t *testing.T) {
	r := world{sys: mixedHost(t).Root}.run(t, "-o", "json", "--counters")
	var doc struct {
		Schema   string
		Version  int
		Complete bool
		Devices  []struct {
			Name  string
			Index *int
			NUMA  *int `json:"numa_node"`
			Ports []struct {
				Port     int
				LID      *int
				Umad     string
				NetDev   string
				Counters *struct{ List []struct{ Name string } }
				HW       *struct {
					Lifespan float64 `json:"lifespan_seconds"`
				} `json:"hw_counters"`
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Schema != schema || doc.Version != version || !doc.Complete || len(doc.Devices) != 3 {
		t.Fatalf("%+v", doc)
	}
	d := doc.Devices[1]
	if d.Name != "mlx4_0" || d.Index != nil || d.NUMA != nil || len(d.Ports) != 2 {
		t.Fatalf("%+v", d)
	}
	one, two := d.Ports[0], d.Ports[1]
	if one.LID == nil || *one.LID != 5 || one.Umad != "/dev/infiniband/umad0" || one.Counters == nil || one.HW == nil || one.HW.Lifespan != 0.01 {
		t.Errorf("%+v", one)
	}
	if two.LID != nil || two.NetDev != "enp65s0d1" || two.Counters != nil {
		t.Errorf("%+v", two)
	}
}
