package umad

import (
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/ibscope/ibscope/mad"
)

// TestKernelHost lists and opens the ports of the machine as it is.
func TestKernelHost(t *testing.T) {
	needKernel(t)
	cas, err := Host{}.CAs(t.Context())
	if err != nil || len(cas) < 2 || cas[0].Name != "rxe0" || cas[1].Name != "rxe1" {
		t.Fatalf("%d CAs, %v", len(cas), err)
	}
	if v, err := (Host{}).ABIVersion(); v != 5 || err != nil {
		t.Errorf("ABI version %d, %v", v, err)
	}
	p, err := Open("rxe1", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Device() != "rxe1" || p.Num() != 1 || !p.HasPKeyIndex() {
		t.Errorf("opened %s port %d, P_Key index %v", p.Device(), p.Num(), p.HasPKeyIndex())
	}
	if _, err := p.Register(AgentRequest{Class: mad.ClassPerf}); err != nil {
		t.Error(err)
	}
	for _, tc := range []struct {
		ca   string
		num  int
		want error
	}{
		{"nosuch", 0, unix.ENODEV},
		{"rxe0", 2, unix.EINVAL},
	} {
		p, err := Open(tc.ca, tc.num)
		if err == nil {
			p.Close()
		}
		if !errors.Is(err, tc.want) {
			t.Errorf("%s port %d: %v, want %v", tc.ca, tc.num, err, tc.want)
		}
	}
}
