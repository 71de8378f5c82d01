package hostcheck

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/mad"
	"github.com/ibscope/ibscope/mad/smp"
	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/sim"
)

// portTests are hosts with a port like this one; with other, a second device
// with an active port.
var portTests = []struct {
	name  string
	port  testenv.SysfsPort
	other bool
	pkeys string // "" keeps 0xffff
	want  string
	words []string
}{
	{
		"polling",
		testenv.SysfsPort{State: "1: DOWN", PhysState: "2: Polling"},
		false, "",
		"failure port-link mlx5_0/1\n",
		[]string{"/ports/1/phys_state: Polling", "# the cable", "mlxlink -d mlx5_0 -p 1 -m"},
	},
	{
		"polling, another active",
		testenv.SysfsPort{State: "1: DOWN", PhysState: "2: Polling"},
		true, "",
		"warning port-link mlx5_0/1\n", nil,
	},
	{
		"disabled",
		testenv.SysfsPort{State: "1: DOWN", PhysState: "3: Disabled"},
		false, "",
		"failure port-link mlx5_0/1\n",
		[]string{"mlxlink -d mlx5_0 -p 1 -a UP"},
	},
	{
		"disabled, another active",
		testenv.SysfsPort{State: "1: DOWN", PhysState: "3: Disabled"},
		true, "",
		"note port-link mlx5_0/1\n", nil,
	},
	{
		"training",
		testenv.SysfsPort{State: "1: DOWN", PhysState: "4: PortConfigurationTraining"},
		false, "",
		"failure port-link mlx5_0/1\n",
		[]string{"does not get beyond PortConfigurationTraining"},
	},
	{
		"no SM",
		testenv.SysfsPort{State: "2: INIT", LID: "0", SMLID: "0"},
		false, "",
		"failure port-state mlx5_0/1\n",
		[]string{"opensm -B -g 0x0002c90300001001", "/ports/1/sm_lid: 0", "/ports/1/lid: 0"},
	},
	{
		"armed",
		testenv.SysfsPort{State: "3: ARMED"},
		true, "",
		"warning port-state mlx5_0/1\n", nil,
	},
	{
		"no LID",
		testenv.SysfsPort{LID: "0", SMLID: "0x2"},
		false, "",
		"failure lid mlx5_0/1\n",
		[]string{"/ports/1/lid: 0"},
	},
	{
		"no SM LID",
		testenv.SysfsPort{LID: "0x2", SMLID: "0"},
		false, "",
		"warning sm mlx5_0/1\n",
		[]string{"does not know a subnet manager"},
	},
	{
		"no partition", infiniBand(1), false, "0x0000",
		"failure p-key mlx5_0/1\n",
		[]string{"partitions.conf"},
	},
	{
		"another partition", infiniBand(1), false, "0x8001",
		"warning p-key mlx5_0/1\n",
		[]string{"/ports/1/pkeys: 0x8001"},
	},
	{"limited member", infiniBand(1), false, "0x7fff", "", []string{"limited member"}},
}

func TestPort(t *testing.T) {
	for _, test := range portTests {
		t.Run(test.name, func(t *testing.T) {
			test.port.Num = 1
			cas := []testenv.SysfsCA{hca("mlx5_0", test.port)}
			if test.other {
				cas = append(cas, hca("mlx5_1", infiniBand(1)))
			}
			f := newFixture(t, cas...)
			if test.pkeys != "" {
				f.Write(f.CAFile("mlx5_0", "ports/1/pkeys/0"), test.pkeys)
			}
			expect(t, f.check(), test.want, test.words)
		})
	}
}

// refuse makes ports that do not open.
func refuse(err error) func(context.Context, *rdma.Port) (madrpc.Transport, error) {
	return func(context.Context, *rdma.Port) (madrpc.Transport, error) { return nil, err }
}

func TestUmadFile(t *testing.T) {
	t.Run("missing", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		r := f.host().Check(t.Context(), nil)
		expect(t, r, "failure umad-file mlx5_0/1\n", []string{
			"/dev/infiniband/umad0: no such file or directory (ENOENT)", " c 231 0  # neither",
			"--subsystem-match=infiniband_mad", "docker run --device=",
		})
	})
	t.Run("none made", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		f.Remove("class/infiniband_mad/umad0")
		r := f.host().Check(t.Context(), nil)
		expect(t, r, "failure umad-file mlx5_0/1\n", []string{"no entry for mlx5_0 port 1"})
	})
	t.Run("control group", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		f.opt.Connect = refuse(&os.PathError{Op: "open", Path: "x", Err: unix.EPERM})
		expect(t, f.check(), "failure umad-file mlx5_0/1\n", []string{"operation not permitted (EPERM)", "DeviceAllow="})
	})
	t.Run("left over", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		f.opt.Connect = refuse(unix.ENXIO)
		expect(t, f.check(), "failure umad-file mlx5_0/1\n", []string{"(ENXIO)", "rm "})
	})
	t.Run("passive", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		f.opt.Passive = true
		f.opt.Connect = func(context.Context, *rdma.Port) (madrpc.Transport, error) {
			t.Error("a passive check opened a port")
			return nil, unix.EIO
		}
		expect(t, f.check(), "", nil)
	})
}

// noQP0 is a port that refuses agents for subnet management.
type noQP0 struct{ *sim.Port }

func (p noQP0) Send(m *mad.Packet, _ mad.Addr, _ time.Duration) error {
	if m.Class().IsSMP() {
		return unix.EPROTONOSUPPORT
	}
	return nil
}

func (f *fixture) connectRoCE(ctx context.Context, p *rdma.Port) (madrpc.Transport, error) {
	t, err := f.connect(ctx, p)
	if err != nil {
		return nil, err
	}
	return noQP0{t.(*sim.Port)}, nil
}

func TestNoSMI(t *testing.T) {
	roce := testenv.SysfsPort{Num: 1, LinkLayer: "Ethernet", LID: "0", SMLID: "0"}
	t.Run("RoCE", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", roce))
		f.opt.Connect = f.connectRoCE
		expect(t, f.check(), "warning link-layer\nnote smi mlx5_0/1\n", []string{"(EPROTONOSUPPORT)", "LINK_TYPE_P1"})
	})
	t.Run("RoCE down", func(t *testing.T) {
		down := roce
		down.State, down.PhysState = "1: DOWN", "3: Disabled"
		f := newFixture(t, hca("mlx5_0", down))
		f.opt.Connect = f.connectRoCE
		f.Write(f.CAFile("mlx5_0", "ports/1/gid_attrs/ndevs/0"), "eth2")
		expect(t, f.check(), "warning link-layer\nwarning port-link mlx5_0/1\nnote smi mlx5_0/1\n", nil)
	})
	t.Run("mixture", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", roce), hca("mlx5_1", infiniBand(1)))
		expect(t, f.check(), "note link-layer\n", []string{"InfiniBand: mlx5_1 port 1", "others: mlx5_0 port 1"})
	})
	t.Run("virtual function", func(t *testing.T) {
		f := newFixture(t, hca("mlx5_0", infiniBand(1)))
		f.opt.Connect = f.connectRoCE
		expect(t, f.check(), "failure smi mlx5_0/1\n", []string{"virtual functions"})
	})
	t.Run("planarised", func(t *testing.T) {
		p := infiniBand(1)
		p.CapMask = "0x2651ec48"
		f := newFixture(t, hca("mlx5_0", p))
		f.opt.Connect = f.connectRoCE
		expect(t, f.check(), "note smi mlx5_0/1\n", []string{"IsSMDisabled"})
	})
}

// fabricTests are healthy hosts at a fabric that is not.
var fabricTests = []struct {
	name  string
	make  func(f *fixture)
	want  string
	words []string
}{
	{
		"dead agent", func(f *fixture) { f.silent(f.start().Node().GUID(), 0) },
		"failure smi mlx5_0/1\n",
		[]string{"no reply", "dmesg | grep -i mlx5_0"},
	},
	{
		"own M_Key", func(f *fixture) { f.silent(f.start().Node().GUID(), smpPortInfo) },
		"warning m-key mlx5_0/1\n",
		[]string{"NodeInfo is answered, PortInfo is not", "Get PortInfo from itself", "--m-key"},
	},
	{
		"refused", func(f *fixture) {
			f.faults = append(f.faults, sim.Fault{Kind: sim.BadStatus, Node: f.peer().GUID(), Attr: smpPortInfo, Status: 0x1c})
		},
		"warning m-key mlx5_0/1\n",
		[]string{"PortInfo cannot be read where NodeInfo can"},
	},
	{
		"M_Key of the neighbour", func(f *fixture) { f.silent(f.peer().GUID(), smpPortInfo) },
		"warning m-key mlx5_0/1\n",
		[]string{"Get PortInfo from the other end"},
	},
	{
		"dead neighbour", func(f *fixture) { f.silent(f.peer().GUID(), 0) },
		"warning neighbour mlx5_0/1\n",
		[]string{"the other end of the cable does not answer"},
	},
	{
		"dead SM", func(f *fixture) { f.silent(f.start().Node().GUID(), smpSMInfo) },
		"warning sm mlx5_0/1\n",
		[]string{"at LID 2 does not answer", "opensm -B"},
	},
	{
		"violations", func(f *fixture) { f.edit(func(p *smp.PortInfo) { p.MKeyViolations = 3 }) },
		"note m-key mlx5_0/1\n",
		[]string{"refused 3 requests", "M_KeyViolations 3"},
	},
	{
		"width", func(f *fixture) { f.edit(func(p *smp.PortInfo) { p.LinkWidthActive = ib.Width1x }) },
		"warning link-rate mlx5_0/1\n",
		[]string{"runs at 1x HDR (50 Gb/s); both ends support 4x HDR (200 Gb/s)"},
	},
}

const (
	smpPortInfo mad.AttrID = 0x15
	smpSMInfo   mad.AttrID = 0x20
)

// edit changes what the port tells of itself.
func (f *fixture) edit(change func(*smp.PortInfo)) {
	f.t.Helper()
	b := fabric.NewBuilder()
	var nodes []*fabric.Node
	for n := range f.model.Nodes() {
		info := n.Info()
		nodes = append(nodes, b.AddNode(encode(&info)))
	}
	at := map[*fabric.Port]*fabric.Port{}
	i := 0
	for n := range f.model.Nodes() {
		for p := range n.Ports() {
			info, ok := p.Info()
			if p == f.start() {
				change(&info)
			}
			at[p] = b.Port(nodes[i], p.Num())
			if ok {
				b.SetPortInfo(at[p], encode(&info))
			}
			b.SetPortGUID(at[p], p.GUID())
		}
		if info, ok := n.SwitchInfo(); ok {
			b.SetSwitchInfo(nodes[i], encode(&info))
		}
		if lft := n.LFT(); lft != nil {
			b.SetLFT(nodes[i], lft)
		}
		i++
	}
	for l := range f.model.Links() {
		b.Link(at[l.A], at[l.B])
	}
	b.SetStart(at[f.start()])
	f.model = b.Build()
}

func encode(v interface{ Encode(*[mad.DataSize]byte) }) *[mad.DataSize]byte {
	raw := new([mad.DataSize]byte)
	v.Encode(raw)
	return raw
}

func TestFabric(t *testing.T) {
	for _, test := range fabricTests {
		t.Run(test.name, func(t *testing.T) {
			f := newFixture(t, hca("mlx5_0", infiniBand(1)))
			test.make(f)
			expect(t, f.check(), test.want, test.words)
		})
	}
}

func TestTap(t *testing.T) {
	f := newFixture(t, hca("mlx5_0", infiniBand(1)))
	tapped := ""
	f.opt.Tap = func(p *rdma.Port, t madrpc.Transport) madrpc.Transport {
		tapped += p.Device
		return noQP0{t.(*sim.Port)}
	}
	if r := f.check(); tapped != "mlx5_0" || !strings.Contains(lines(r), "smi mlx5_0/1") {
		t.Errorf("tapped %q; the check does not use what Tap gave:\n%s", tapped, lines(r))
	}
}
