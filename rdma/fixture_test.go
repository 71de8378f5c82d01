package rdma

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// fixture is a tree of files under construction.
type fixture struct {
	t   testing.TB
	top string
}

// newFixture writes a tree from lines of "path = text", "path -> target of a
// link", "path/" for a directory, and "path | " for a FIFO. "\n" in a text is a
// newline; each text gets one at its end but for those that end in "$".
func newFixture(t testing.TB, text string) *fixture {
	t.Helper()
	f := &fixture{t: t, top: t.TempDir()}
	f.add(text)
	return f
}

func (f *fixture) add(text string) {
	f.t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutSuffix(line, "/"); ok {
			f.check(os.MkdirAll(f.path(name), 0o755))
		} else if name, target, ok := strings.Cut(line, " -> "); ok {
			f.dirOf(name)
			f.check(os.Symlink(target, f.path(name)))
		} else if name, ok := strings.CutSuffix(line, " |"); ok {
			f.dirOf(name)
			f.check(unix.Mkfifo(f.path(name), 0o644))
		} else if name, value, ok := strings.Cut(line, " ="); ok {
			f.write(name, strings.TrimPrefix(value, " "))
		} else if line != "" {
			f.t.Fatalf("fixture line %q", line)
		}
	}
}

func (f *fixture) write(name, value string) {
	f.t.Helper()
	value = strings.ReplaceAll(value, `\n`, "\n")
	bare, isBare := strings.CutSuffix(value, "$")
	if !isBare {
		bare += "\n"
	}
	f.dirOf(name)
	f.check(os.WriteFile(f.path(name), []byte(bare), 0o644))
}

func (f *fixture) remove(name string) { f.t.Helper(); f.check(os.RemoveAll(f.path(name))) }

func (f *fixture) path(name string) string { return filepath.Join(f.top, filepath.FromSlash(name)) }

func (f *fixture) dirOf(name string) { f.check(os.MkdirAll(filepath.Dir(f.path(name)), 0o755)) }

func (f *fixture) check(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// devices lists the devices of the tree.
func (f *fixture) devices() ([]*Device, error) {
	return Host{Sys: f.top}.Devices(context.Background())
}

// hca adds an InfiniBand adapter with one port, as the kernel shows one: a link in
// the class to a directory below the PCI function.
func (f *fixture) hca(n int) *fixture {
	f.t.Helper()
	name := fmt.Sprintf("mlx5_%d", n)
	pci := fmt.Sprintf("devices/pci0000:00/0000:00:01.0/0000:%02x:00.%d", n/8+1, n%8)
	dev := pci + "/infiniband/" + name
	r := strings.NewReplacer("PCI", pci, "ADDR", path.Base(pci), "DEV", dev, "NAME", name, "NUM", fmt.Sprint(n), "HEX", fmt.Sprintf("%02x", n))
	f.add(r.Replace(hcaText))
	return f
}

const hcaText = `
class/infiniband/NAME -> ../../DEV
PCI/vendor = 0x15b3
PCI/device = 0x101b
PCI/subsystem_vendor = 0x15b3
PCI/subsystem_device = 0x0007
PCI/numa_node = 1
PCI/driver -> ../../../../bus/pci/drivers/mlx5_core
PCI/net/ibNUM/dev_port = 0
PCI/net/ibNUM/type = 32
DEV/device -> ../../../ADDR
DEV/node_type = 1: CA
DEV/node_guid = 0002:c903:0000:00HEX
DEV/sys_image_guid = 0002:c903:0000:01HEX
DEV/node_desc = host-1 NAME
DEV/fw_ver = 20.31.1014
DEV/hw_rev = 0
DEV/hca_type = MT4123
DEV/board_id = MT_0000000223
DEV/ports/1/state = 4: ACTIVE
DEV/ports/1/phys_state = 5: LinkUp
DEV/ports/1/rate = 200 Gb/sec (4X HDR)
DEV/ports/1/link_layer = InfiniBand
DEV/ports/1/lid = 0x2a
DEV/ports/1/lid_mask_count = 1
DEV/ports/1/sm_lid = 0x1
DEV/ports/1/sm_sl = 3
DEV/ports/1/cap_mask = 0xa651e848
DEV/ports/1/gids/0 = fe80:0000:0000:0000:0002:c903:0000:00HEX
DEV/ports/1/gids/1 = 0000:0000:0000:0000:0000:0000:0000:0000
DEV/ports/1/pkeys/0 = 0xffff
DEV/ports/1/pkeys/1 = 0x0000
DEV/ports/1/pkeys/2 = 0x7fff
DEV/ports/1/counters/port_rcv_data = 1000
DEV/ports/1/counters/symbol_error = 65535
DEV/ports/1/counters/port_xmit_wait = N/A (no PMA)
class/infiniband_verbs/abi_version = 6
class/infiniband_verbs/uverbsNUM/ibdev = NAME
class/infiniband_mad/umadNUM/ibdev = NAME
class/infiniband_mad/umadNUM/port = 1
class/infiniband_mad/issmNUM/ibdev = NAME
class/infiniband_mad/issmNUM/port = 1
`
