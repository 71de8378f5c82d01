package sim_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ibscope/ibscope/discover"
	"github.com/ibscope/ibscope/fabric"
	"github.com/ibscope/ibscope/format/ibnetdiscover"
	"github.com/ibscope/ibscope/ib"
	"github.com/ibscope/ibscope/sim/gen"
)

// sweepText simulates a topology text, and sweeps it.
func sweepText(t *testing.T, text string) (stored, found *fabric.Fabric) {
	t.Helper()
	stored = must[*fabric.Fabric](t)(ibnetdiscover.Read(strings.NewReader(text), "fabric.topo"))
	p := open(t, stored, nil)
	return stored, must[*fabric.Fabric](t)(discover.Run(t.Context(), p, &discover.Options{Timeout: 10 * time.Millisecond}))
}

// Files with something wrong in them are simulated as far as they tell a fabric;
// what is wrong is told with its line.
func TestOddFiles(t *testing.T) {
	for name, test := range map[string]struct {
		text    string
		nodes   int    // that a sweep finds
		problem string // "" if nothing is wrong
	}{
		"two chips of a director with one switchguid": {`
switchguid=0x20(20)
Switch	4 "S-0000000000000020"		# "director chip 1" base port 0 lid 1 lmc 0
[1]	"H-0000000000000010"[1](11) 		# "host" lid 3 4xEDR
[2]	"S-0000000000000020"[3]		# "director chip 2" lid 2 4xEDR

switchguid=0x20(20)
Switch	4 "S-0000000000000020"		# "director chip 2" base port 0 lid 2 lmc 0
[3]	"S-0000000000000020"[2]		# "director chip 1" lid 1 4xEDR

caguid=0x10
Ca	1 "H-0000000000000010"		# "host"
[1](11) 	"S-0000000000000020"[1]		# lid 3 lmc 0 "director chip 1" lid 1 4xEDR
`, 3, "node 0x0000000000000020 is claimed by two nodes"},
		"a peer that is not in the file": {`
switchguid=0x20(20)
Switch	4 "S-0000000000000020"		# "switch" base port 0 lid 1 lmc 0
[1]	"H-0000000000000010"[1](11) 		# "host" lid 3 4xEDR
[2]	"H-0000000000000099"[1](9a) 		# "gone" lid 4 4xEDR

caguid=0x10
Ca	1 "H-0000000000000010"		# "host"
[1](11) 	"S-0000000000000020"[1]		# lid 3 lmc 0 "switch" lid 1 4xEDR
`, 3, "fabric.topo:5: "},
		"a line of another program": {`
switchguid=0x20(20)
Switch	4 "S-0000000000000020"		# "switch" base port 0 lid 1 lmc 0
[1]	"H-0000000000000010"[1](11) 		# "host" lid 3 4xEDR
ibwarn: [1] mad_rpc: _do_madrpc failed

caguid=0x10
Ca	1 "H-0000000000000010"		# "host"
[1](11) 	"S-0000000000000020"[1]		# lid 3 lmc 0 "switch" lid 1 4xEDR
`, 2, "fabric.topo:5: "},
		"NDR, and two lanes of it": {`
switchguid=0x20(20)
Switch	129 "S-0000000000000020"		# "switch" base port 0 lid 1 lmc 0
[1]	"H-0000000000000010"[1](11) 		# "host" lid 3 2xNDR
[129]	"H-0000000000000030"[1](31) 		# "other" lid 4 4xNDR

caguid=0x10
Ca	1 "H-0000000000000010"		# "host"
[1](11) 	"S-0000000000000020"[1]		# lid 3 lmc 0 "switch" lid 1 2xNDR

caguid=0x30
Ca	1 "H-0000000000000030"		# "other"
[1](31) 	"S-0000000000000020"[129]		# lid 4 lmc 0 "switch" lid 1 4xNDR
`, 3, ""},
	} {
		t.Run(name, func(t *testing.T) {
			stored, found := sweepText(t, test.text)
			if found.NumNodes() != test.nodes {
				t.Errorf("a sweep finds %d nodes, want %d", found.NumNodes(), test.nodes)
			}
			var told strings.Builder
			for _, p := range stored.Problems() {
				told.WriteString(p.Error() + "\n")
			}
			if test.problem == "" && told.Len() > 0 || !strings.Contains(told.String(), test.problem) {
				t.Errorf("problems, want %q:\n%s", test.problem, told.String())
			}
			for p := range found.Ports() {
				if test.problem == "" && p.Remote() != nil && p.Active().Speed != ib.SpeedNDR {
					t.Errorf("%s port %d runs at %s", p.Node().Description(), p.Num(), p.Active())
				}
			}
		})
	}
}

// Files of more than 500 switches are nothing special.
func TestManySwitches(t *testing.T) {
	f := must[*fabric.Fabric](t)(gen.Parse("fattree?levels=3&radix=24&hosts=2600&speed=ndr"))
	var b bytes.Buffer
	if err := ibnetdiscover.Write(&b, f, &ibnetdiscover.Options{Time: time.Unix(1, 0)}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\nSwitch\t"); n < 500 {
		t.Fatalf("%d switches", n)
	}
	_, found := sweepText(t, b.String())
	if d := cmp.Diff(blocks(t, f), blocks(t, found)); d != "" {
		t.Errorf("%.1500s", d)
	}
}
