package hostfs

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/sim"
	"github.com/ibscope/ibscope/sim/fuse"
	"github.com/ibscope/ibscope/sim/gen"
)

// newHost makes a machine of nodes of a generated fabric.
func newHost(t *testing.T, generator string, names ...string) *Host {
	t.Helper()
	f, err := gen.Parse(generator)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var nodes []*fabric.Node
	for n := range f.Nodes() {
		for _, name := range names {
			if strings.HasPrefix(n.Description(), name) {
				nodes = append(nodes, n)
			}
		}
	}
	h, err := New(s, nodes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// read reads the text at a path.
func read(t *testing.T, root *fuse.Node, path string) string {
	t.Helper()
	n := root.Find(strings.Split(path, "/")...)
	if n == nil {
		t.Errorf("%s is not there", path)
		return ""
	}
	text, errno := n.Read()
	if errno != 0 {
		t.Errorf("%s: %v", path, errno)
	}
	return strings.TrimSuffix(text, "\n")
}

func TestTree(t *testing.T) {
	tree := newHost(t, "star?hosts=3&speed=ndr", "node0001", "node0003").Tree()
	if diff := cmp.Diff([]string{"umad0", "issm0", "umad1", "issm1"}, tree.Find(Devices).Names()); diff != "" {
		t.Errorf("devices (-want +got)\n%s", diff)
	}
	second := Class + "/mlx5_1/"
	for path, want := range map[string]string{
		Class + "/mlx5_0/node_type":          "1: CA",
		Class + "/mlx5_0/node_desc":          "node0001 mlx5_0",
		second + "node_desc":                 "node0003 mlx5_0",
		second + "node_guid":                 "b83f:d203:0000:0010",
		second + "sys_image_guid":            "b83f:d203:0000:0010",
		second + "hca_type":                  "MT4129",
		second + "fw_ver":                    "0.0.0",
		second + "ports/1/state":             "4: ACTIVE",
		second + "ports/1/phys_state":        "5: LinkUp",
		second + "ports/1/rate":              "400 Gb/sec (4X NDR)",
		second + "ports/1/lid":               "0x4",
		second + "ports/1/lid_mask_count":    "0",
		second + "ports/1/sm_lid":            "0x2",
		second + "ports/1/sm_sl":             "0",
		second + "ports/1/link_layer":        "InfiniBand",
		second + "ports/1/gids/0":            "fe80:0000:0000:0000:b83f:d203:0000:0010",
		second + "ports/1/pkeys/0":           "0xffff",
		second + "ports/1/pkeys/127":         "0x0000",
		second + "ports/1/gid_attrs/types/0": "IB/RoCE v1",
		MAD + "/abi_version":                 "5",
		MAD + "/umad1/ibdev":                 "mlx5_1",
		MAD + "/umad1/port":                  "1",
		MAD + "/umad1/dev":                   "231:1",
		MAD + "/issm1/dev":                   "231:65",
		Verbs + "/abi_version":               "6",
		Verbs + "/uverbs1/ibdev":             "mlx5_1",
		Verbs + "/uverbs1/dev":               "231:193",
	} {
		if got := read(t, tree, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestSubnetManager: a client that has issm open shows in the port's
// capability mask, for as long.
func TestSubnetManager(t *testing.T) {
	h := newHost(t, "star?hosts=2", "node0002")
	tree := h.Tree()
	const path = Class + "/mlx5_0/ports/1/cap_mask"
	before := read(t, tree, path)
	handle, errno := h.adapters[0].ports[0].issm.Open(t.Context(), false, nil)
	if errno != 0 {
		t.Fatal(errno)
	}
	during := read(t, tree, path)
	handle.Close()
	if after := read(t, tree, path); before == during || before != after || !strings.HasSuffix(during, "a") {
		t.Errorf("cap_mask %s, %s, %s", before, during, after)
	}
}

func TestSwitch(t *testing.T) {
	tree := newHost(t, "star?hosts=2", "MF0").Tree()
	if got := read(t, tree, Class+"/mlx5_0/node_type"); got != "2: switch" {
		t.Error(got)
	}
	if diff := cmp.Diff([]string{"0"}, tree.Find(Class, "mlx5_0", "ports").Names()); diff != "" {
		t.Error(diff)
	}
	if got := read(t, tree, MAD+"/umad0/port"); got != "0" {
		t.Errorf("port %s", got)
	}
}

func TestRate(t *testing.T) {
	for _, tt := range []struct {
		width ib.LinkWidth
		speed ib.LinkSpeed
		want  string
	}{
		{ib.Width1x, ib.SpeedSDR, "2.5 Gb/sec (1X SDR)"},
		{ib.Width4x, ib.SpeedSDR, "10 Gb/sec (4X SDR)"},
		{ib.Width12x, ib.SpeedSDR, "30 Gb/sec (12X SDR)"},
		{ib.Width4x, ib.SpeedDDR, "20 Gb/sec (4X DDR)"},
		{ib.Width4x, ib.SpeedQDR, "40 Gb/sec (4X QDR)"},
		{ib.Width4x, ib.SpeedFDR10, "40 Gb/sec (4X FDR10)"},
		{ib.Width1x, ib.SpeedFDR, "14 Gb/sec (1X FDR)"},
		{ib.Width4x, ib.SpeedFDR, "56 Gb/sec (4X FDR)"},
		{ib.Width8x, ib.SpeedFDR, "112 Gb/sec (8X FDR)"},
		{ib.Width1x, ib.SpeedEDR, "25 Gb/sec (1X EDR)"},
		{ib.Width4x, ib.SpeedEDR, "100 Gb/sec (4X EDR)"},
		{ib.Width2x, ib.SpeedHDR, "100 Gb/sec (2X HDR)"},
		{ib.Width4x, ib.SpeedHDR, "200 Gb/sec (4X HDR)"},
		{ib.Width4x, ib.SpeedNDR, "400 Gb/sec (4X NDR)"},
		{ib.Width4x, ib.SpeedXDR, "800 Gb/sec (4X XDR)"},
		{ib.Width12x, ib.SpeedXDR, "2400 Gb/sec (12X XDR)"},
		{ib.Width4x, 1 << 12, "10 Gb/sec (4X SDR)"}, // not known to the kernel
	} {
		if got, ok := rate(tt.width, tt.speed); !ok || got != tt.want {
			t.Errorf("%s%s: %q, want %q", tt.width, tt.speed, got, tt.want)
		}
	}
	if got, ok := rate(0, ib.SpeedEDR); ok {
		t.Errorf("no width: %q", got)
	}
}

// TestGeneratedRates: each generation of hardware has its speed in sysfs.
func TestGeneratedRates(t *testing.T) {
	for speed, want := range map[string]string{
		"sdr": "10 Gb/sec (4X SDR)", "ddr": "20 Gb/sec (4X DDR)", "qdr": "40 Gb/sec (4X QDR)", "fdr10": "40 Gb/sec (4X FDR10)",
		"fdr": "56 Gb/sec (4X FDR)", "edr": "100 Gb/sec (4X EDR)", "hdr": "200 Gb/sec (4X HDR)", "ndr": "400 Gb/sec (4X NDR)",
		"xdr": "800 Gb/sec (4X XDR)",
	} {
		h := newHost(t, "star?hosts=2&speed="+speed, "node0001")
		if got := read(t, h.Tree(), Class+"/"+h.Names()[0]+"/ports/1/rate"); got != want {
			t.Errorf("%s: %q, want %q", speed, got, want)
		}
	}
}

func TestStates(t *testing.T) {
	for s, want := range []string{"0: NOP", "1: DOWN", "2: INIT", "3: ARMED", "4: ACTIVE", "5: ACTIVE_DEFER", "6: UNKNOWN"} {
		if got := portState(ib.PortState(s)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for s, want := range []string{
		"0: <unknown>", "1: Sleep", "2: Polling", "3: Disabled", "4: PortConfigurationTraining",
		"5: LinkUp", "6: LinkErrorRecovery", "7: Phy Test", "8: <unknown>",
	} {
		if got := physState(ib.PhysState(s)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// hosts is a fabric of adapters with the given descriptions and system images.
func hosts(t *testing.T, images map[string]ib.GUID) *fabric.Fabric {
	t.Helper()
	b := fabric.NewBuilder()
	guid := ib.GUID(0x100)
	for _, name := range []string{"alpha mlx5_10", "alpha mlx5_2", "beta HCA-1", "beta HCA-2", "MT4119 ConnectX5 Technologies", "MT4119 ConnectX6 Technologies", "gamma"} {
		info := smp.NodeInfo{NodeType: ib.NodeCA, NumPorts: 2, NodeGUID: guid, PortGUID: guid + 1, SystemImageGUID: images[name]}
		guid += 0x10
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], name)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
	}
	return b.Build()
}

func TestSiblings(t *testing.T) {
	f := hosts(t, map[string]ib.GUID{"gamma": 9, "beta HCA-2": 9})
	for name, want := range map[string][]string{
		"alpha mlx5_10":                 {"alpha mlx5_10", "alpha mlx5_2"},
		"beta HCA-1":                    {"beta HCA-1", "beta HCA-2"},
		"beta HCA-2":                    {"beta HCA-2", "beta HCA-1", "gamma"},
		"MT4119 ConnectX5 Technologies": {"MT4119 ConnectX5 Technologies"},
	} {
		for n := range f.CAs() {
			if n.Description() != name {
				continue
			}
			var got []string
			for _, s := range Siblings(f, n) {
				got = append(got, s.Description())
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", name, diff)
			}
		}
	}
}

func TestAdapters(t *testing.T) {
	f := hosts(t, nil)
	s, err := sim.New(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []*fabric.Node
	for n := range f.CAs() {
		all = append(all, n)
	}
	h, err := New(s, all)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	want := []string{"mlx5_10", "mlx5_2", "mlx5_0", "mlx5_1", "mlx5_3", "mlx5_4", "mlx5_5"}
	if diff := cmp.Diff(want, h.Names()); diff != "" {
		t.Errorf("names (-want +got)\n%s", diff)
	}
	if got := len(h.Tree().Find(Devices).Names()); got != 28 {
		t.Errorf("%d device files for 14 ports", got)
	}
	for name, nodes := range map[string][]*fabric.Node{"none": nil, "twice": {all[0], all[0]}} {
		if _, err := New(s, nodes); !errors.Is(err, os.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnreadable(t *testing.T) {
	n := computed("x", func() (string, bool) { return "", false })
	if _, errno := n.Read(); errno != syscall.EINVAL {
		t.Error(errno)
	}
}
