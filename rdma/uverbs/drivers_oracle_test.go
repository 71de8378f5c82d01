package uverbs

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestContextRequestsLikeC compares the requests in the table with those that
// libibverbs sends. It knows a device by its PCI ID here; siw and mana, which
// have none, and drivers that are newer than libibverbs 44.0 are not compared.
func TestContextRequestsLikeC(t *testing.T) {
	little(t)
	testenv.Need(t, "gcc", "ibv_devinfo")
	fake := testenv.NewFakeVerbs(t)
	for _, test := range []struct {
		name           string
		vendor, device int
		abi            int
		want           string // what C sends where we do not: "" for no difference
	}{
		{name: "rxe0", abi: 2},
		// C asks for dynamic UARs, which a query has no use for.
		{
			name: "mlx5_0", vendor: 0x15b3, device: 0x1017, abi: 1,
			want: "1 72 1000000004000000010000000000000001000000000000000300000000000000",
		},
		{name: "mlx4_0", vendor: 0x15b3, device: 0x1003, abi: 4},
		{name: "mthca0", vendor: 0x15b3, device: 0x6282, abi: 1},
		{name: "bnxt_re0", vendor: 0x14e4, device: 0x16d7, abi: 1},
		{name: "rdmap0s6", vendor: 0x1d0f, device: 0xefa0, abi: 1},
		// These two have grown since libibverbs 44.0.
		{name: "irdma0", vendor: 0x8086, device: 0x1592, abi: 5, want: "9 64 0000000005000000"},
		{name: "hns_0", vendor: 0x19e5, device: 0xa222, abi: 1, want: "12 24 "},
		{name: "cxgb4_0", vendor: 0x1425, device: 0x5401, abi: 3},
		{name: "qedr0", vendor: 0x1077, device: 0x1656, abi: 8},
		{name: "ocrdma0", vendor: 0x10df, device: 0xe220, abi: 2},
		{name: "vmw_pvrdma0", vendor: 0x15ad, device: 0x0820, abi: 3},
		{name: "erdma_0", vendor: 0x1ded, device: 0x107f, abi: 1},
		{name: "hfi1_0", vendor: 0x8086, device: 0x24f0, abi: 1},
		{name: "qib0", vendor: 0x1077, device: 0x7322, abi: 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			fake.Name, fake.ABI, fake.Modalias = test.name, test.abi, ""
			fake.Context, fake.Device, fake.Port = make([]byte, 256), make([]byte, 1024), make([]byte, 48)
			if test.vendor != 0 {
				fake.Modalias = fmt.Sprintf("pci:v%08Xd%08Xsv00000000sd00000000bc02sc07i00", test.vendor, test.device)
			}
			fake.Run(t, "ibv_devinfo")
			if len(fake.ContextRequests) == 0 {
				t.Fatal("libibverbs does not know the device")
			}
			c := fake.ContextRequests[0]
			ours, d := requestLine(t, c)
			if test.want == "" && ours != c || test.want != "" && test.want != c {
				t.Errorf("C sends %q, we %q", c, ours)
			}
			if test.abi < d.minABI || test.abi > d.maxABI {
				t.Errorf("revision %d is not in the table", test.abi)
			}
		})
	}
}

// requestLine is the first request of the driver that a line of C is about.
func requestLine(t *testing.T, line string) (string, *driver) {
	t.Helper()
	for i := range drivers {
		d := &drivers[i]
		if strings.HasPrefix(line, fmt.Sprintf("%d ", d.id)) {
			var request []byte
			if len(d.requests) > 0 {
				request = d.requests[0]
			}
			return fmt.Sprintf("%d %d %s", d.id, d.responseLen, hex.EncodeToString(request)), d
		}
	}
	t.Fatalf("no driver for %q", line)
	return "", nil
}
