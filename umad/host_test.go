package umad

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
)

// hca is an adapter with one port for each state, "4/5": the port's state and
// physical state; "4/5e" is an Ethernet port, "4/5d" one without SMI.
func hca(name string, ports ...string) testenv.SysfsCA {
	ca := testenv.SysfsCA{Name: name}
	for i, text := range ports {
		p := testenv.SysfsPort{Num: i + 1, State: text[:1] + ": X", PhysState: text[2:3] + ": Y"}
		p.GUID = fmt.Sprintf("0002:c903:%02x%02x:%04x", name[0], name[len(name)-1], i+1)
		switch text[3:] {
		case "e":
			p.LinkLayer, p.CapMask = "Ethernet", "0x00010000"
		case "d":
			p.CapMask = "0x2651ec48"
		}
		ca.Ports = append(ca.Ports, p)
	}
	return ca
}

func TestCAs(t *testing.T) {
	cas := []testenv.SysfsCA{hca("mlx5_10", "4/5"), hca("mlx5_9", "4/5"), hca("siw0", "4/5e"), hca("rxe0", "4/5e")}
	cas[2].NodeType = "4: RNIC"
	tree := testenv.NewSysfs(t, cas...)
	list, err := Host{Sys: tree.Root}.CAs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, ca := range list {
		names = append(names, ca.Name)
	}
	if got := strings.Join(names, " "); got != "mlx5_10 mlx5_9 rxe0" {
		t.Errorf("CAs %s", got)
	}
}

// TestBeyondTheCLibrary has more devices, umad files and ports than libibumad
// looks at (128, 192 and 10; 32 and 64 before), and a name longer than its 20 bytes.
func TestBeyondTheCLibrary(t *testing.T) {
	var cas []testenv.SysfsCA
	for i := range 200 {
		cas = append(cas, hca(fmt.Sprintf("mlx5_%03d", i), "1/3"))
	}
	cas = append(cas, hca("a_name_longer_than_20_bytes", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "1/3", "4/5"))
	tree := testenv.NewSysfs(t, cas...)
	h := Host{Sys: tree.Root}
	list, err := h.CAs(t.Context())
	if err != nil || len(list) != 201 {
		t.Fatalf("%d CAs, %v", len(list), err)
	}
	p, err := h.Port(t.Context(), "", 0)
	if err != nil || p.Device != "a_name_longer_than_20_bytes" || p.Num != 12 || p.UmadName != "umad211" {
		t.Errorf("port %+v, %v", p, err)
	}
}

func TestCA(t *testing.T) {
	cas := []testenv.SysfsCA{hca("mlx5_0", "4/5"), hca("mlx5_1", "4/5"), hca("siw0", "4/5e")}
	cas[2].NodeType = "4: RNIC"
	tree := testenv.NewSysfs(t, cas...)
	tree.Write(tree.CAFile("mlx5_1", "ports/1/lid"), "rubbish")
	tree.Remove(tree.CAFile("mlx5_1", "sys_image_guid"))
	h := Host{Sys: tree.Root}
	if ca, err := h.CA(t.Context(), "mlx5_0"); err != nil || ca.Name != "mlx5_0" {
		t.Errorf("mlx5_0: %v", err)
	}
	ca, err := h.CA(t.Context(), "mlx5_1")
	if ca == nil || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "rubbish") {
		t.Errorf("mlx5_1: %v, error %v", ca, err)
	}
	for name, part := range map[string]string{"mlx5_9": "there are mlx5_0, mlx5_1, siw0", "siw0": "RNIC"} {
		_, err := h.CA(t.Context(), name)
		var e *Error
		if !errors.Is(err, unix.ENODEV) || !errors.As(err, &e) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoRDMA(t *testing.T) {
	h := Host{Sys: t.TempDir()}
	if list, err := h.CAs(t.Context()); len(list) != 0 || !errors.Is(err, unix.ENOSYS) {
		t.Errorf("%v, %v", list, err)
	}
	_, err := h.Open(t.Context(), "", 0)
	if !errors.Is(err, unix.EOPNOTSUPP) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "modprobe ib_umad") {
		t.Errorf("open: %v", err)
	}
	if _, err := h.OpenISSM(t.Context(), "", 0); !errors.Is(err, unix.EOPNOTSUPP) {
		t.Errorf("issm: %v", err)
	}
}

func TestABIVersion(t *testing.T) {
	for text, want := range map[string]int{"5": 5, "6": 6, "4": -1, "": -1, "five": -1, "99999999999": -1, strings.Repeat("5", 999): -1} {
		tree := testenv.NewSysfs(t)
		tree.Write("class/infiniband_mad/abi_version", text)
		got, err := Host{Sys: tree.Root}.ABIVersion()
		switch {
		case want > 0 && (err != nil || got != want):
			t.Errorf("%q: %d, %v", text, got, err)
		case want < 0 && !errors.Is(err, unix.EOPNOTSUPP):
			t.Errorf("%q: error %v", text, err)
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("%q: the message has several lines: %v", text, err)
		}
	}
}

func TestCancelledContext(t *testing.T) {
	tree := testenv.NewSysfs(t, hca("mlx5_0", "4/5"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Host{Sys: tree.Root}).Open(ctx, "", 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
