package hostcheck

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/ibscope/ibscope/madrpc"
	"github.com/ibscope/ibscope/rdma"
	"github.com/ibscope/ibscope/umad"
)

// labEnv is set in the guest of internal/lab, which has soft-RoCE devices.
const labEnv = "IBSCOPE_LAB"

// TestKernelCheck looks at a real host with RoCE ports: all that the kernel
// answers with is real, as root and as another user.
func TestKernelCheck(t *testing.T) {
	if os.Getenv(labEnv) == "" {
		t.Skip("needs the kernel of the lab: make lab")
	}
	r := Host{}.Check(t.Context(), &Options{Device: "rxe0"})
	if r.Count(Failure) != 0 {
		t.Errorf("a failure:\n%s", all(r))
	}
	text := lines(r)
	for _, want := range []string{"warning link-layer\n", "note smi rxe0/1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, all(r))
		}
	}
	open := func(_ context.Context, p *rdma.Port) (tr madrpc.Transport, err error) {
		asNobody(t, func() { tr, err = umad.Open(p.Device, p.Num) })
		return tr, err
	}
	text = all(Host{}.Check(t.Context(), &Options{Device: "rxe0", Connect: open}))
	for _, want := range []string{"warning umad-file rxe0 1", "umad0: permission denied (EACCES)", "mode 0600"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
