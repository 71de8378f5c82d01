package lab

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// onRXE are commands that look at the soft-RoCE devices rxe0 and rxe1. A tool
// that ibscope does not have yet is run as C only.
var onRXE = []comparison{
	{line: "ibv_devices", shows: "rxe1"},
	{line: "ibv_devices -x", shows: "rxe1"},
	{line: "ibv_devinfo", shows: "rxe1"},
	{line: "ibv_devinfo -l", shows: "2 HCAs found"},
	{line: "ibv_devinfo -v", shows: "RoCE v2"},
	{line: "ibv_devinfo -vv", shows: "RoCE v2"},
	{line: "ibv_devinfo -d rxe0", shows: "rxe0"},
	{line: "ibv_devinfo -d rxe1 -v", shows: "rxe1"},
	{line: "ibv_devinfo -d nosuch", fails: 255, shows: "wasn't found"},
	{line: "ibv_devinfo -i 1", shows: "rxe1"},
	{line: "ibv_devinfo -i 2", fails: 4, shows: "Invalid port"},
	{line: "ibv_devinfo -i 0", fails: 1, shows: "Usage"},
	{line: "ibv_devinfo -d rxe0 -i 1 -v", shows: "rxe0"},
	{line: "ibv_devinfo -l -d rxe0", shows: "rxe1"},
	{line: "ibv_devinfo -x", fails: 255, shows: "invalid option"},
	{line: "ibv_devinfo more", shows: "rxe1"},
	{line: "ibv_devinfo --ib-dev=rxe1 --ib-port=1", shows: "rxe1"},
	{line: "ibv_devinfo --list", shows: "rxe1"},
	{line: "ibstat", shows: "rxe1"},
	{line: "ibstat -l", shows: "rxe1"},
	{line: "ibstat -p", shows: "0x"},
	{line: "ibstat -s", shows: "rxe1"},
	{line: "ibstat rxe0", shows: "rxe0"},
	{line: "ibstat rxe1 1", shows: "Port 1"},
	{line: "ibstat rxe0 2", fails: 255},
	{line: "ibstat rxe0 x", fails: 255, shows: "no port number 0"},
	{line: "ibstat -s rxe0", shows: "rxe0"},
	{line: "ibstat -p rxe1", shows: "0x"},
	{line: "ibstat nosuch", fails: 255, shows: "can't be found"},
	{line: "ibstat nosuch 1", fails: 255, shows: "nosuch"},
	{line: "ibstatus", shows: "rxe1"},
	{line: "ibstatus rxe0", shows: "rxe0"},
	{line: "ibstatus rxe1:1", shows: "rxe1"},
	{line: "ibstatus nosuch", fails: 255},
	{line: "ibstatus -h", fails: 255},
	{line: "ibaddr", fails: 255, ownWords: true},
	{line: "ibaddr -C rxe1", fails: 255, ownWords: true},
	{line: "ibaddr -C nosuch", fails: 255, ownWords: true},
	{line: "ibaddr -g", fails: 255, ownWords: true},
	{line: "ibnetdiscover", fails: 255, ownWords: true},

	// A port without a link, and one that is gone.
	{before: "/usr/sbin/ip link set veth1 down; sleep 1", line: "ibstat rxe0", shows: "Down"},
	{line: "ibstatus rxe0", shows: "DOWN"},
	{line: "ibv_devinfo -d rxe0", shows: "PORT_DOWN"},
	{line: "ibaddr", fails: 255, ownWords: true},
	{before: "rdma link delete rxe0", line: "ibv_devices", shows: "rxe1"},
	{line: "ibstat"},
	{line: "ibv_devinfo -l", shows: "1 HCA found"},

	// A kernel without the modules that the tools need.
	{before: "rmmod ib_umad", line: "ibstat", shows: "rxe1"},
	{line: "ibaddr", fails: 255, ownWords: true},
	{line: "ibstatus"},
	{before: "rdma link delete rxe1", line: "ibv_devices"},
	{line: "ibv_devinfo", fails: 255},
	{line: "ibstatus", fails: 255, shows: "sys files not found"},
}

// kernelTests finds the packages that have tests for the guest: those that ask
// for the variable IBSCOPE_LAB. Their tests named TestKernel… may take devices
// away as long as they put them back.
func kernelTests(t *testing.T) []string {
	t.Helper()
	const root = "../.."
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("\"IBSCOPE_"+"LAB\"")) {
			var pkg string
			pkg, err = filepath.Rel(root, filepath.Dir(path))
			found[filepath.ToSlash(pkg)] = true
		}
		return err
	})
	if err != nil || !found["umad"] {
		t.Fatalf("found %v, %v", found, err)
	}
	return slices.Sorted(maps.Keys(found))
}

// TestRXE compares the C tools with ours on real devices of the kernel, and runs
// the packages' own tests there. It is one boot.
func TestRXE(t *testing.T) {
	need(t)
	dir := t.TempDir()
	g := &Guest{Script: functions}
	if err := g.AddIbscope(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	pkgs := kernelTests(t)
	for _, pkg := range pkgs {
		name := testName(pkg)
		if err := BuildTest(t.Context(), filepath.Join(dir, name), pkg); err != nil {
			t.Fatal(err)
		}
		g.Files = append(g.Files, File{Name: name, Path: filepath.Join(dir, name)})
		g.Script += "mkdir -p /out/" + name + "\nIBSCOPE_LAB=1 " + name + " -test.v -test.run ^TestKernel -test.timeout 2m >/out/" + name + "/output 2>&1\n"
	}
	g.Script += script("rxe", onRXE) + "exit 0\n"
	r := runGuest(t, g)
	for _, pkg := range pkgs {
		t.Run(pkg, func(t *testing.T) { kernelTest(t, r, pkg) })
	}
	compare(t, r, "rxe", onRXE)
}

func testName(pkg string) string { return strings.ReplaceAll(pkg, "/", "_") + ".test" }

// kernelTest looks at what a test program has printed in the guest.
func kernelTest(t *testing.T, r *Result, pkg string) {
	out := r.file(t, testName(pkg)+"/output")
	for _, line := range bytes.Split(out, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("--- ")) {
			t.Logf("%s", line)
		}
	}
	if !bytes.HasSuffix(out, []byte("\nPASS\n")) || bytes.Contains(out, []byte("--- SKIP")) {
		t.Errorf("failed or skipped in the guest:\n%s", out)
	}
}
