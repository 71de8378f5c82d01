package rdma

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/rdma/nldev"
)

// exported compares what a user of the package sees.
var exported = cmp.FilterPath(func(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && !isExported(f.Name())
}, cmp.Ignore())

func isExported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

func names(devices []*Device) string {
	var all []string
	for _, d := range devices {
		all = append(all, d.Name)
	}
	return strings.Join(all, " ")
}

func TestDevice(t *testing.T) {
	f := newFixture(t, "").hca(2)
	devices, err := f.devices()
	if err != nil {
		t.Fatal(err)
	}
	want := []*Device{{
		Name: "mlx5_2", Index: -1, NodeType: NodeCA,
		NodeGUID: 0x0002c90300000002, SystemImageGUID: 0x0002c90300000102, NodeDescription: "host-1 mlx5_2",
		Firmware: "20.31.1014", HardwareRevision: "0", HCAType: "MT4123", BoardID: "MT_0000000223",
		Driver: "mlx5_core", NUMANode: 1, UverbsName: "uverbs2", NetDevs: []string{"ib2"}, Sources: FromSysfs,
		PCI: PCI{Address: "0000:01:00.2", Vendor: 0x15b3, Device: 0x101b, SubsystemVendor: 0x15b3, SubsystemDevice: 7},
		Ports: []*Port{{
			Device: "mlx5_2", Num: 1, LinkLayer: LinkInfiniBand, State: ib.PortActive, PhysState: ib.PhysLinkUp,
			Rate: Rate{200, "200 Gb/sec (4X HDR)"}, Width: ib.Width4x, Speed: ib.SpeedHDR,
			LID: 42, LMC: 1, SMLID: 1, SMSL: 3, CapMask: 0xa651e848,
			DefaultGID: ib.GIDFrom(ib.DefaultSubnetPrefix, 0x0002c90300000002), SubnetPrefix: ib.DefaultSubnetPrefix,
			UmadName: "umad2", IssmName: "issm2", NetDev: "ib2",
		}},
	}}
	if diff := cmp.Diff(want, devices, exported); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	d, p := devices[0], devices[0].Ports[0]
	got := []string{d.UverbsPath(), p.UmadPath(), p.IssmPath(), d.Transport().String(), p.GUID().String(), strings.TrimPrefix(d.SysfsPath(), f.top)}
	paths := []string{"/dev/infiniband/uverbs2", "/dev/infiniband/umad2", "/dev/infiniband/issm2", "InfiniBand", "0x0002c90300000002", "/class/infiniband/mlx5_2"}
	if diff := cmp.Diff(paths, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOrders(t *testing.T) {
	f := newFixture(t, "")
	for _, n := range []int{10, 2, 0} {
		f.hca(n)
	}
	devices, err := f.devices()
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range devices {
		d.Index = []int{1, -1, 0}[i]
	}
	for _, tt := range []struct {
		order func(a, b *Device) int
		want  string
	}{
		{ByName, "mlx5_0 mlx5_2 mlx5_10"},
		{ByBytes, "mlx5_0 mlx5_10 mlx5_2"},
		{ByIndex, "mlx5_10 mlx5_0 mlx5_2"},
	} {
		if slices.SortFunc(devices, tt.order); names(devices) != tt.want {
			t.Errorf("%s, want %s", names(devices), tt.want)
		}
	}
}

// TestNothing checks the three ways to have no device.
func TestNothing(t *testing.T) {
	empty := newFixture(t, "class/infiniband/")
	if devices, err := empty.devices(); len(devices) != 0 || err != nil {
		t.Errorf("a kernel without devices: %v, %v", devices, err)
	}
	none := newFixture(t, "class/net/")
	devices, err := none.devices()
	if len(devices) != 0 || !errors.Is(err, unix.ENOSYS) {
		t.Errorf("a kernel without RDMA: %v, %v; want ENOSYS", devices, err)
	}
	if p := Problems(err); len(p) != 1 || !strings.HasSuffix(p[0].Path, "/class/infiniband") {
		t.Errorf("problems %+v", p)
	}
	if _, err := (Host{Sys: empty.path("nowhere")}).Devices(context.Background()); !errors.Is(err, unix.ENOSYS) {
		t.Errorf("no tree: %v", err)
	}
}

// TestSourceErrors checks which errors of the two sources come through.
func TestSourceErrors(t *testing.T) {
	tests := []struct {
		netlink, sysfs error
		want           error // nil: no problem
	}{
		{unix.EPROTONOSUPPORT, fs.ErrNotExist, unix.ENOSYS},
		{unix.EPROTONOSUPPORT, nil, nil},
		{&nldev.Error{Op: "list devices", Err: unix.EOPNOTSUPP}, nil, nil},
		{nil, fs.ErrNotExist, nil},
		{unix.EPERM, fs.ErrNotExist, unix.EPERM},
		{unix.EPERM, nil, os.ErrPermission},
		{nil, unix.EACCES, os.ErrPermission},
		{unix.ENOMEM, fs.ErrNotExist, unix.ENOMEM},
		{nil, unix.ENOMEM, unix.ENOMEM},
	}
	for _, tt := range tests {
		var f faults
		Host{}.judge(tt.netlink, tt.sysfs, &f)
		err := f.err()
		if !errors.Is(err, tt.want) || (tt.want == nil) != (err == nil) {
			t.Errorf("netlink %v, sysfs %v: %v, want %v", tt.netlink, tt.sysfs, err, tt.want)
		}
		if tt.want != unix.ENOSYS && errors.Is(err, unix.ENOSYS) {
			t.Errorf("netlink %v, sysfs %v: %v is ENOSYS", tt.netlink, tt.sysfs, err)
		}
	}
}

func TestContext(t *testing.T) {
	f := newFixture(t, "").hca(0).hca(1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	devices, err := Host{Sys: f.top}.Devices(ctx)
	if !errors.Is(err, context.Canceled) || len(devices) != 0 {
		t.Errorf("%d devices, %v", len(devices), err)
	}
	if devices, err = f.devices(); err != nil {
		t.Fatal(err)
	}
	if _, err := devices[0].Ports[0].GIDs(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("GIDs: %v", err)
	}
	if _, err := devices[0].Ports[0].Counters(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Counters: %v", err)
	}
}

// TestMany checks that hosts with very many devices and ports are shown whole.
func TestMany(t *testing.T) {
	f := newFixture(t, "")
	for n := range 130 {
		f.add(fmt.Sprintf("class/infiniband/mlx5_%d/ports/", n))
	}
	for n := range 200 {
		f.add(fmt.Sprintf("class/infiniband/big0/ports/%d/state = 4: ACTIVE", n))
	}
	devices, err := f.devices()
	if len(devices) != 131 || devices[0].Name != "big0" || devices[130].Name != "mlx5_129" {
		t.Errorf("%d devices: %s", len(devices), names(devices))
	}
	if ports := devices[0].Ports; len(ports) != 200 || ports[0].Num != 0 || ports[199].Num != 199 || ports[199].State != ib.PortActive {
		t.Errorf("%d ports", len(ports))
	}
	if n := len(Problems(err)); n != 131*3+200*8 {
		t.Errorf("%d problems: not one for each attribute that is missing", n)
	}
}

func BenchmarkDevices(b *testing.B) {
	f := newFixture(b, "")
	for n := range 16 {
		f.hca(n)
	}
	for b.Loop() {
		if devices, err := f.devices(); len(devices) != 16 || err != nil {
			b.Fatal(len(devices), err)
		}
	}
}
