package topology_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/topology"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

func TestParseDescription(t *testing.T) {
	for _, test := range []struct{ text, host, device string }{
		{"node7 mlx5_0", "node7", "mlx5_0"},
		{"node7 mlx5_1 ", "node7", "mlx5_1"},
		{"node7  HCA-12", "node7", "HCA-12"},
		{"node7.cluster.example hfi1_0", "node7.cluster.example", "hfi1_0"},
		{"node7 ibp11s0f0", "node7", "ibp11s0f0"},
		{"node7 mlx5_0 vf3", "node7", "mlx5_0 vf3"},
		{"node7", "node7", ""},
		{"Hca0", "Hca0", ""},
		{"mlx5_0", "", ""}, // no name of a machine
		{"MT4123 ConnectX6   Mellanox Technologies", "", ""},
		{"MT25408 ConnectX Mellanox Technologies", "", ""},
		{"Mellanox Technologies Aggregation Node", "", ""},
		{"SUN IB QDR GW switch gw1 10.0.0.1 Bridge 0", "", ""},
		{"", "", ""},
		{"  ", "", ""},
	} {
		host, device := topology.ParseDescription(test.text)
		if host != test.host || device != test.device {
			t.Errorf("ParseDescription(%q) = %q, %q, want %q, %q", test.text, host, device, test.host, test.device)
		}
	}
}

func FuzzParseDescription(f *testing.F) {
	for _, text := range []string{"node7 mlx5_0", "node7 mlx5_0 vf3", "MT4123 ConnectX6", "\x1b[31m \" \xff", " ", "a b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		host, device := topology.ParseDescription(text)
		if strings.ContainsAny(host, " \t\n") || host == "" && device != "" || !strings.Contains(text, host) {
			t.Errorf("ParseDescription(%q) = %q, %q", text, host, device)
		}
	})
}

// card is an adapter for a test.
type card struct {
	guid, image ib.GUID
	description string
	device      uint16
}

// rack puts adapters on a switch with 40 ports and one more.
func rack(cards ...card) *fabric.Fabric {
	b := fabric.NewBuilder()
	add := func(typ ib.NodeType, ports uint8, c card) *fabric.Node {
		info := smp.NodeInfo{NodeType: typ, NumPorts: ports, NodeGUID: c.guid, PortGUID: c.guid, SystemImageGUID: c.image, VendorID: 0x2c9, DeviceID: c.device}
		var raw, desc [mad.DataSize]byte
		info.Encode(&raw)
		copy(desc[:], c.description)
		n := b.AddNode(&raw)
		b.SetDescription(n, &desc)
		return n
	}
	sw := add(ib.NodeSwitch, 41, card{0x9000, 0x9000, "switch", 0xd2f0})
	for i, c := range cards {
		num := i + 1
		if c.description == "last" {
			num, c.description = 41, "whatever"
		}
		b.Link(b.Port(sw, num), b.Port(add(ib.NodeCA, 1, c), 1))
	}
	return b.Build()
}

// hostsOf is what a test compares: "name by: devices".
func hostsOf(top *topology.Topology) (list []string) {
	for _, h := range top.Hosts {
		var devices []string
		for _, hca := range h.HCAs {
			devices = append(devices, hca.Device)
		}
		list = append(list, fmt.Sprintf("%s %s: %s", h.Name, h.By, strings.Join(devices, ",")))
	}
	return list
}

func TestHosts(t *testing.T) {
	top := topology.Classify(rack(
		card{0x10, 0x10, "a mlx5_10", 0x101b},
		card{0x20, 0x20, "MT4123 ConnectX6   Mellanox Technologies", 0x101b}, // nothing names it
		card{0x11, 0x11, "a mlx5_2", 0x101b},
		card{0x13, 0x11, "MT4123 ConnectX6   Mellanox Technologies", 0x101b}, // the card of a mlx5_2
		card{0x30, 0x30, "localhost mlx5_0", 0x101b},
		card{0x31, 0x30, "localhost mlx5_1", 0x101b},
		card{0x40, 0x40, "localhost mlx5_0", 0x101b}, // another machine
		card{0x50, 0x50, "b mlx5_0", 0x101b},
		card{0x51, 0x50, "c mlx5_0", 0x101b}, // one card in two machines
		card{0x60, 0x60, "d HCA-1", 0x101b},
		card{0x70, 0x70, "d HCA-1", 0x101b}, // two machines with one name
	), nil)
	want := []string{
		"a name: ,mlx5_2,mlx5_10", " node: ", "localhost system-image: mlx5_0,mlx5_1", "localhost node: mlx5_0",
		"b name: mlx5_0", "c name: mlx5_0", "d name: HCA-1,HCA-1",
	}
	if d := cmp.Diff(want, hostsOf(top)); d != "" {
		t.Error(d)
	}
	wantProblems := []topology.Problem{
		{Kind: topology.ImageShared, Hosts: []int{5, 6}, GUIDs: []ib.GUID{0x50, 0x51}, Detail: `system image GUID 0x0000000000000050 is in hosts "b" and "c"`},
		{Kind: topology.DeviceTwice, Hosts: []int{7}, GUIDs: []ib.GUID{0x60, 0x70}, Detail: `host "d" has two adapters "HCA-1"`},
	}
	if d := cmp.Diff(wantProblems, top.Problems); d != "" {
		t.Error(d)
	}
}

func TestRolesOfAdapters(t *testing.T) {
	f := rack(
		card{0x10, 0x10, "node1 mlx5_0", 0x101b},
		card{0x11, 0x11, "oss-03 mlx5_0", 0x101b},
		card{0x12, 0x12, "pg-compute-ufm1 HCA-1", 0x101b},
		card{0x13, 0x13, "SUN IB QDR GW switch gw1 10.0.0.1 Bridge 0", 0x101b},
		card{0x14, 0x14, "Mellanox Technologies Aggregation Node", 0x101b},
		card{0x15, 0x15, "x", 0xd2f1},
		card{0x9008, 0x9000, "last", 0x101b},
		card{0x17, 0x17, "MT4123 ConnectX6   Mellanox Technologies", 0x101b},
		card{0x18, 0x18, "ossian mlx5_0", 0x101b}, // no word of its own
	)
	top := topology.Classify(f, nil)
	want := []string{
		"leaf hosts ", "host node-type ", "storage name oss", "management name ufm", "gateway name GW",
		"aggregation description ", "aggregation device-id ", "aggregation last-port ", "host node-type ", "host node-type ",
	}
	var got []string
	for _, p := range top.Places {
		got = append(got, fmt.Sprintf("%s %s %s", p.Role, p.Reason.Evidence, p.Reason.Word))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(top.Hosts) != 6 || top.Parts[0].Adapters != 6 {
		t.Errorf("%d hosts, %d adapters", len(top.Hosts), top.Parts[0].Adapters)
	}
}

// TestHostileNames gives all nodes names that break things.
func TestHostileNames(t *testing.T) {
	bad := []string{"\x1b[2J", "\"; DROP", "a\nb mlx5_0", "\xff\xfe mlx5_1", strings.Repeat("x", 64), "MF0;", "/U1", "mlx5_", "leaf", strings.Repeat("9", 60) + " HCA-1"}
	i := 0
	f := damage(generate(t, "gpupod?units=2&hosts=8&radix=16"), 0, 0, func(*fabric.Node) string { i++; return bad[i%len(bad)] })
	top := topology.Classify(f, nil)
	if top.Kind != topology.FatTree || len(top.Parts[0].Tiers) != 2 || top.Parts[0].Adapters != 128 {
		t.Errorf("names changed the shape: %s", shape(top))
	}
	adapters := 0
	for _, h := range top.Hosts {
		adapters += len(h.HCAs)
	}
	if adapters != 128 {
		t.Errorf("%d adapters are in hosts", adapters)
	}
}

// TestOddFabrics classifies what is hardly a fabric.
func TestOddFabrics(t *testing.T) {
	if got := shape(topology.Classify(fabric.NewBuilder().Build(), nil)); got != "0 hosts" {
		t.Errorf("nothing: %s", got)
	}
	loop := rack()
	top := topology.Classify(loop, &topology.Options{CollapseChassis: true})
	if top.Kind != topology.SingleSwitch || top.Places[0].Tier != 1 {
		t.Errorf("a switch alone: %+v", top)
	}
	// Two trees that meet at one leaf, and a triangle: no shape at all.
	f := irregular()
	top = topology.Classify(f, nil)
	if top.Kind != topology.Irregular || top.Parts[0].Misfits == 0 || len(top.Parts[0].Odd) == 0 {
		t.Errorf("irregular: %s, %+v", shape(top), top.Parts[0])
	}
	if tiers := []int{top.Places[0].Tier, top.Places[3].Tier, top.Places[5].Tier}; !slices.Equal(tiers, []int{1, 2, 3}) {
		t.Errorf("tiers by distance: %v", tiers)
	}
}

// irregular is six switches: two with a host each, that are joined; two above them
// that are joined; two above these that are joined.
func irregular() *fabric.Fabric {
	b := fabric.NewBuilder()
	var list []*fabric.Node
	add := func(typ ib.NodeType) *fabric.Node {
		guid := ib.GUID(len(list) + 1)
		info := smp.NodeInfo{NodeType: typ, NumPorts: 8, NodeGUID: guid, PortGUID: guid, SystemImageGUID: guid, VendorID: 0x2c9}
		var raw [mad.DataSize]byte
		info.Encode(&raw)
		n := b.AddNode(&raw)
		list = append(list, n)
		return n
	}
	for range 6 {
		add(ib.NodeSwitch)
	}
	next := map[*fabric.Node]int{}
	join := func(x, y *fabric.Node) {
		next[x]++
		next[y]++
		b.Link(b.Port(x, next[x]), b.Port(y, next[y]))
	}
	s := list[:6:6]
	for _, e := range [][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {2, 4}, {3, 5}, {4, 5}, {2, 5}} {
		join(s[e[0]], s[e[1]])
	}
	join(add(ib.NodeCA), s[0])
	join(add(ib.NodeCA), s[1])
	return b.Build()
}

func TestPortLabel(t *testing.T) {
	for _, test := range []struct {
		text string
		num  int
		want string
	}{
		{"fattree?levels=1&radix=64&speed=ndr&sharp=yes", 18, "1/9/2"},
		{"fattree?levels=1&radix=128&speed=ndr&split=yes&sharp=yes&hosts=128", 34, "1/9/1/2"},
		{"fattree?levels=1&radix=128&speed=ndr&split=yes&sharp=yes&hosts=128&width=4x", 33, "1/9/1"},
		{"fattree?levels=1&radix=80&split=yes&sharp=yes", 34, "17/2"},
		{"fattree?levels=1&radix=40&sharp=yes", 34, "34"},
	} {
		for sw := range generate(t, test.text).Switches() {
			if got := topology.PortLabel(sw.Port(test.num)); got != test.want {
				t.Errorf("%s, port %d: %q, want %q", test.text, test.num, got, test.want)
			}
		}
	}
}
