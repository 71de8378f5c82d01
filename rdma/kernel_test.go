package rdma

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/internal/testenv"
)

// kernelDevices lists the devices of this machine; without any, the test needs a
// machine as internal/lab boots one.
func kernelDevices(t *testing.T) []*Device {
	t.Helper()
	if entries, _ := os.ReadDir("/sys/class/infiniband"); len(entries) == 0 {
		t.Skip("this machine has no RDMA devices")
	}
	devices, err := Devices()
	if err != nil {
		t.Errorf("problems: %v", err)
	}
	return devices
}

func run(t *testing.T, tool string, args ...string) string {
	t.Helper()
	out, err := exec.Command(testenv.Tool(t, tool), args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return string(out)
}

// TestKernelRdmaDev compares with the tool rdma: names, indexes, types, GUIDs.
func TestKernelRdmaDev(t *testing.T) {
	devices := kernelDevices(t)
	var want []struct {
		Index     int    `json:"ifindex"`
		Name      string `json:"ifname"`
		NodeType  string `json:"node_type"`
		NodeGUID  string `json:"node_guid"`
		ImageGUID string `json:"sys_image_guid"`
	}
	if err := json.Unmarshal([]byte(run(t, "rdma", "-j", "dev")), &want); err != nil {
		t.Fatal(err)
	}
	for _, sources := range []string{"both", "netlink", "sysfs"} {
		var lines, got []string
		for _, w := range want {
			if sources == "sysfs" {
				w.Index = -1
			}
			lines = append(lines, fmt.Sprintln(w.Index, w.Name, w.NodeType, w.NodeGUID, w.ImageGUID))
		}
		if sources != "both" {
			devices = only(t, sources)
		}
		for _, d := range devices {
			got = append(got, fmt.Sprintln(d.Index, d.Name, strings.ToLower(d.NodeType.String()), colons(uint64(d.NodeGUID)), colons(uint64(d.SystemImageGUID))))
		}
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("%s: -rdma +ours:\n%s", sources, diff)
		}
	}
}

// only lists the devices by one source.
func only(t *testing.T, source string) []*Device {
	t.Helper()
	h := Host{Sys: t.TempDir(), NetNS: "/proc/self/ns/net"}
	if source == "sysfs" {
		h = Host{Sys: "/sys/../sys/."} // Clean makes it the default
		var f faults
		devices, err := h.sysfsDevices(context.Background(), &f)
		if err != nil || f.err() != nil {
			t.Errorf("sysfs alone: %v, %v", err, f.err())
		}
		slices.SortFunc(devices, ByName)
		return devices
	}
	devices, err := h.Devices(context.Background())
	if err != nil {
		t.Errorf("netlink alone: %v", err)
	}
	for _, d := range devices {
		if d.UverbsName == "" || d.Ports[0].UmadName == "" {
			t.Errorf("%s: no device files by netlink: %+v", d.Name, d)
		}
		if c, err := d.Ports[0].HWCounters(context.Background()); err != nil || len(c.List) == 0 {
			t.Errorf("%s: counters by netlink: %v, %v", d.Name, c, err)
		}
	}
	return devices
}

func colons(guid uint64) string {
	s := fmt.Sprintf("%016x", guid)
	return s[:4] + ":" + s[4:8] + ":" + s[8:12] + ":" + s[12:]
}

// TestKernelVerbs compares with ibv_devices: names, GUIDs, and the order.
func TestKernelVerbs(t *testing.T) {
	devices := kernelDevices(t)
	slices.SortFunc(devices, ByIndex)
	var want, got []string
	for line := range strings.Lines(run(t, "ibv_devices")) {
		if f := strings.Fields(line); len(f) == 2 && f[0] != "device" && !strings.HasPrefix(f[0], "-") {
			want = append(want, f[0]+" "+f[1])
		}
	}
	for _, d := range devices {
		got = append(got, fmt.Sprintf("%s %016x", d.Name, uint64(d.NodeGUID)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-ibv_devices +ours:\n%s", diff)
	}
}

// TestKernelTables reads the tables and counters of all ports.
func TestKernelTables(t *testing.T) {
	ctx := context.Background()
	for _, d := range kernelDevices(t) {
		for _, path := range []string{d.UverbsPath(), d.Ports[0].UmadPath(), d.Ports[0].IssmPath()} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
		for _, p := range d.Ports {
			gids, err1 := p.GIDs(ctx)
			pkeys, err2 := p.PKeys(ctx)
			counters, err3 := p.Counters(ctx)
			hw, err4 := p.HWCounters(ctx)
			for _, err := range []error{err1, err2, err3, err4} {
				if err != nil {
					t.Errorf("%s port %d: %v", d.Name, p.Num, err)
				}
			}
			if len(gids) == 0 || gids[0].GID != p.DefaultGID {
				t.Errorf("%s port %d: GIDs %v, default %v", d.Name, p.Num, gids, p.DefaultGID)
			}
			t.Logf("%+v\n%+v\ngids %+v\npkeys %v\ncounters %+v\nhw %+v", d, p, gids, pkeys, counters, hw)
		}
	}
}
