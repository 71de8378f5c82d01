package uverbs

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/rdma"
)

// The tests named TestKernel… run on a machine with RDMA devices, as internal/lab
// boots one.
func kernelDevices(t *testing.T) []*rdma.Device {
	t.Helper()
	if entries, _ := os.ReadDir("/sys/class/infiniband"); len(entries) == 0 {
		t.Skip("this machine has no RDMA devices: make lab")
	}
	devices, err := Devices(context.Background(), rdma.Host{})
	if err != nil || len(devices) == 0 {
		t.Fatalf("%d devices, %v", len(devices), err)
	}
	return devices
}

func openDescriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// TestKernelQuery checks what can be known otherwise, and that nothing stays open.
func TestKernelQuery(t *testing.T) {
	for _, d := range kernelDevices(t) {
		before := openDescriptors(t)
		a, err := Query(context.Background(), d)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
		}
		if after := openDescriptors(t); after != before {
			t.Errorf("%s: %d descriptors were open, now %d", d.Name, before, after)
		}
		if a.Device == nil || a.Device.NodeGUID != d.NodeGUID || a.Driver != d.RDMADriver || len(a.Ports) != len(d.Ports) {
			t.Fatalf("%s: %+v", d.Name, a)
		}
		for i, p := range a.Ports {
			if p.Attributes.State != d.Ports[i].State || p.Attributes.CapMask != d.Ports[i].CapMask {
				t.Errorf("%s port %d: %+v", d.Name, p.Num, p.Attributes)
			}
			if want, err := d.Ports[i].GIDs(context.Background()); err != nil || len(want) != len(p.GIDs) {
				t.Errorf("%s port %d: %d GIDs by ioctl, %d in sysfs, %v", d.Name, p.Num, len(p.GIDs), len(want), err)
			}
		}
	}
}

// without is a kernel that lacks some of its methods.
type without struct {
	kernel
	methods map[uint16]bool
	write   uint64 // a command that it lacks too
}

func (w without) do(c *command) error {
	if w.methods[c.method] {
		return unix.EPROTONOSUPPORT
	}
	if a := find(c, attrWriteCmd); c.method == methodInvokeWrite && w.write != 0 && view[uint64](a.in) == w.write {
		return unix.EOPNOTSUPP
	}
	return w.kernel.do(c)
}

// TestKernelOldWays asks the kernel as if it were older, and gets the same.
func TestKernelOldWays(t *testing.T) {
	for _, d := range kernelDevices(t) {
		want, err := Query(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		for name, w := range map[string]without{
			"4.20":   {methods: map[uint16]bool{methodGetContext: true, methodQueryPort: true}},
			"no EX":  {write: cmdExQueryDevice},
			"no GID": {methods: map[uint16]bool{methodQueryGIDTable: true}},
		} {
			k, err := openKernel(d.UverbsPath())
			if err != nil {
				t.Fatal(err)
			}
			id, err := identify(k, "")
			if err != nil {
				t.Fatal(err)
			}
			w.kernel = k
			before := openDescriptors(t)
			dev := newDevice(d, w, id)
			got, err := dev.Query(context.Background())
			if err != nil {
				t.Errorf("%s, %s: %v", d.Name, name, err)
			}
			if after := openDescriptors(t); after != before {
				t.Errorf("%s, %s: %d descriptors were open, now %d", d.Name, name, before, after)
			}
			if err := dev.Close(); err != nil {
				t.Error(err)
			}
			expect := *want
			if name == "no EX" && got.Device != nil {
				old := *want.Device
				old.CapsEx = 0
				expect.Device = &old
			}
			if name == "no GID" { // sysfs does not tell the network devices' numbers
				for i := range got.Ports {
					for j := range got.Ports[i].GIDs {
						got.Ports[i].GIDs[j].NetDevIndex = want.Ports[i].GIDs[j].NetDevIndex
					}
				}
			}
			if name == "4.20" { // these did not know the second mask
				for i := range got.Ports {
					got.Ports[i].Attributes.CapMask2 = want.Ports[i].Attributes.CapMask2
				}
			}
			if diff := cmp.Diff(&expect, got); diff != "" {
				t.Errorf("%s, %s (-new +old):\n%s", d.Name, name, diff)
			}
		}
	}
}

// TestKernelGIDEntries reads the table entry by entry, which the kernel would
// only need if it were very long.
func TestKernelGIDEntries(t *testing.T) {
	for _, d := range kernelDevices(t) {
		dev, err := Open(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range d.Ports {
			a, err := dev.QueryPort(context.Background(), p.Num)
			if err != nil {
				t.Fatal(err)
			}
			want, err := dev.GIDs(context.Background(), p.Num, a.GIDTableLen)
			if err != nil {
				t.Fatal(err)
			}
			got, err := dev.gidEntries(context.Background(), p.Num, int(a.GIDTableLen))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v, (-table +entries):\n%s", d.Name, err, diff)
			}
		}
		if _, err := dev.QueryPort(context.Background(), 200); !errors.Is(err, unix.EINVAL) {
			t.Errorf("%s: port 200: %v", d.Name, err)
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
		if _, err := dev.QueryDevice(context.Background()); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: query after close: %v", d.Name, err)
		}
	}
}

// TestKernelWrongFile opens what is no uverbs device.
func TestKernelWrongFile(t *testing.T) {
	k, err := openKernel("/dev/null")
	if err != nil {
		t.Skip(err)
	}
	defer k.Close()
	if _, err := identify(k, "rxe"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("identify: %v", err)
	}
}

// TestKernelLetsGo: the kernel cannot remove a software device while it is open,
// and can when it was closed. It needs the lab.
func TestKernelLetsGo(t *testing.T) {
	kernelDevices(t)
	if os.Getenv("IBSCOPE_LAB") == "" {
		t.Skip("it makes and removes a device: make lab")
	}
	if out, err := exec.Command("rdma", "link", "add", "gone0", "type", "rxe", "netdev", "veth1").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list := kernelDevices(t)
	i := slices.IndexFunc(list, func(d *rdma.Device) bool { return d.Name == "gone0" })
	if i < 0 {
		t.Fatal("gone0 is not listed")
	}
	dev, err := Open(list[i])
	if err != nil || dev.Refused() != nil {
		t.Fatal(err, dev.Refused())
	}
	if err := dev.Close(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if out, err := exec.CommandContext(ctx, "rdma", "link", "delete", "gone0").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := Open(list[i]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
}
