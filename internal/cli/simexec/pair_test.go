//go:build linux

package simexec

import (
	"strings"
	"testing"

	"github.com/ibscope/ibscope/internal/testenv"
)

// TestPair: an adapter of several planes is two devices, one for subnet
// management and one for all else, which has no cable of its own and yet reaches
// the fabric.
func TestPair(t *testing.T) {
	testenv.Need(t, "ibstat", "perfquery", "saquery", "smpquery")
	const uri = "sim:xdrplanes?hosts=6&radix=4&planes=3&gsi=yes"
	for _, tt := range []struct{ argv, part string }{
		{"ibstat -l", "mlx5_0\nsmi_0\n"},
		{"ibstat mlx5_0", "State: Active"},
		{"ibstat mlx5_0", "Base lid: 16"},
		{"ibstat smi_0 3", "Base lid: 16"},
		{"perfquery -C mlx5_0 -x", "PortXmitData:"},
		{"perfquery -C mlx5_0 -x 17 1", "Lid 17 port 1"},
		{"saquery -C mlx5_0 -s", "base_lid................16"},
		{"smpquery -C smi_0 nodedesc -D 0,1", "leaf01"},
		{"smpquery -C smi_0 -P 2 nodedesc -D 0,2", "leaf01:Q3400/U2"},
	} {
		if out := runOK(t, uri, strings.Fields(tt.argv)...); !strings.Contains(out, tt.part) {
			t.Errorf("%s: no %q in\n%s", tt.argv, tt.part, out)
		}
	}
	r := run(t, simExec(t, uri, "--", "smpquery", "-C", "mlx5_0", "-t", "100", "nodedesc", "-D", "0"))
	if r.code == 0 {
		t.Errorf("the GSI device answers for subnet management:\n%s", r.stdout)
	}
}
