package rdma

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/ib"
)

const port1 = "class/infiniband/mlx5_0/ports/1/"

// TestFaults breaks one thing at a time. The device must be there with the rest,
// and the fault be named.
func TestFaults(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(f *fixture)
		want  string // "device port attribute" of each fault
		is    error
	}{
		{"fw_ver missing", func(f *fixture) { f.remove("class/infiniband/mlx5_0/fw_ver") }, "", nil},
		{"node_desc missing", func(f *fixture) { f.remove("class/infiniband/mlx5_0/node_desc") }, "", nil},
		{"link_layer missing", func(f *fixture) { f.remove(port1 + "link_layer") }, "", nil},
		{"no modules for device files", func(f *fixture) { f.remove("class/infiniband_mad"); f.remove("class/infiniband_verbs") }, "", nil},
		{"rate missing", func(f *fixture) { f.remove(port1 + "rate") }, "mlx5_0 1 rate", fs.ErrNotExist},
		{"rate unreadable", func(f *fixture) { f.remove(port1 + "rate"); f.add(port1 + "rate |") }, "mlx5_0 1 rate", unix.EINVAL},
		{"rate a directory", func(f *fixture) { f.remove(port1 + "rate"); f.add(port1 + "rate/") }, "mlx5_0 1 rate", unix.EISDIR},
		{"state empty", func(f *fixture) { f.write(port1+"state", "$") }, "mlx5_0 1 state", nil},
		{"state without number", func(f *fixture) { f.write(port1+"state", "ACTIVE") }, "mlx5_0 1 state", nil},
		{"lid too large", func(f *fixture) { f.write(port1+"lid", "0x100000000") }, "mlx5_0 1 lid", nil},
		{"GID garbage", func(f *fixture) { f.write(port1+"gids/0", "none") }, "mlx5_0 1 gids/0", nil},
		{"node_guid garbage", func(f *fixture) { f.write("class/infiniband/mlx5_0/node_guid", "no guid") }, "mlx5_0 0 node_guid", nil},
		{"node_type huge", func(f *fixture) {
			f.write("class/infiniband/mlx5_0/node_type", strings.Repeat("1", 10000))
		}, "mlx5_0 0 node_type", unix.EFBIG},
		{"ports missing", func(f *fixture) { f.remove("class/infiniband/mlx5_0/ports") }, "mlx5_0 0 ports", fs.ErrNotExist},
		{"dangling device", func(f *fixture) { f.add("class/infiniband/scif0 -> ../../devices/scif_dma_0/infiniband/scif0") }, "scif0 0 ", fs.ErrNotExist},
		{"dangling port", func(f *fixture) { f.add("class/infiniband/mlx5_0/ports/2 -> nowhere") }, "mlx5_0 2 ", fs.ErrNotExist},
		{"loop", func(f *fixture) { f.add("class/infiniband/loop -> loop") }, "loop 0 ", unix.ELOOP},
		{"umad without owner", func(f *fixture) { f.add("class/infiniband_mad/umad7/port = 1") }, " 0 umad7", fs.ErrNotExist},
		{"umad without port", func(f *fixture) { f.remove("class/infiniband_mad/umad0/port") }, "mlx5_0 0 class/infiniband_mad/umad0/port", fs.ErrNotExist},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, "").hca(0).hca(1)
			tt.spoil(f)
			devices, err := f.devices()
			if names(devices) != "mlx5_0 mlx5_1" {
				t.Errorf("devices %s", names(devices))
			}
			var got []string
			for _, p := range Problems(err) {
				got = append(got, fmt.Sprintf("%s %d %s", p.Device, p.Port, p.Attribute))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if devices[1].Ports[0].UmadName == "" && tt.name != "no modules for device files" {
				t.Error("the healthy device has lost its device file")
			}
		})
	}
}

// TestOddities are things that are no fault.
func TestOddities(t *testing.T) {
	f := newFixture(t, "").hca(0)
	f.add(`
		class/infiniband/abi_version = 1
		class/infiniband/i40iw0/node_type = 4: RNIC$
		class/infiniband/i40iw0/node_guid = 0000:0000:0000:0000$
		class/infiniband/i40iw0/sys_image_guid = 0000:0000:0000:0000 (none)
		class/infiniband/i40iw0/fw_ver =
		class/infiniband/i40iw0/node_desc = ` + "host\u00a0one \t" + `
		class/infiniband/i40iw0/ports/
		class/infiniband/i40iw0/ports/readme/
		class/infiniband/i40iw0/ports/01/
	`)
	f.write(port1+"state", "4: ACTIVE\u00a0now")
	f.write(port1+"lid", "0x2a (42)$")
	devices, err := f.devices()
	if err != nil {
		t.Fatal(err)
	}
	if names(devices) != "i40iw0 mlx5_0" {
		t.Fatalf("devices %s", names(devices))
	}
	d, p := devices[0], devices[1].Ports[0]
	if d.NodeType != NodeRNIC || d.Transport() != TransportIWARP || d.NodeType.IsIB() || len(d.Ports) != 0 ||
		d.Firmware != "" || d.NodeDescription != "host\u00a0one" || d.NodeGUID != 0 || d.NUMANode != -1 {
		t.Errorf("%+v", d)
	}
	if p.State != ib.PortActive || p.LID != 42 {
		t.Errorf("state %v, LID %d", p.State, p.LID)
	}
}

// TestEscape makes links that lead out of the tree.
func TestEscape(t *testing.T) {
	outside := newFixture(t, "node_type = 1: CA\nsecret = 5")
	f := newFixture(t, "").hca(0)
	f.add("class/infiniband/evil0 -> " + outside.top)
	f.add("class/infiniband/evil1 -> ../../../../../../../../../../" + outside.top)
	f.remove("class/infiniband/mlx5_0/fw_ver")
	f.add("class/infiniband/mlx5_0/fw_ver -> " + outside.path("secret"))
	devices, err := f.devices()
	if names(devices) != "mlx5_0" || devices[0].Firmware != "" {
		t.Errorf("devices %s, firmware %q", names(devices), devices[0].Firmware)
	}
	if p := Problems(err); len(p) != 3 {
		t.Errorf("%d problems: %v", len(p), err)
	}
}

// TestAbsoluteLink accepts links made by hand that lead into the same tree.
func TestAbsoluteLink(t *testing.T) {
	f := newFixture(t, "").hca(0).hca(1)
	for _, target := range []string{f.top, "/sys"} {
		f.remove("class/infiniband/mlx5_1")
		f.add("class/infiniband/mlx5_1 -> " + target + "/devices/pci0000:00/0000:00:01.0/0000:01:00.1/infiniband/mlx5_1")
		if devices, err := f.devices(); names(devices) != "mlx5_0 mlx5_1" || err != nil {
			t.Errorf("devices %s, %v", names(devices), err)
		}
	}
}

// TestErrorText checks that a message names the place and prints safely.
func TestErrorText(t *testing.T) {
	e := &Error{Op: "read", Device: "mlx5_0", Port: 1, Attribute: "rate", Path: "/sys/x\x1b[31m", Err: os.ErrPermission}
	const want = `rdma: read mlx5_0 port 1 rate ("/sys/x\x1b[31m"): permission denied`
	if e.Error() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
	wrapped := fmt.Errorf("devices: %w", joined{e, e})
	if diff := cmp.Diff(2, len(Problems(wrapped))); diff != "" {
		t.Error(diff)
	}
	if Problems(nil) != nil || Problems(os.ErrClosed) != nil {
		t.Error("problems without an *Error")
	}
	if got := (joined{e, e}).Error(); got != want+"\n"+want {
		t.Error(got)
	}
}
