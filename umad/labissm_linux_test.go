package umad

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestKernelISSM: the bit in the capability mask follows the open file, and one
// process at a time can hold it.
func TestKernelISSM(t *testing.T) {
	needKernel(t)
	mask := func() string {
		text, err := os.ReadFile("/sys/class/infiniband/rxe0/ports/1/cap_mask")
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	before := mask()
	bit, err := Host{}.OpenISSM(t.Context(), "rxe0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := mask(), "0x00010002"; got != want || before != "0x00010000" {
		t.Errorf("capability mask %s became %s, want %s", before, got, want)
	}
	second, err := Host{}.OpenISSM(t.Context(), "rxe0", 1)
	if err == nil {
		second.Close()
	}
	if !errors.Is(err, unix.EAGAIN) || !errors.Is(err, unix.EIO) || !strings.Contains(err.Error(), "subnet manager") {
		t.Errorf("second one: %v", err)
	}
	if err := bit.Close(); err != nil {
		t.Error(err)
	}
	if after := mask(); after != before {
		t.Errorf("capability mask after Close: %s", after)
	}
}
