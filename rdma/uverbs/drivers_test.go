package uverbs

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma/nldev"
)

func TestDriversAreDistinct(t *testing.T) {
	seen := map[nldev.DriverID]bool{}
	for i := range drivers {
		d := &drivers[i]
		if seen[d.id] || d.id == 0 || d.id > maxDriver || d.minABI > d.maxABI {
			t.Errorf("row %d: %+v", i, d)
		}
		seen[d.id] = true
		if d.responseLen%8 != 0 || d.responseLen > slack {
			t.Errorf("%s answers %d bytes", d.id, d.responseLen)
		}
	}
}

// TestDriverNames makes sure that numbers and names go together.
func TestDriverNames(t *testing.T) {
	for id, want := range map[nldev.DriverID]string{
		driverMLX5: "mlx5", driverMLX4: "mlx4", driverCXGB4: "cxgb4", driverMTHCA: "mthca", driverBnxtRE: "bnxt_re",
		driverOCRDMA: "ocrdma", driverIRDMA: "irdma", driverPVRDMA: "vmw_pvrdma", driverQEDR: "qedr", driverHNS: "hns",
		driverUSNIC: "usnic", driverRXE: "rxe", driverHFI1: "hfi1", driverQIB: "qib", driverEFA: "efa", driverSIW: "siw",
		driverERDMA: "erdma", driverMANA: "mana", driverIonic: "ionic",
	} {
		if got := id.String(); got != want {
			t.Errorf("%d is %q, want %q", uint32(id), got, want)
		}
	}
}

func TestFirmware(t *testing.T) {
	ocrdma := wire(ocrdmaResponse{Firmware: [32]byte{'4', '.', '2'}})
	for _, test := range []struct {
		driver  nldev.DriverID
		version uint64
		want    string
	}{
		{driverMLX5, 20<<32 | 31<<16 | 14, "20.31.0014"},
		{driverMLX4, 2<<32 | 42<<16 | 5000, "2.42.5000"},
		{driverMLX4, 2<<32 | 42<<16 | 5, "2.42.005"},
		{driverRXE, 0, "0.0.0"},
		{driverHFI1, 1<<32 | 27<<16, "1.27.0"},
		{driverIRDMA, 1<<32 | 53, "1.53"},
		{driverCXGB4, 0x01180100, "1.24.1.0"},
		{driverQEDR, 0x08250a00, "8.37.10.0"},
		{driverOCRDMA, 7, "4.2"},
	} {
		if got := driverFor(test.driver).firmware(test.version, ocrdma); got != test.want {
			t.Errorf("%s: %q, want %q", test.driver, got, test.want)
		}
	}
	little(t)
	for _, id := range []nldev.DriverID{driverBnxtRE, driverEFA} {
		if got := driverFor(id).firmware(0xdd_01_00_1b_da, nil); got != "218.27.0.1" {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// TestExtra reads what drivers add.
func TestExtra(t *testing.T) {
	tso, rss, pacing := tsoCaps{MaxTSO: 1 << 18, QPTypes: 0x100}, rssCaps{HashFields: 0x800000ff, HashFunction: 3}, pacingCaps{Min: 1, Max: 100, QPTypes: 0x104}
	for _, test := range []struct {
		name string
		k    *fakeKernel
		want DeviceAttributes
	}{
		{
			"mlx5", &fakeKernel{driver: driverMLX5, context: wire(mlx5Response{CommandsUHW: 3}), extra: wire(mlx5Device{TSO: tso, RSS: rss, Pacing: pacing})},
			DeviceAttributes{
				TSO: TSOCaps{1 << 18, QPRawPacket}, RSS: RSSCaps{HashFunctions: 3, HashFields: 0x800000ff},
				PacketPacing: PacketPacingCaps{1, 100, QPRawPacket | QPRC},
			},
		},
		{"mlx5 without", &fakeKernel{driver: driverMLX5, context: wire(mlx5Response{CommandsUHW: 2}), extra: wire(mlx5Device{TSO: tso})}, DeviceAttributes{}},
		{
			"mlx4", &fakeKernel{driver: driverMLX4, extra: wire(mlx4Device{TSO: tso, RSS: rss})},
			DeviceAttributes{TSO: TSOCaps{1 << 18, QPRawPacket}, RSS: RSSCaps{HashFunctions: 3, HashFields: 0x800000ff}},
		},
		{"bnxt_re", &fakeKernel{driver: driverBnxtRE, extra: wire(pacing)}, DeviceAttributes{PacketPacing: PacketPacingCaps{1, 100, QPRawPacket | QPRC}}},
		{"bnxt_re, old", &fakeKernel{driver: driverBnxtRE}, DeviceAttributes{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.k.device = make([]byte, 304)
			got, err := test.k.open(t).QueryDevice(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got.Firmware = ""
			if diff := cmp.Diff(&test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestRetryOfRequests: a kernel that refuses the newer request gets the older one.
func TestRetryOfRequests(t *testing.T) {
	k := &fakeKernel{driver: driverIRDMA, device: make([]byte, 304)}
	k.refuse = func(request []byte) error {
		if view[irdmaRequest](request).Version != 4 {
			return unix.EINVAL
		}
		return nil
	}
	if d := k.open(t); d.Refused() != nil || len(k.requests) != 2 {
		t.Errorf("%v after %d requests", d.Refused(), len(k.requests))
	}
	k = &fakeKernel{driver: driverIRDMA, refuse: func([]byte) error { return unix.EIO }}
	if d := k.open(t); !errors.Is(d.Refused(), unix.EIO) || len(k.requests) != 1 {
		t.Errorf("%v after %d requests", d.Refused(), len(k.requests))
	}
}

// TestDriverWritesTooMuch: some drivers copy their whole answer whatever room
// they are told of.
func TestDriverWritesTooMuch(t *testing.T) {
	k := &fakeKernel{driver: driverSIW, context: bytes.Repeat([]byte{0xff}, 1000)}
	d := k.open(t)
	if len(d.answer) != 8 || cap(d.answer) < 1000 {
		t.Errorf("an answer of %d bytes in room for %d", len(d.answer), cap(d.answer))
	}
}
