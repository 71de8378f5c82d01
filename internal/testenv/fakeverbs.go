package testenv

import (
	"bytes"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// fakeVerbsSource is a library that makes the C tools see a device.
//
//go:embed testdata/fakeverbs.c
var fakeVerbsSource []byte

// FakeVerbs is an RDMA device that the C tools of ibverbs-utils see in place of
// those of the machine. Their libraries ask it by ioctl as they would the kernel.
type FakeVerbs struct {
	Name     string // "mlx5_0"; libibverbs knows rxe by its name
	Modalias string // of the PCI device, by which libibverbs finds the other drivers
	ABI      int    // of the driver
	NodeType int    // 1 CA, 4 RNIC; 0 = 1
	BoardID  string // "" for none

	Context []byte // what the driver answers to GET_CONTEXT
	Device  []byte // what the kernel answers to QUERY_DEVICE, the driver's part behind it
	Port    []byte // what it answers to QUERY_PORT
	GIDs    []byte // the entries of the GID table, 32 bytes each

	// ContextRequests is what the library sent in the last Run to get contexts:
	// "DRIVER ANSWERSIZE REQUEST", the last in hexadecimal.
	ContextRequests []string

	dir string
}

// NewFakeVerbs compiles what the C tools are to see the device through. The
// device lasts as long as the test; its fields may change from one Run to the
// next.
func NewFakeVerbs(t testing.TB) *FakeVerbs {
	t.Helper()
	Need(t, "gcc")
	f := &FakeVerbs{dir: t.TempDir()}
	source := f.path("fake.c")
	if err := os.WriteFile(source, fakeVerbsSource, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", f.path("fake.so"), source, "-ldl").CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return f
}

// Run runs a C tool that sees the device and nothing else.
func (f *FakeVerbs) Run(t testing.TB, tool string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	f.write(t)
	cmd := exec.Command(Tool(t, tool), args...)
	cmd.Args[0] = tool
	cmd.Env = append(os.Environ(), "LC_ALL=C", "LD_PRELOAD="+f.path("fake.so"), "SYSFS_PATH="+f.path("sys"), "FAKE_ANSWERS="+f.dir)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	f.ContextRequests = nil
	if log, err := os.ReadFile(f.path("log")); err == nil {
		f.ContextRequests = strings.Split(strings.TrimRight(string(log), "\n"), "\n")
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func (f *FakeVerbs) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// write writes the answers and the sysfs tree.
func (f *FakeVerbs) write(t testing.TB) {
	t.Helper()
	verbs, device := "sys/class/infiniband_verbs/", "sys/class/infiniband/"+f.Name+"/"
	files := map[string]string{
		"context": string(f.Context), "device": string(f.Device), "port": string(f.Port), "gids": string(f.GIDs),
		verbs + "abi_version":             "6\n",
		verbs + "uverbs0/abi_version":     strconv.Itoa(f.ABI) + "\n",
		verbs + "uverbs0/ibdev":           f.Name + "\n",
		verbs + "uverbs0/dev":             "1:3\n", // /dev/null stands in for the device file
		verbs + "uverbs0/device/modalias": f.Modalias + "\n",
		device + "device/modalias":        f.Modalias + "\n",
		device + "node_type":              strconv.Itoa(max(1, f.NodeType)) + ": \n",
		device + "node_guid":              "0002:c903:00fe:1234\n",
	}
	if f.BoardID != "" {
		files[device+"board_id"] = f.BoardID + "\n"
	}
	for _, old := range []string{"sys", "log"} {
		if err := os.RemoveAll(f.path(old)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
