package anonymize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/fabric/anonymize"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
)

// TestDescription: the shape of names stays, and the names go.
func TestDescription(t *testing.T) {
	for _, tt := range []struct{ was, want, hidden string }{
		{"node-001 mlx5_0", "host-1 mlx5_0", "host-1 mlx5_0"},
		{"node-002 mlx5_1", "host-2 mlx5_1", "host-2 mlx5_1"},
		{"node-117 HCA-1", "host-4 HCA-1", "host-4 HCA-1"},
		{"node-17 HCA-1", "host-3 HCA-1", "host-3 HCA-1"},
		{"gpu3rack12.example.com HCA-2", "hostb-1-2 HCA-2", "hostb-1-2 HCA-2"},
		{"gpu4rack9.example.com ibp11s0f0", "hostb-2-1 ibp11s0f0", "hostb-2-1 ibp11s0f0"},
		{"login", "hostc", "hostc"},
		{"MT4119 ConnectX5   Mellanox Technologies", "MT4119 ConnectX5   Mellanox Technologies", "hostd"},
		{"", "", ""},
		{"mlx5_0", "hostd", "hoste"},
		{"MF0;leaf01:MQM8700/U1", "MF0;switch-1:MQM8700/U1", "switch-1"},
		{"MF0;leaf02:MCS8500/L01/U2", "MF0;switch-2:MCS8500/L01/U2", "switch-2"},
		{"MF0;core:Q3400_RA/U2/RT", "MF0;switchb:Q3400_RA/U2/RT", "switchb"},
		{"MF0;leaf09:secret place", "MF0;switch-3", "switch-3"},
		{"MF0;:secret", "MF0;", ""},
		{"Voltaire 4036 # 4036-8C5C", "Voltaire switchc", "switchc"},
		{"QLogic 12800-180 GUID=0x00066a00e8001310 L112", "QLogic switchd", "switchd"},
		{"Mellanox Technologies Aggregation Node", "Mellanox Technologies Aggregation Node", "hostf"},
		{"node-00\xff1 \x1b[31m", "hoste", "hostg"},
	} {
		for _, hide := range []bool{false, true} {
			m := anonymize.New(nil, &anonymize.Options{HideVendors: hide}, described())
			want := tt.want
			if hide {
				want = tt.hidden
			}
			if got := m.Description(tt.was); got != want {
				t.Errorf("%q becomes %q, want %q", tt.was, got, want)
			}
		}
	}
	m := anonymize.New(nil, nil, described())
	if got := m.Description("other7 mlx5_0"); got != "unknown mlx5_0" {
		t.Errorf("a name that was not learned becomes %q", got)
	}
}

// described has nodes with the descriptions of TestDescription.
func described() *fabric.Fabric {
	b := fabric.NewBuilder()
	for i, text := range []string{
		"node-001 mlx5_0", "node-002 mlx5_1", "node-117 HCA-1", "node-17 HCA-1", "gpu3rack12.example.com HCA-2",
		"gpu4rack9.example.com ibp11s0f0", "login", "MT4119 ConnectX5   Mellanox Technologies", "mlx5_0",
		"Mellanox Technologies Aggregation Node", "node-00\xff1 \x1b[31m",
		"MF0;leaf01:MQM8700/U1", "MF0;leaf02:MCS8500/L01/U2", "MF0;core:Q3400_RA/U2/RT", "MF0;leaf09:secret place",
		"Voltaire 4036 # 4036-8C5C", "QLogic 12800-180 GUID=0x00066a00e8001310 L112", "MF0;:secret",
	} {
		typ := ib.NodeCA
		if i > 10 {
			typ = ib.NodeSwitch
		}
		n := b.AddNode(node(typ, 1, 0, ib.GUID(i+1), ib.GUID(i+1)))
		describe(b, n, text)
	}
	return b.Build()
}

func describe(b *fabric.Builder, n *fabric.Node, text string) {
	var desc [mad.DataSize]byte
	copy(desc[:], text)
	b.SetDescription(n, &desc)
}

func node(t ib.NodeType, ports uint8, vendor uint32, guid, system ib.GUID) *[mad.DataSize]byte {
	info := smp.NodeInfo{
		BaseVersion: 1, ClassVersion: 1, NodeType: t, NumPorts: ports, SystemImageGUID: system,
		NodeGUID: guid, PortGUID: guid, VendorID: vendor, DeviceID: 0xcf08, Revision: 0xa1,
	}
	if t == ib.NodeCA {
		info.PortGUID++
	}
	var data [mad.DataSize]byte
	info.Encode(&data)
	return &data
}

// random is a fabric of hosts of several ports on switches, with LMCs.
func random(r *rand.Rand, lmc uint8) *fabric.Fabric {
	b := fabric.NewBuilder()
	lid := ib.LID(1 + r.IntN(1000))
	set := func(n *fabric.Node, num int, lmc uint8) *fabric.Port {
		p := b.Port(n, num)
		lid = (lid + 1<<lmc - 1) &^ (1<<lmc - 1)
		info := smp.PortInfo{MKey: r.Uint64(), GIDPrefix: 0xfe80<<48 + r.Uint64N(2)*99, LID: lid, LMC: lmc, SMLID: 7, State: 4}
		lid += 1 << lmc
		var data [mad.DataSize]byte
		info.Encode(&data)
		b.SetPortInfo(p, &data)
		return p
	}
	vendors := []uint32{0x0002c9, 0x00066a, 0x0008f1, 0x001397}
	var switches, hosts []*fabric.Node
	for i := range 6 {
		vendor := vendors[r.IntN(len(vendors))]
		guid := ib.GUID(vendor)<<40 | ib.GUID(r.Uint64N(1<<38))
		sw := b.AddNode(node(ib.NodeSwitch, 8, vendor, guid, guid+ib.GUID(r.IntN(2))))
		describe(b, sw, fmt.Sprintf("MF0;secretleaf%d:MQM8700/U1", 70+i))
		set(sw, 0, 0)
		switches = append(switches, sw)
	}
	for i := range 20 {
		guid := 0x0002c903<<32 | ib.GUID(r.Uint64N(1<<32))
		ca := b.AddNode(node(ib.NodeCA, 2, 0x0002c9, guid, guid+3))
		describe(b, ca, fmt.Sprintf("secretnode%04d.example.org mlx5_%d", 700+i/2, i%2))
		for num := 1; num <= 2; num++ {
			b.SetPortGUID(set(ca, num, lmc), guid+ib.GUID(num))
		}
		b.Link(b.Port(ca, 1), b.Port(switches[i%len(switches)], 1+i/len(switches)))
		hosts = append(hosts, ca)
	}
	for _, sw := range switches {
		table := make([]uint8, int(lid)+r.IntN(5))
		for i := range table {
			table[i] = uint8(r.IntN(9))
			if r.IntN(4) == 0 {
				table[i] = smp.NoPort
			}
		}
		b.SetLFT(sw, table)
		info := smp.SwitchInfo{LinearFDBCap: 48 << 10, LinearFDBTop: uint16(lid) - 1}
		var data [mad.DataSize]byte
		info.Encode(&data)
		b.SetSwitchInfo(sw, &data)
	}
	b.SetStart(b.Port(hosts[0], 1))
	b.SetSweep(fabric.Sweep{Source: "sim:secretfile"})
	b.AddProblem(fabric.Problem{
		Kind: fabric.BadStatus, GUID: hosts[1].GUID(), Port: 1, Target: mad.ByLID(7), File: "secretfile:1",
		Detail: "secretnode0700", Err: fmt.Errorf("secret: %w", mad.StatusUnsupportedAttr),
	})
	return b.Build()
}

// check holds the two fabrics against each other.
func check(t *testing.T, m *anonymize.Mapping, f, got *fabric.Fabric, hidden bool) {
	t.Helper()
	var nodes []*fabric.Node
	for n := range got.Nodes() {
		nodes = append(nodes, n)
	}
	lids := map[ib.LID]bool{}
	for n := range f.Nodes() {
		g := nodes[n.Index()]
		if n.GUID() == g.GUID() || g.GUID() != m.GUID(n.GUID()) || n.Type() != g.Type() || n.NumPorts() != g.NumPorts() {
			t.Errorf("node %v became %v", n.GUID(), g.GUID())
		}
		if !hidden && n.GUID()>>40 != g.GUID()>>40 || hidden == (n.Info().VendorID == g.Info().VendorID) || hidden == (n.Info().DeviceID == g.Info().DeviceID) {
			t.Errorf("node %v: vendor of %v", n.GUID(), g.GUID())
		}
		if n.Info().SystemImageGUID-n.GUID() != g.Info().SystemImageGUID-g.GUID() || n.Info().PortGUID-n.GUID() != g.Info().PortGUID-g.GUID() || n.GUID()&7 != g.GUID()&7 {
			t.Errorf("node %v: GUIDs of %v are not as far apart as before", n.GUID(), g.GUID())
		}
		if (n.Chassis() == nil) != (g.Chassis() == nil) {
			t.Errorf("node %v: another chassis", n.GUID())
		}
		for p := range n.Ports() {
			q := g.Port(p.Num())
			if q.LMC() != p.LMC() || q.LID()&(1<<q.LMC()-1) != 0 || q.LID() != m.LID(p.LID()) || q.GUID()-g.GUID() != p.GUID()-n.GUID() {
				t.Errorf("port %v: LID %d LMC %d became %d", p.GUID(), p.LID(), p.LMC(), q.LID())
			}
			if (p.Remote() == nil) != (q.Remote() == nil) || q.Remote() != nil && q.Remote().Node().Index() != p.Remote().Node().Index() {
				t.Errorf("port %v: another link", p.GUID())
			}
			info, _ := q.Info()
			if info.MKey != 0 || info.GIDPrefix == 0xfe80<<48+99 {
				t.Errorf("port %v: M_Key %x, prefix %x", p.GUID(), info.MKey, info.GIDPrefix)
			}
			for i := range ib.LID(1) << p.LMC() {
				if _, had := f.PortByLID(p.LID() + i); had && m.LID(p.LID()+i) != q.LID()+i {
					t.Errorf("LID %d is not %d + %d", m.LID(p.LID()+i), q.LID(), i)
				}
			}
			if p.Node().Type() != ib.NodeSwitch || p.Num() == 0 {
				if lids[q.LID()] && q.LID() != 0 {
					t.Errorf("LID %d twice", q.LID())
				}
				lids[q.LID()] = true
			}
		}
		checkTable(t, m, n, g)
	}
}

func checkTable(t *testing.T, m *anonymize.Mapping, n, g *fabric.Node) {
	t.Helper()
	info, _ := n.SwitchInfo()
	for lid, port := range n.LFT() {
		to := m.LID(ib.LID(lid))
		if lid == 0 || lid > int(info.LinearFDBTop) || port == smp.NoPort {
			continue
		}
		if to == 0 || int(to) >= len(g.LFT()) || g.LFT()[to] != port {
			t.Fatalf("node %v: LID %d by port %d, and LID %d not so", n.GUID(), lid, port, to)
		}
	}
}

func TestRandom(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := random(r, uint8(seed%4))
		o := &anonymize.Options{HideVendors: seed%5 == 4}
		m := anonymize.New([]byte{byte(seed)}, o, f, nil)
		got := m.Fabric(f)
		check(t, m, f, got, o.HideVendors)
		if s := got.Problems()[0]; s.Detail+s.File+got.Sweep().Source != "" || s.Err != mad.StatusUnsupportedAttr {
			t.Errorf("%+v", s)
		}
		again := anonymize.New([]byte{byte(seed)}, o, f)
		other := anonymize.New([]byte("other"), o, f)
		for n := range f.Nodes() {
			if m.GUID(n.GUID()) != again.GUID(n.GUID()) || m.GUID(n.GUID()) == other.GUID(n.GUID()) {
				t.Errorf("seed %d: %v", seed, n.GUID())
			}
			for p := range n.Ports() {
				if m.LID(p.LID()) != again.LID(p.LID()) {
					t.Errorf("seed %d: LID %d", seed, p.LID())
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestFullLIDs: all LIDs are in use, so there is no room to move blocks to.
func TestFullLIDs(t *testing.T) {
	for _, lmc := range []uint8{0, 1, 7} {
		b := fabric.NewBuilder()
		for lid := 1 << lmc &^ 1; lid <= int(ib.MaxUnicastLID); lid += 1 << lmc {
			if lid == 0 {
				continue
			}
			n := b.AddNode(node(ib.NodeCA, 1, 0x0002c9, ib.GUID(lid)<<8, ib.GUID(lid)<<8))
			info := smp.PortInfo{LID: ib.LID(lid), LMC: lmc, SMLID: 1}
			var data [mad.DataSize]byte
			info.Encode(&data)
			b.SetPortInfo(b.Port(n, 1), &data)
		}
		m := anonymize.New(nil, nil, b.Build())
		seen := map[ib.LID]bool{}
		moved := 0
		for lid := ib.LID(1); lid <= ib.MaxUnicastLID; lid++ {
			to := m.LID(lid)
			if to == 0 && lid < 1<<lmc {
				continue // not in use
			}
			if !to.IsUnicast() || seen[to] || to%(1<<lmc) != lid%(1<<lmc) {
				t.Fatalf("LMC %d: LID %d became %d", lmc, lid, to)
			}
			if seen[to] = true; to != lid {
				moved++
			}
		}
		if moved < 40000 {
			t.Errorf("LMC %d: %d LIDs moved", lmc, moved)
		}
	}
}

// TestTwoFabrics: what is one thing in two fabrics is one thing afterwards.
func TestTwoFabrics(t *testing.T) {
	f := random(rand.New(rand.NewPCG(1, 2)), 0)
	m := anonymize.New([]byte("x"), nil, f, f)
	a, b := m.Fabric(f), m.Fabric(f)
	var left, right []string
	for n := range a.Nodes() {
		left = append(left, n.GUID().String()+n.Description())
	}
	for n := range b.Nodes() {
		right = append(right, n.GUID().String()+n.Description())
	}
	if d := cmp.Diff(left, right); d != "" || strings.Contains(strings.Join(left, ""), "secret") {
		t.Error(d, left)
	}
	if m.GUID(0) != 0 || m.GUID(1<<64-1) != 1<<64-1 || m.LID(0xffff) != 0xffff || m.LID(0xc001) != 0xc001 || m.GUID(12345) != 0 {
		t.Error("special values moved")
	}
}
