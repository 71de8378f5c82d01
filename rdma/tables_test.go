package rdma

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
)

// port gives the only port of a tree's first device.
func (f *fixture) port() *Port {
	f.t.Helper()
	devices, err := f.devices()
	if err != nil {
		f.t.Fatal(err)
	}
	return devices[0].Ports[0]
}

func TestCounters(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.add(`
		class/infiniband/mlx5_0/ports/1/counters/link_downed |
		class/infiniband/mlx5_0/ports/1/counters/port_xmit_data = 4294967296
		class/infiniband/mlx5_0/ports/1/counters/port_rcv_errors = 0
		class/infiniband/mlx5_0/ports/1/counters_ext/port_xmit_packets_64 = 7
		class/infiniband/mlx5_0/ports/1/counters/VL15_dropped -> nowhere
	`)
	c, err := f.port().Counters(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := Counters{List: []Counter{
		{"port_rcv_data", 1000, Words, 32},
		{"port_rcv_errors", 0, Events, 16},
		{"port_xmit_data", 1 << 32, Words, 32},
		{"port_xmit_packets_64", 7, Packets, 0},
		{"symbol_error", 65535, Events, 16},
	}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if v, ok := c.List[0].Bytes(); v != 4000 || !ok {
		t.Errorf("port_rcv_data is %d bytes, %v", v, ok)
	}
	if _, ok := c.List[1].Bytes(); ok {
		t.Error("errors counted in bytes")
	}
	if c.List[0].Saturated() || !c.List[4].Saturated() || c.List[3].Saturated() {
		t.Error("only symbol_error is saturated")
	}
	if v, ok := c.Get("port_xmit_packets_64"); v != 7 || !ok {
		t.Errorf("Get: %d, %v", v, ok)
	}
	for _, absent := range []string{"port_xmit_wait", "link_downed", "VL15_dropped", "port_rcv_packets"} {
		if v, ok := c.Get(absent); ok {
			t.Errorf("%s is %d, must be absent", absent, v)
		}
	}
}

func TestCounterFaults(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.write(port1+"counters/port_rcv_errors", "many")
	f.write(port1+"counters/port_xmit_packets", "99999999999999999999")
	c, err := f.port().Counters(context.Background())
	if p := Problems(err); len(p) != 2 || p[0].Port != 1 || p[0].Device != "mlx5_0" {
		t.Errorf("problems: %v", err)
	}
	if _, ok := c.Get("port_rcv_data"); !ok || len(c.List) != 2 {
		t.Errorf("counters %v", c)
	}
}

func TestHWCounters(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.add(`
		class/infiniband/mlx5_0/ports/1/hw_counters/lifespan = 12
		class/infiniband/mlx5_0/ports/1/hw_counters/rx_bytes = 10
		class/infiniband/mlx5_0/ports/1/hw_counters/ip4InOctets = 11
		class/infiniband/mlx5_0/ports/1/hw_counters/sent_pkts = 12
		class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence = 13
		class/infiniband/mlx5_0/ports/1/hw_counters/link_downed = 255
		class/infiniband/mlx5_0/diag_counters/rq_num_lle = 14
		class/infiniband/mlx5_0/diag_counters/clear_diag =
	`)
	p := f.port()
	got, err := p.HWCounters(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := Counters{Lifespan: 12 * time.Millisecond, List: []Counter{
		{"ip4InOctets", 11, Bytes, 0},
		{"link_downed", 255, Events, 0},
		{"out_of_sequence", 13, Events, 0},
		{"rx_bytes", 10, Bytes, 0},
		{"sent_pkts", 12, Packets, 0},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, err = p.dev.HWCounters(context.Background()); err != nil || len(got.List) != 1 || got.List[0].Value != 14 {
		t.Errorf("of the device: %v, %v", got, err)
	}
	f.remove(port1 + "hw_counters")
	f.remove(port1 + "counters")
	for _, read := range []func(context.Context) (Counters, error){p.HWCounters, p.Counters} {
		if got, err := read(context.Background()); err != nil || len(got.List) != 0 {
			t.Errorf("of a driver that has none: %v, %v", got, err)
		}
	}
	f.remove("class/infiniband/mlx5_0")
	f.remove("devices")
	if _, err := p.Counters(context.Background()); !errors.Is(err, unix.ENOENT) {
		t.Errorf("of a device that is gone: %v", err)
	}
}

// TestWriteOnlyCounter has a file that resets counters, as the kernel shows it.
func TestWriteOnlyCounter(t *testing.T) {
	f := newFixture(t, "clear_diag = 1\nsecret = 1")
	f.check(os.Chmod(f.path("clear_diag"), 0o200))
	f.check(os.Chmod(f.path("secret"), 0o400))
	eachFolder(t, f.top, func(t *testing.T, in folder) {
		entries, err := in.list(".", 10)
		if err != nil || len(entries) != 2 {
			t.Fatalf("%v, %v", entries, err)
		}
		for _, e := range entries {
			deny := &attributes{dir: &dir{in: denied{in}}, faults: &faults{}}
			_, ok := deny.counter(e.Name(), e)
			if fault := deny.faults.err(); ok || (fault != nil) != (e.Name() == "secret") {
				t.Errorf("%s: %t, %v", e.Name(), ok, fault)
			}
		}
	})
}

// denied is a folder of which nothing may be read, which root cannot make.
type denied struct{ folder }

func (denied) read(string, []byte) (int, error) { return 0, unix.EACCES }

func TestGIDs(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.add(`
		class/infiniband/mlx5_0/ports/1/gids/10 = 0000:0000:0000:0000:0000:ffff:0a00:0001
		class/infiniband/mlx5_0/ports/1/gids/3 = fe80:0000:0000:0000:0000:0000:0000:0003
		class/infiniband/mlx5_0/ports/1/gids/4 = broken
		class/infiniband/mlx5_0/ports/1/gid_attrs/types/0 = IB/RoCE v1
		class/infiniband/mlx5_0/ports/1/gid_attrs/types/10 = RoCE v2
		class/infiniband/mlx5_0/ports/1/gid_attrs/types/3 |
		class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/3 |
		class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/10 = eth2
	`)
	got, err := f.port().GIDs(context.Background())
	if p := Problems(err); len(p) != 1 || p[0].Attribute != "gids/4" {
		t.Errorf("problems: %v", err)
	}
	mapped := ib.GID{10: 0xff, 11: 0xff, 12: 10, 15: 1}
	want := []GIDEntry{
		{Index: 0, GID: ib.GIDFrom(ib.DefaultSubnetPrefix, 0x0002c90300000000), Type: GIDv1},
		{Index: 3, GID: ib.GIDFrom(ib.DefaultSubnetPrefix, 3)},
		{Index: 10, GID: mapped, Type: GIDv2, NetDev: "eth2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPKeys(t *testing.T) {
	f := newFixture(t, "").hca(0)
	p := f.port()
	got, err := p.PKeys(context.Background())
	if diff := cmp.Diff([]PKeyEntry{{0, 0xffff}, {2, 0x7fff}}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	f.remove(port1 + "pkeys")
	if got, err := p.PKeys(context.Background()); len(got) != 0 || err != nil {
		t.Errorf("without a table: %v, %v", got, err)
	}
}

// TestOwnPort checks that ports which a program made itself do no harm.
func TestOwnPort(t *testing.T) {
	p := &Port{Device: "mlx5_0", Num: 1, UmadName: "umad0"}
	if p.UmadPath() != "/dev/infiniband/umad0" || p.IssmPath() != "" {
		t.Error(p.UmadPath(), p.IssmPath())
	}
	if _, err := p.HWCounters(context.Background()); !errors.Is(err, unix.ENODEV) {
		t.Error(err)
	}
}

func TestAttribute(t *testing.T) {
	f := newFixture(t, "").hca(0)
	p := f.port()
	if text, err := p.Attribute("state"); text != "4: ACTIVE" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"nothing", "../../fw_ver", "/etc/passwd", ""} {
		text, err := p.Attribute(name)
		if e, ok := errors.AsType[*Error](err); !ok || e.Attribute != name || e.Port != 1 {
			t.Errorf("%q: %q, %v", name, text, err)
		}
	}
}

// TestListBound checks that a directory with too many entries is cut, and says so.
func TestListBound(t *testing.T) {
	f := newFixture(t, "a/1 =\na/2 =\na/3 =\na/4 =")
	top, err := openTop(f.top)
	if err != nil {
		t.Fatal(err)
	}
	defer top.close()
	if entries, err := top.list("a", 4); len(entries) != 4 || err != nil {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if entries, err := top.list("a", 3); len(entries) != 3 || !errors.Is(err, unix.E2BIG) {
		t.Errorf("%d entries, %v; want 3 and E2BIG", len(entries), err)
	}
}
