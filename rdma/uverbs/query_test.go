package uverbs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/internal/testenv"
	"github.com/ibscope/ibscope/rdma"
)

// recordedRXE is a soft-RoCE device as Linux 6.1 has it.
func recordedRXE(t *testing.T) *fakeKernel {
	little(t)
	return &fakeKernel{
		driver: driverRXE, vectors: 2, device: unhex(t, rxeDevice), port: unhex(t, rxePort),
		gids: []gidEntry{view[gidEntry](unhex(t, rxeGID0)), view[gidEntry](unhex(t, rxeGID1))},
	}
}

func recordedSIW(t *testing.T) *fakeKernel {
	little(t)
	return &fakeKernel{
		driver: driverSIW, vectors: 2, device: unhex(t, siwDevice), port: unhex(t, siwPort), context: make([]byte, 8),
		gids: []gidEntry{view[gidEntry](unhex(t, siwGID0))},
	}
}

// little skips on machines that read the recorded answers backwards.
func little(t *testing.T) {
	t.Helper()
	if view[uint16]([]byte{1, 0}) != 1 {
		t.Skip("the recorded answers are little endian")
	}
}

var rxeAttributes = DeviceAttributes{
	Firmware: "0.0.0", NodeGUID: 0x000000fffe000001, SystemImageGUID: 0x000000fffe000001,
	VendorID: 0xffffff, PhysicalPorts: 1, MaxMRSize: 1<<64 - 1, PageSizes: 0xfffff000,
	Caps: 0x01223c76, CapsEx: 0x01223c76, MaxQP: 1048560, MaxQPWR: 1048576, MaxSGE: 32, MaxSGERead: 32,
	MaxCQ: 1048576, MaxCQE: 32767, MaxMR: 524287, MaxPD: 1048576, MaxQPReadAtomic: 128,
	MaxResReadAtomic: 258048, MaxQPInitReadAtomic: 128, AtomicCap: 1, MaxMW: 524287,
	MaxMulticastGroups: 8192, MaxMulticastAttach: 56, MaxMulticastQPAttach: 458752, MaxAH: 32767,
	MaxSRQ: 917503, MaxSRQWR: 1048576, MaxSRQSGE: 27, MaxPKeys: 64, LocalAckDelay: 15, CompVectors: 2,
}

var rxePortAttributes = PortAttributes{
	State: ib.PortActive, MaxMTU: ib.MTU4096, ActiveMTU: ib.MTU1024, LinkLayer: LinkEthernet,
	MaxMessage: 0x800000, CapMask: 0x10000, MaxVL: 1, PKeyTableLen: 1, GIDTableLen: 1024,
	ActiveWidth: 1, ActiveSpeed: 8, PhysState: 5, GRHRequired: true,
}

var rxeGIDs = []GID{
	{Index: 0, GID: ib.GIDFrom(ib.DefaultSubnetPrefix, 0x000000fffe000001), Type: GIDTypeRoCEv2, NetDevIndex: 3},
	{Index: 1, GID: ib.GIDFrom(0, 0x0000ffff0a000001), Type: GIDTypeRoCEv2, NetDevIndex: 3},
}

// kernels are ways in which kernels of different age answer the same.
var kernels = map[string]func(*fakeKernel){
	"new":                           func(*fakeKernel) {},
	"without GetContext, QueryPort": func(k *fakeKernel) { k.missing = map[uint16]bool{methodGetContext: true, methodQueryPort: true} },
	"table does not fit":            func(k *fakeKernel) { k.missing = map[uint16]bool{}; k.gidCount = 1 << 40 },
}

func TestQueryRecorded(t *testing.T) {
	for name, age := range kernels {
		t.Run(name, func(t *testing.T) {
			k := recordedRXE(t)
			age(k)
			d := k.open(t)
			got, err := d.Query(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			want := &Attributes{
				Name: "fake0", Transport: rdma.TransportIB, Driver: "rxe", Device: &rxeAttributes,
				Ports: []Port{{Num: 1, Attributes: &rxePortAttributes, GIDs: rxeGIDs}},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if err := d.Close(); err != nil || k.closed != 1 {
				t.Errorf("closed %d times, %v", k.closed, err)
			}
			if k.missing[methodGetContext] && (len(k.closedFD) != 1 || k.closedFD[0] != 77) {
				t.Errorf("the descriptor for events was not closed: %v", k.closedFD)
			}
		})
	}
}

func TestQuerySIW(t *testing.T) {
	a, err := recordedSIW(t).open(t).Query(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := []GID{{GID: ib.GIDFrom(0x0200_0000_0002_0000, 0), Type: GIDTypeIB}}
	if a.Driver != "siw" || a.Device.VendorID != 0x626d74 || a.Ports[0].Attributes.CapMask != 0x90000 {
		t.Errorf("got %+v", a)
	}
	if diff := cmp.Diff(want, a.Ports[0].GIDs); diff != "" {
		t.Errorf("GIDs (-want +got):\n%s", diff)
	}
}

func TestOldQueryDevice(t *testing.T) {
	k := recordedRXE(t)
	k.oldDevice = true
	got, err := k.open(t).QueryDevice(context.Background())
	want := rxeAttributes
	want.CapsEx = 0
	if diff := cmp.Diff(&want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestShortResponse: a kernel fills in less than there is room for, and what
// lies behind that is no answer.
func TestShortResponse(t *testing.T) {
	for _, test := range []struct {
		length uint32
		want   func(a *DeviceAttributes) bool
	}{
		{304, func(a *DeviceAttributes) bool {
			return a.ODP.XRC == 7 && a.MaxDeviceMemory == 6 && a.CQModeration.MaxCount == 5
		}},
		{296, func(a *DeviceAttributes) bool { return a.ODP.XRC == 0 && a.MaxDeviceMemory == 6 }},
		{295, func(a *DeviceAttributes) bool { return a.MaxDeviceMemory == 0 && a.CQModeration.MaxCount == 5 }},
		{232, func(a *DeviceAttributes) bool { return a.CapsEx == 4 && a.RSS.MaxTables == 0 && a.CoreClock == 3 }},
		{208, func(a *DeviceAttributes) bool { return a.ODP.RC == 1 && a.TimestampMask == 0 }},
		{207, func(a *DeviceAttributes) bool { return a.ODP == ODPCaps{} }},
		{0, func(a *DeviceAttributes) bool { return a.ODP == ODPCaps{} && a.MaxQP == 9 }},
	} {
		r := exQueryDeviceResponse{
			ResponseLength: test.length, ODPRC: 1, TimestampMask: 2, CoreClock: 3, CapsEx: 4,
			RSSMaxTables: 8, CQMaxCount: 5, MaxDeviceMemory: 6, ODPXRC: 7,
		}
		r.Base.MaxQP = 9
		a, err := (&fakeKernel{driver: driverRXE, device: wire(r)}).open(t).QueryDevice(context.Background())
		if err != nil || !test.want(a) {
			t.Errorf("%d bytes: %v, %+v", test.length, err, a)
		}
	}
}

func TestRefusedContext(t *testing.T) {
	k := recordedRXE(t)
	k.refuse = func([]byte) error { return unix.EPERM }
	d := k.open(t)
	if err := d.Refused(); !errors.Is(err, unix.EPERM) {
		t.Errorf("refused: %v", err)
	}
	d.info.Ports = []*rdma.Port{{Num: 1}}
	a, err := d.Query(context.Background())
	if !errors.Is(err, unix.EPERM) || a.Device != nil || len(a.Ports) != 1 || a.Ports[0].Attributes != nil {
		t.Errorf("query: %v, %+v", err, a)
	}
	if _, err := d.QueryPort(context.Background(), 1); !errors.Is(err, unix.EPERM) {
		t.Errorf("port: %v", err)
	}
	if err := d.Close(); err != nil || k.closed != 1 {
		t.Errorf("closed %d times, %v", k.closed, err)
	}
}

func TestQueryKeepsWhatItHas(t *testing.T) {
	k := recordedRXE(t)
	k.device = nil
	d := k.open(t)
	d.info.Ports = []*rdma.Port{{Num: 1}}
	a, err := d.Query(context.Background())
	if !errors.Is(err, unix.EIO) || a.Device != nil || len(a.Ports) != 1 || a.Ports[0].Attributes == nil || len(a.Ports[0].GIDs) != 2 {
		t.Errorf("%v, %+v", err, a)
	}
}

func TestPortNumbers(t *testing.T) {
	d := recordedRXE(t).open(t)
	for _, num := range []int{-1, 0, 256, 1 << 30} {
		if _, err := d.QueryPort(context.Background(), num); !errors.Is(err, unix.EINVAL) {
			t.Errorf("port %d: %v", num, err)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := recordedRXE(t).open(t)
	if _, err := d.QueryDevice(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("device: %v", err)
	}
	if _, err := d.GIDs(ctx, 1, 1024); !errors.Is(err, context.Canceled) {
		t.Errorf("GIDs: %v", err)
	}
	if a, err := d.Query(ctx); !errors.Is(err, context.Canceled) || a == nil {
		t.Errorf("query: %v", err)
	}
}

func TestGIDsOfOnePort(t *testing.T) {
	k := &fakeKernel{driver: driverRXE}
	for port := range uint32(2) {
		for i := range uint32(1500) { // more than fit into one answer
			k.gids = append(k.gids, gidEntry{Index: i * 2, Port: port + 1, GID: [16]byte{15: byte(port + 1)}})
		}
	}
	d := k.open(t)
	for _, port := range []int{1, 2, 3} {
		table, err := d.GIDs(context.Background(), port, 3000)
		if err != nil || len(table) != map[int]int{1: 1500, 2: 1500, 3: 0}[port] {
			t.Fatalf("port %d: %d entries, %v", port, len(table), err)
		}
		for i, e := range table {
			if e.Index != i*2 || int(e.GID[15]) != port {
				t.Fatalf("entry %d is %+v", i, e)
			}
		}
	}
	if _, err := d.GIDs(context.Background(), 1, 1<<31); !errors.Is(err, ErrReply) {
		t.Errorf("a table without bounds: %v", err)
	}
}

func TestOpenFailures(t *testing.T) {
	if _, err := Open(&rdma.Device{Name: "x"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	a, err := Query(context.Background(), &rdma.Device{Name: "x", RDMADriver: "mlx5"})
	if !errors.Is(err, fs.ErrNotExist) || a.Driver != "mlx5" || a.Device != nil {
		t.Errorf("query: %v, %+v", err, a)
	}
	if _, err := identify(&fakeKernel{noIoctl: true}, "rxe"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("old kernel: %v", err)
	}
	if _, err := identify(&fakeKernel{driver: 5000}, ""); !errors.Is(err, unix.EINVAL) {
		t.Errorf("driver with a number out of bounds: %v", err)
	}
}

// TestUnknownDriver: the name may be wrong and the number unknown.
func TestUnknownDriver(t *testing.T) {
	k := recordedRXE(t)
	k.driver = 40
	id, err := identify(k, "mlx5")
	if err != nil || id != 40 {
		t.Fatalf("%v, %v", id, err)
	}
	d := newDevice(&rdma.Device{Name: "new0"}, k, id)
	a, err := d.Query(context.Background())
	if err != nil || a.Device.MaxQP != 1048560 || a.Device.Firmware != "" {
		t.Errorf("%v, %+v", err, a.Device)
	}
}

func TestABI(t *testing.T) {
	for _, test := range []struct {
		abi  string
		want error
	}{{"1\n", nil}, {"2\n", ErrABI}, {"0\n", ErrABI}, {"x\n", nil}} {
		sys := testenv.NewSysfs(t, testenv.SysfsCA{Name: "siw0"})
		sys.Write("class/infiniband_verbs/uverbs0/ibdev", "siw0\n")
		sys.Write("class/infiniband_verbs/uverbs0/dev", "231:192\n")
		sys.Write("class/infiniband_verbs/uverbs0/abi_version", test.abi)
		devices, err := rdma.Host{Sys: sys.Root}.Devices(context.Background())
		if len(devices) != 1 {
			t.Fatal(devices, err)
		}
		d := newDevice(devices[0], recordedSIW(t), driverSIW)
		if err := d.Refused(); !errors.Is(err, test.want) {
			t.Errorf("revision %q: %v", test.abi, err)
		}
	}
}

func ExampleQuery() {
	devices, err := rdma.Devices()
	if err != nil {
		fmt.Println(err)
	}
	for _, d := range devices {
		a, err := Query(context.Background(), d)
		if err != nil {
			fmt.Println(err) // a has what could be read
		}
		if a.Device != nil {
			fmt.Println(a.Name, "firmware", a.Device.Firmware, "queue pairs", a.Device.MaxQP)
		}
	}
}
