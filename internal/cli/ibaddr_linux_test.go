package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestIbaddrWithoutPort has ports that open and cannot be used, and such that
// do not open. A FIFO stands for the device file.
func TestIbaddrWithoutPort(t *testing.T) {
	tree := testenv.NewSysfs(t,
		testenv.SysfsCA{Name: "rxe0", Ports: []testenv.SysfsPort{{Num: 1, LinkLayer: "Ethernet"}}},
		testenv.SysfsCA{Name: "rxe1", Ports: []testenv.SysfsPort{{Num: 1, LinkLayer: "Ethernet"}}})
	tree.Mkdir("infiniband")
	if err := unix.Mkfifo(filepath.Join(tree.Root, "infiniband/umad0"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ line, stdout, stderr string }{
		{"ibaddr", "Failed to open '(null)' port '0'", "rxe0 port 1 has no subnet management interface"},
		{"ibaddr -C rxe0 -P 1 5", "Failed to open 'rxe0' port '1'", "no subnet management interface"},
		{"ibaddr -C rxe1", "Failed to open 'rxe1' port '0'", "infiniband/umad1: no such file"},
		{"ibaddr -C rxe1 -P 1", "Failed to open 'rxe1' port '1'", "infiniband/umad1: no such file or directory; is the ib_umad module loaded"},
		{"ibaddr -C rxe1 -P 257", "Failed to open 'rxe1' port '257'", "a port number, 1…255"},
		{"ibaddr -P -1", "Failed to open '(null)' port '-1'", "a port number, 1…255"},
		{"ibaddr -C rxe1 -P 2", "Failed to open 'rxe1' port '2'", "the device has port 1 only"},
		{"ibaddr -C mlx5_0", "Failed to open 'mlx5_0' port '0'", "no such device; there are rxe0, rxe1"},
	} {
		w := &world{sys: tree.Root, dev: tree.Root}
		code := w.run(strings.Fields(test.line)...)
		if code != 255 || w.stdout.String() != "ibaddr: iberror: failed: "+test.stdout+"\n" {
			t.Errorf("%s: exit code %d, stdout %q", test.line, code, w.stdout.String())
		}
		if text := w.stderr.String(); !strings.Contains(text, test.stderr) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: stderr %q", test.line, text)
		}
	}
}

func TestIbaddrSources(t *testing.T) {
	for _, test := range []struct {
		line, fabric, stdout string
		code                 int
	}{
		{"ibaddr -L -D 0", "sim:star?hosts=3", "LID start 2 end 2", 0},
		{"ibaddr -s 49151 -L", "sim:star?hosts=3", "LID start 2 end 2", 0},
		{"ibaddr -s 49152", "sim:star?hosts=3", "ibaddr: iberror: failed: cannot resolve SM destination port 49152", 255},
		{"ibaddr -s x", "sim:star?hosts=3", "ibaddr: iberror: failed: cannot resolve SM destination port x", 255},
		{"ibaddr -s 0", "sim:star?hosts=3", "ibaddr: iberror: failed: cannot resolve SM destination port 0", 255},
		{"ibaddr -G 0x10", "sim:star?hosts=3", "ibaddr: iberror: failed: can't resolve destination port 0x10", 255},
		{"ibaddr 99 -t 1", "sim:star?hosts=3", "ibaddr: iberror: failed: can't resolve requested address", 255},
		{"ibaddr -C mlx5_0", "file:testdata/none", "ibaddr: iberror: failed: Failed to open 'mlx5_0' port '0'", 255},
	} {
		w := &world{env: map[string]string{"IBSCOPE_FABRIC": test.fabric}}
		if code := w.run(strings.Fields(test.line)...); code != test.code || w.stdout.String() != test.stdout+"\n" {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", test.line, code, w.stdout.String(), w.stderr.String())
		}
	}
}
